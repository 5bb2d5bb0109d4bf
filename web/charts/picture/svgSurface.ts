/** A surface that writes SVG instead of pixels: what a chart paints becomes rectangles and paths. */
import type { Surface } from '../shared/paint/surface'

/** A picture of more marks is better saved as an image: no reader can separate them, and files and viewers suffer. */
const MAX_MARKS = 8_000

/** Escapes a text for markup. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export interface SvgSurface extends Surface {
  /** The markup; `undefined` when there is more than an SVG should hold. */
  markup(): string | undefined
}

interface State {
  readonly fill: string
  readonly stroke: string
  readonly width: number
  readonly alpha: number
  readonly smooth: boolean
  readonly dash: string
  /** Number of clips that are open. */
  readonly clips: number
}

const round = (value: number): string => String(Math.round(value * 100) / 100)
const numbers = (...values: readonly number[]): string => values.map(round).join(' ')
const box = (x: number, y: number, w: number, h: number): string =>
  `M${numbers(x, y)}h${round(w)}v${round(h)}h${round(-w)}z`

/**
 * `toImage` makes a part of an image an address (`data:`). `id` keeps clips of several surfaces in one document apart.
 */
export function createSvgSurface(
  id: string,
  toImage: (image: CanvasImageSource, sx: number, sy: number, sw: number, sh: number) => string,
  most = MAX_MARKS,
): SvgSurface {
  const out: string[] = []
  const states: State[] = []
  let marks = 0
  let clips = 0
  let ids = 0
  let path: string[] = []
  let dash: readonly number[] = []
  /** Rectangles of one opaque colour that follow each other are one path. */
  let same: { readonly fill: string; readonly boxes: string[] } | undefined

  const end = () => {
    if (same) out.push(`<path fill="${same.fill}" d="${same.boxes.join('')}"/>`)
    same = undefined
  }
  const put = (markup: string) => {
    end()
    if (marks <= most) out.push(markup)
  }
  const opacity = (name: string) => (surface.globalAlpha < 1 ? ` ${name}-opacity="${round(surface.globalAlpha)}"` : '')
  const lines = () =>
    `fill="none" stroke="${surface.strokeStyle}" stroke-width="${round(surface.lineWidth)}"${dash.length > 0 ? ` stroke-dasharray="${numbers(...dash)}"` : ''}${opacity('stroke')}`
  const close = (to: number) => {
    for (; clips > to; clips -= 1) put('</g>')
  }

  const surface: SvgSurface = {
    fillStyle: '#000',
    strokeStyle: '#000',
    lineWidth: 1,
    globalAlpha: 1,
    imageSmoothingEnabled: true,
    beginPath() {
      path = []
    },
    moveTo(x, y) {
      path.push(`M${numbers(x, y)}`)
    },
    lineTo(x, y) {
      path.push(`L${numbers(x, y)}`)
    },
    rect(x, y, w, h) {
      marks += 1
      path.push(box(x, y, w, h))
    },
    closePath() {
      path.push('z')
    },
    fill() {
      if (path.length > 0) put(`<path fill="${surface.fillStyle}"${opacity('fill')} d="${path.join('')}"/>`)
    },
    stroke() {
      marks += 1
      if (path.length > 0) put(`<path ${lines()} d="${path.join('')}"/>`)
    },
    clip() {
      ids += 1
      put(`<clipPath id="${id}-${ids}"><path d="${path.join('')}"/></clipPath><g clip-path="url(#${id}-${ids})">`)
      clips += 1
    },
    save() {
      const { fillStyle, strokeStyle, lineWidth, globalAlpha, imageSmoothingEnabled } = surface
      states.push({
        fill: String(fillStyle),
        stroke: String(strokeStyle),
        width: lineWidth,
        alpha: globalAlpha,
        smooth: imageSmoothingEnabled,
        dash: dash.join(' '),
        clips,
      })
    },
    restore() {
      const state = states.pop()
      if (!state) return
      close(state.clips)
      surface.fillStyle = state.fill
      surface.strokeStyle = state.stroke
      surface.lineWidth = state.width
      surface.globalAlpha = state.alpha
      surface.imageSmoothingEnabled = state.smooth
      dash = state.dash === '' ? [] : state.dash.split(' ').map(Number)
    },
    fillRect(x, y, w, h) {
      marks += 1
      const fill = String(surface.fillStyle)
      if (surface.globalAlpha < 1) {
        put(`<path fill="${fill}"${opacity('fill')} d="${box(x, y, w, h)}"/>`)
        return
      }
      if (same?.fill !== fill) {
        end()
        same = { fill, boxes: [] }
      }
      same?.boxes.push(box(x, y, w, h))
    },
    strokeRect(x, y, w, h) {
      marks += 1
      put(`<path ${lines()} d="${box(x, y, w, h)}"/>`)
    },
    setLineDash(segments) {
      dash = [...segments]
    },
    drawImage(image, sx, sy, sw, sh, dx, dy, dw, dh) {
      if (sw <= 0 || sh <= 0) return
      const look = surface.imageSmoothingEnabled ? '' : ' image-rendering="pixelated"'
      put(
        `<image x="${round(dx)}" y="${round(dy)}" width="${round(dw)}" height="${round(dh)}" preserveAspectRatio="none"${look} href="${toImage(image, sx, sy, sw, sh)}"/>`,
      )
    },
    markup() {
      end()
      close(0)
      return marks > most ? undefined : out.join('')
    },
  }
  return surface
}
