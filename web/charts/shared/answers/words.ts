/** Words that several charts have. A sentence about a run begins with a subject, such as `Latency of A`. */

export const NOT_READ = 'Not read yet.'
/** Stands for a figure or an end that has not arrived, where there is no sentence. */
export const UNREAD = 'not read yet'
export const NO_REQUEST = 'no request'
export const NO_REQUESTS = 'No visible requests.'
export const NOT_RECORDED = 'not recorded'

/** Says that the answer has not arrived. */
export const notReadWords = (subject: string): string => `${subject}: ${UNREAD}.`

/** Its figures have not arrived: they follow when the trace has been read. */
export const stillReadingWords = (subject: string): string => `${subject}: still reading.`

export const noRequestWords = (subject: string): string => `${subject}: no visible requests.`

/** ` in both runs`; empty for a single run. */
export const inRunsWords = (runs: readonly unknown[]): string =>
  runs.length < 2 ? '' : runs.length === 2 ? ' in both runs' : ' in all runs'

/** Takes the place of a letter beside a plot that all runs share. */
export const ALL_RUNS = 'all runs'

/** Names the switch of the event at which sizes are counted. */
export const MEASURED_AT = 'measured at'

export const CLEAR_FILTERS = 'Clear filters'
export const COPY_AS_TEXT = 'Copy as text'

export const LOG_SCALE = 'log scale'
/** What the colour of a cell counts. */
export const PER_CELL = 'requests per cell'

export const FULL_STRIPES = 'full stripes'
export const PARTIAL_STRIPES = 'partial stripes'

/** Headings of the ends of a range of sectors. */
export const FROM_SECTOR = 'from sector'
export const TO_SECTOR = 'to sector'
