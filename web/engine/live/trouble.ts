/** What is wrong with a stream, in words: for the page and for a terminal. */
import type { Words } from '../../lib/format'
import type { EndedStream, EngineLiveStatus } from '../protocol'

/** Silence of this length is reported. */
const QUIET_MS = 5000

/** A problem of a stream. Its kind identifies it, so that a changed figure does not announce it again. */
export interface StreamTrouble {
  readonly code: 'quiet' | 'clock-steps' | 'lost-events' | 'late-events' | 'skipped-bytes'
  readonly text: string
}

/** Problems of a stream, the most important first. */
export function troublesOf(
  status: EngineLiveStatus,
  quietMs: number,
  { duration, counted }: Words,
): readonly StreamTrouble[] {
  const { lost, late, lateness_ns, steps, largest_step_ns, skipped_bytes } = status
  const all: readonly (StreamTrouble | false)[] = [
    quietMs >= QUIET_MS && {
      code: 'quiet',
      text: `No events for ${Math.floor(quietMs / 1000)} s: the device is idle, or the tracer has stopped without ending the stream.`,
    },
    steps > 0 && {
      code: 'clock-steps',
      text: `The clock of a CPU stepped back, by ${duration(largest_step_ns)} at most: its events keep the latest time until it has caught up. Times, latencies and rates are unreliable.`,
    },
    lost > 0 && {
      code: 'lost-events',
      text: `The tracer lost ${counted(lost, 'event')} (gaps in the sequence numbers): figures are too low. Give blktrace larger buffers: -b 1024 -n 16.`,
    },
    late > 0 && {
      code: 'late-events',
      text: `${counted(late, 'event')} arrived up to ${duration(lateness_ns)} late: left out here, complete once the stream has ended.`,
    },
    skipped_bytes > 0 && {
      code: 'skipped-bytes',
      text: `Skipped ${counted(skipped_bytes, 'byte')} that are not records.`,
    },
  ]
  return all.flatMap(trouble => trouble || [])
}

export function endedWords(
  { why, bytes, message }: Pick<EndedStream, 'why' | 'bytes' | 'message'>,
  { counted }: Words,
): string {
  switch (why) {
    case 'end':
      return 'The stream ended.'
    case 'interrupted':
      return 'The command was stopped: the stream ended.'
    case 'stopped':
      return 'The stream was ended here; the command still runs.'
    case 'broken':
      return `The stream ended within a record: ${counted(bytes ?? 0, 'byte')} of it arrived. Everything before it was read.`
    case 'failed':
      return `The stream could not be read further: ${(message ?? 'no reason is known').replace(/\.$/, '')}.`
    case 'lost':
      return 'The connection to the command was lost: it was killed, or the machine slept. What had arrived was read.'
  }
}
