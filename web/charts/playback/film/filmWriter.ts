/** Formats of films, and what turns frames into a file. */
export const FILM_KINDS = ['webm', 'gif'] as const
export type FilmKind = (typeof FILM_KINDS)[number]

export interface FilmFormat {
  readonly kind: FilmKind
  /** px; 16 to 9. */
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly seconds: number
}

export const FILM_NAMES = { webm: 'WebM', gif: 'GIF' } as const satisfies Readonly<Record<FilmKind, string>>
/**
 * A GIF grows with each pixel that changes: smaller ones, with fewer frames. Its frames last hundredths of a second.
 */
export const FILM_SIZES = {
  webm: [
    { width: 1280, height: 720 },
    { width: 1920, height: 1080 },
  ],
  gif: [
    { width: 960, height: 540 },
    { width: 1280, height: 720 },
  ],
} as const satisfies Readonly<Record<FilmKind, unknown>>
export const FRAME_RATES = { webm: [30, 24, 60], gif: [10, 20, 25] } as const satisfies Readonly<
  Record<FilmKind, readonly number[]>
>
/** Bounds of a film's length, s. */
export const SHORTEST_FILM = 1
export const LONGEST_FILM = { webm: 300, gif: 60 } as const satisfies Readonly<Record<FilmKind, number>>

export const framesOf = ({ framesPerSecond, seconds }: Pick<FilmFormat, 'framesPerSecond' | 'seconds'>): number =>
  Math.max(2, Math.round(framesPerSecond * seconds))

/** Takes the frames of a film. */
export interface FilmWriter {
  /** So many frames from all of the film are looked at before the first one is added. */
  readonly samples: number
  look(frame: OffscreenCanvasRenderingContext2D): void
  /** Takes the next frame. Rejects with an Error of the encoder. */
  add(frame: OffscreenCanvasRenderingContext2D): Promise<void>
  /** The file; nothing can be added afterwards. */
  finish(): Promise<Blob>
  /** Must be called after an error, too. */
  close(): void
}
