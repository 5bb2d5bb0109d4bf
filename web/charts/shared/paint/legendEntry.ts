import type { LeftOut } from '../../../state/hidden'

/** One colour or line of a legend, and its word. */
export interface LegendEntry {
  readonly label: string
  /** Follows the label where there is room: what it means, or all its words. */
  readonly more?: string
  /** Token of its colour. */
  readonly token: string
  readonly shape?:
    | 'square'
    | 'outlined'
    | 'line'
    | 'dash'
    | 'thin'
    | 'hollow'
    | 'hatch'
    | 'bar'
    | 'triangle'
    | 'hollow-triangle'
  /** What the filters leave out when only its requests are shown; absent where no filter corresponds to it. */
  readonly only?: LeftOut | undefined
}

/** The mark below a group, from the end of its first run to that of its last. */
export const ENDS_ENTRY: LegendEntry = { label: 'where the runs end', token: 'ink-2', shape: 'square' }

export const entryWords = ({ label, more = '' }: LegendEntry): string => label + more
