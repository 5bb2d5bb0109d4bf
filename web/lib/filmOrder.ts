/** A film that `seekscope movie` orders from the page. */
export interface FilmOrder {
  readonly kind: 'webm' | 'gif'
  /** Where the film goes, on the page's own host. */
  readonly path: string
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly seconds: number
  readonly theme: 'light' | 'dark'
}

/** Name of the `meta` element that has it as JSON. */
export const ORDER_NAME = 'seekscope-movie'
