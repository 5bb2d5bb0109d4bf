/** How much of a file the engine needs to classify it, in the page and on the command line. */

/** From both ends of a file: whether it is part of a trace. */
export const PROBE_BYTES = 64 << 10
/** From the start of a file: whether it is an archive or compressed. */
export const CONTAINER_BYTES = 512
/** From the start of a text next to traces: its facts. */
export const NOTE_BYTES = 1 << 20
/** From the start of a text with counters: all that the engine reads. */
export const COUNTER_BYTES = 16 << 20
/** From the start of a text without a trace: results of benchmarks. */
export const RESULT_BYTES = 8 << 20
