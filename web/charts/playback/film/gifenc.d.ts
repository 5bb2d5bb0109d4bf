/** The part of gifenc that is used. It has no types of its own. */
declare module 'gifenc' {
  type GifColour = readonly [red: number, green: number, blue: number]

  interface GifFrame {
    /** Colours of all frames; only the first frame has them. */
    readonly palette?: readonly GifColour[]
    readonly first?: boolean
    /** ms; rounded to hundredths of a second. */
    readonly delay: number
    readonly transparent?: boolean
    readonly transparentIndex?: number
    /** 1: stays below the next frame. */
    readonly dispose?: number
  }

  export function GIFEncoder(options: { readonly auto: false }): {
    writeHeader(): void
    writeFrame(index: Uint8Array, width: number, height: number, frame: GifFrame): void
    finish(): void
    /** A copy of what was written since the last reset. */
    bytes(): Uint8Array<ArrayBuffer>
    reset(): void
  }
  export function quantize(rgba: Uint8ClampedArray, most: number, options: { readonly format: 'rgb565' }): GifColour[]
  export function applyPalette(rgba: Uint8ClampedArray, palette: readonly GifColour[], format: 'rgb565'): Uint8Array
}
