/** What was typed into the field of `Find`. */
export interface FindEntry {
  readonly query: string
  /** Whether Enter was pressed: the best match is chosen as soon as there are matches. */
  readonly isSubmitted: boolean
}

export const NO_ENTRY: FindEntry = { query: '', isSubmitted: false }

export const FIND_LABEL = 'Find commands, findings, figures, runs, processes and terms'
