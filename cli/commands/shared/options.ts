/** Options that several commands take. */

/** Forms of reports. */
export const REPORT_FORMS = ['mail', 'bugzilla', 'github', 'kcidb'] as const
export type ReportForm = (typeof REPORT_FORMS)[number]

export const COMPARING = ['stripe', 'device', 'label', 'group', 'ungrouped', 'baseline'] as const
export const READING_COMPLETE = ['format-string', 'no-limits', 'threads'] as const
/** The complete recording is read, where it fits. */
export const RANGE_OF_FIGURES = [
  'range',
  'only this time window: seconds since the first event; either end may be omitted',
] as const
export const READING = ['range', ...READING_COMPLETE] as const
