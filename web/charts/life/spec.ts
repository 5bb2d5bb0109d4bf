/** The life of one request: a window beside its mark and a text for mail, no chart of runs. Only the page has it. */
import type { PageSpec } from '../shared/spec'

export const life: Omit<PageSpec, 'measured'> = { kind: 'page', name: 'life', title: 'Request' }

/** Headings of the table of stages, which the window and the text have. */
export const STAGE = 'stage'
export const TIME = 'at, s'
export const medianOf = (letter: string): string => `median of ${letter}`
