/** A film that `seekscope movie` orders from the page. */
export interface FilmOrder {
  readonly kind: 'webm' | 'gif'
  /** Path on the page's host to which the film is posted. */
  readonly path: string
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly seconds: number
  readonly theme: 'light' | 'dark'
}

/** Name of the `meta` element that has it as JSON. */
export const ORDER_NAME = 'seekscope-movie'
