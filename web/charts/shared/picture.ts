/** A row of charts as one SVG: canvases become images, SVG and labels keep their computed look. PNG is that SVG, rasterized. */

export interface Picture {
  readonly source: string
  readonly width: number
  readonly height: number
}

const PAINT = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-family', 'font-size', 'font-weight', 'paint-order'] as const
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

/** What is on the screen now, without the pointer's cursor and without buttons. */
export function pictureOf(section: HTMLElement): Picture {
  const frame = section.getBoundingClientRect()
  const [width, height] = [Math.ceil(frame.width), Math.ceil(frame.height)]
  const parts: string[] = []
  const place = (element: Element) => {
    const box = element.getBoundingClientRect()
    return { x: box.left - frame.left, y: box.top - frame.top, w: box.width, h: box.height }
  }
  for (const element of section.querySelectorAll('canvas, svg, h3, .chart-what, .chart-figure, .legend-item, .plot-end-note')) {
    const { x, y, w, h } = place(element)
    if (w === 0 || element.closest('.chart-menu') !== null) continue
    if (element instanceof HTMLCanvasElement) {
      parts.push(`<image x="${x}" y="${y}" width="${w}" height="${h}" href="${element.toDataURL()}"/>`)
    } else if (element instanceof SVGSVGElement) {
      parts.push(`<svg x="${x}" y="${y}" width="${w}" height="${h}">${styled(element)}</svg>`)
    } else {
      const style = getComputedStyle(element)
      const text = `font:${style.fontWeight} ${style.fontSize} ${escaped(style.fontFamily)}`
      parts.push(`<text x="${x}" y="${y + h - 5}" fill="${style.color}" style="${text}">${escaped(element.textContent ?? '')}</text>`)
    }
  }
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
