/**
 * A chart as one SVG that stands alone: a head with the runs, then what is on the screen. PNG is that SVG, rasterized.
 */
import type { PictureHeading } from '../shared/paint/heading'
import { runToken } from '../shared/paint/palette'
import { readPalette } from '../shared/paint/theme'
import { createRuler, pageMarkup } from './page'
import { escaped } from './svgSurface'

export interface Picture {
  readonly source: string
  readonly width: number
  readonly height: number
}

/** Free margin around the picture, px: tick labels reach beyond their column. */
const MARGIN = 16
const LINE = 22
const BADGE = 16

/** The letter of each run with its label, and the note, in as many lines as they need. */
function headMarkup(
  { runs, note }: PictureHeading,
  width: number,
): { readonly markup: string; readonly height: number } {
  const palette = readPalette()
  const colour = (token: string) => escaped(palette(token))
  const family = palette('font-ui')
  const ruler = createRuler()
  ruler.set(`400 12px ${family}`)
  const out: string[] = []
  let [x, y] = [0, 0]
  const next = (wide: number) => {
    if (x > 0 && x + wide > width) [x, y] = [0, y + LINE]
    const corner = [MARGIN + x, MARGIN + y] as const
    x += wide + 18
    return corner
  }
  const text = (start: number, top: number, size: number, more: string, words: string) =>
    `<text x="${start.toFixed(1)}" y="${(top + BADGE * 0.75).toFixed(1)}" font-family="${escaped(family)}" font-size="${size}px" ${more}>${escaped(words)}</text>`
  for (const { letter, label } of runs) {
    const [left, top] = next(BADGE + 6 + ruler.width(label))
    out.push(
      `<rect x="${left}" y="${top}" width="${BADGE}" height="${BADGE}" rx="3" fill="${colour(runToken(letter))}"/>`,
    )
    out.push(
      text(left + BADGE / 2, top, 11, `font-weight="600" text-anchor="middle" fill="${colour('surface')}"`, letter),
    )
    out.push(text(left + BADGE + 6, top, 12, `fill="${colour('ink')}"`, label))
  }
  if (note !== undefined) {
    const [left, top] = next(ruler.width(note))
    out.push(text(left, top, 12, `fill="${colour('ink-2')}"`, note))
  }
  return { markup: out.join(''), height: out.length === 0 ? 0 : y + LINE + 8 }
}

/** What is on the screen now, without cursor and buttons; rows get the time axis of their group below. */
export function pictureOf(section: HTMLElement, heading: PictureHeading): Picture {
  section.classList.add('chart-export')
  try {
    const frame = section.getBoundingClientRect()
    const head = headMarkup(heading, frame.width)
    const corner = { x: frame.left - MARGIN, y: frame.top - MARGIN - head.height }
    const body = pageMarkup(section, corner, 'chart')
    const alone = section.querySelector('.time-axis') === null && section.querySelector('.plot') !== null
    const axis = alone ? section.closest('.charts-group')?.querySelector('.time-axis') : undefined
    const foot = axis
      ? pageMarkup(axis, { x: corner.x, y: axis.getBoundingClientRect().top - body.height }, 'axis')
      : undefined
    const width = Math.ceil(Math.max(body.width, foot?.width ?? 0)) + MARGIN
    const height = Math.ceil(Math.max(body.height, foot?.height ?? 0)) + MARGIN
    const ground = escaped(readPalette()('surface'))
    const source = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${ground}"/>${head.markup}${body.markup}${foot?.markup ?? ''}</svg>`
    return { source, width, height }
  } finally {
    section.classList.remove('chart-export')
  }
}

/** Drawn at twice the size, for dense screens and print. */
export async function rasterize({ source, width, height }: Picture): Promise<Blob> {
  const image = new Image()
  // Not `decode`: Chromium answers that with a frame, and a page behind another one may draw none for minutes.
  await new Promise((resolve, reject) => {
    image.onload = resolve
    image.onerror = () => reject(new Error('The picture could not be drawn'))
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
  })
  const canvas = document.createElement('canvas')
  canvas.width = width * 2
  canvas.height = height * 2
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  // Not `toBlob`: Chromium leaves that to idle time, for which it waits a second, and up to seven on a busy page.
  const [, base64 = ''] = canvas.toDataURL('image/png').split(',')
  if (base64 === '') throw new Error('The picture could not be encoded')
  return new Blob([Uint8Array.from(atob(base64), char => char.charCodeAt(0))], { type: 'image/png' })
}
