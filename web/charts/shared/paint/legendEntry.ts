/** One colour or line of a legend, and its word. */
export interface LegendEntry {
  readonly label: string
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
}
