/** A row of charts as one SVG: canvases become images, SVG and labels keep their computed look. PNG is that SVG, rasterized. */

import { wrap } from './table'

export interface Picture {
  readonly source: string
  readonly width: number
  readonly height: number
}

const PAINT = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'paint-order',
  'text-anchor',
] as const
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function styled(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const [from, to] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')]
  from.forEach((element, i) => {
    const style = getComputedStyle(element)
    to[i]?.setAttribute('style', PAINT.map(name => `${name}:${style.getPropertyValue(name)}`).join(';'))
  })
  return copy.innerHTML
}

const DRAWN =
  'canvas, svg, h3, .chart-what, .chart-figure, .chart-badge, .chart-sentence, .legend-swatch, .legend-steps i, .legend-item, .legend:not(:has(*)), .plot-end-note'
/** Free margin around the picture, px: tick labels reach beyond their column. */
const MARGIN = 16

interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

function partOf(element: Element, { x, y, w, h }: Place): string {
  if (element instanceof HTMLCanvasElement) return `<image x="${x}" y="${y}" width="${w}" height="${h}" href="${element.toDataURL()}"/>`
  if (element instanceof SVGSVGElement) return `<svg x="${x}" y="${y}" width="${w}" height="${h}" overflow="visible">${styled(element)}</svg>`
  const style = getComputedStyle(element)
  if (element.tagName === 'I') {
    const dashed = style.borderTopStyle === 'dashed'
    const line = `<line x1="${x}" x2="${x + w}" y1="${y + h / 2}" y2="${y + h / 2}" stroke="${style.borderTopColor}" stroke-width="1.5" stroke-dasharray="3 2"/>`
    const edge = style.borderTopStyle === 'solid' ? ` stroke="${style.borderTopColor}"` : ''
    return dashed
      ? line
      : `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${style.backgroundImage === 'none' ? style.backgroundColor : style.getPropertyValue('--swatch')}"${edge}/>`
  }
  const font = escaped(`font:${style.fontWeight} ${style.fontSize} ${style.fontFamily}`)
  const swatches = [...element.querySelectorAll('.legend-swatch, .legend-steps')].reduce(
    (sum, swatch) => sum + swatch.getBoundingClientRect().width + 4,
    0,
  )
  const size = Number.parseFloat(style.fontSize)
  const line = Number.parseFloat(style.lineHeight) || size * 1.3
  const lines = wrap(element.textContent ?? '', Math.max(1, Math.ceil((w + 1) / (size * 0.45)))).split('\n')
  const spans = lines.map(
    (text, i) =>
      `<tspan x="${element.matches('.chart-badge') ? x + w / 2 - size * 0.33 : x + swatches}" y="${y + (h - lines.length * line) / 2 + i * line + line * 0.75}">${escaped(text)}</tspan>`,
  )
  const ground = element.matches('.chart-badge') ? `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="3" fill="${style.backgroundColor}"/>` : ''
  return `${ground}<text fill="${style.color}" style="${font}">${spans.join('')}</text>`
}

/** What is on the screen now, without cursor and buttons; with the time axis of its group below it. */
export function pictureOf(section: HTMLElement): Picture {
  section.classList.add('chart-export')
  const frame = section.getBoundingClientRect()
  const parts: string[] = []
  const add = (root: Element, top: number, selector: string) => {
    for (const element of root.querySelectorAll(selector)) {
      const box = element.getBoundingClientRect()
      if (box.width === 0 || element.closest('.chart-menu, .chart-tools') !== null) continue
      parts.push(partOf(element, { x: box.left - frame.left + MARGIN, y: box.top - top + MARGIN, w: box.width, h: box.height }))
    }
  }
  add(section, frame.top, DRAWN)
  const axis =
    section.querySelector('.time-axis') === null && section.querySelector('.plot') !== null
      ? section.closest('.charts-group')?.querySelector('.time-axis')
      : undefined
  if (axis) add(axis, axis.getBoundingClientRect().top - frame.height, 'svg, .time-axis-unit')
  const [width, height] = [Math.ceil(frame.width) + 2 * MARGIN, Math.ceil(frame.height + (axis?.getBoundingClientRect().height ?? 0)) + 2 * MARGIN]
  section.classList.remove('chart-export')
  const ground = getComputedStyle(document.documentElement).getPropertyValue('--surface').trim()
  const source = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${ground}"/>${parts.join('')}</svg>`
  return { source, width, height }
}

/** At twice the size, for dense screens and print. */
export async function rasterize({ source, width, height }: Picture): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * 2
  canvas.height = height * 2
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((done, fail) => canvas.toBlob(blob => (blob ? done(blob) : fail(new Error('The picture could not be encoded'))), 'image/png'))
}
