/**
 * A part of the page as SVG: boxes, texts, SVG and canvases where they stand, with the look that the page gives them.
 */
import { resolveColour } from '../shared/paint/theme'
import { canvasMarkup } from './canvas'
import { escaped } from './svgSurface'

/** What belongs to the page and not to the picture. */
const LEFT_OUT = [
  ...[
    '.chart-menu',
    '.menu-list',
    '.menu-notice',
    '.chart-controls',
    '.plot-over',
    '.plot-outline',
    '.matrix-tools',
    '.matrix-below',
    '.segments',
    '.visually-hidden',
  ],
  ...['[hidden]', 'dialog', 'button:not(.matrix-cell, .legend-filter)', 'select', 'input'],
].join()

/** Presentation attributes: the page's policy forbids `style`. */
const PAINTED = [
  ...[
    'fill',
    'fill-opacity',
    'stroke',
    'stroke-width',
    'stroke-dasharray',
    'stroke-opacity',
    'opacity',
    'paint-order',
    'vector-effect',
  ],
  ...['display', 'visibility', 'text-anchor', 'font-family', 'font-size', 'font-weight'],
] as const

interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

function svgMarkup(svg: SVGSVGElement, { x, y, w, h }: Place): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const [from, to] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')]
  from.forEach((element, i) => {
    const style = getComputedStyle(element)
    for (const name of PAINTED) to[i]?.setAttribute(name, style.getPropertyValue(name))
  })
  for (const element of [copy, ...to])
    for (const name of ['class', 'style', 'aria-hidden']) element.removeAttribute(name)
  for (const [name, value] of Object.entries({ x, y, width: w, height: h, overflow: 'visible' }))
    copy.setAttribute(name, String(value))
  return new XMLSerializer().serializeToString(copy)
}

const seen = (colour: string): boolean => colour !== 'transparent' && !/rgba\(.*, 0\)$|\/ 0\)$/.test(colour)

/** Whether a part of a head is out of its line. */
const gaveWay = ({ clipPath }: CSSStyleDeclaration): boolean => clipPath.startsWith('inset(50%')

/** Ground and borders of a box. */
function boxMarkup(element: Element, style: CSSStyleDeclaration, { x, y, w, h }: Place): string {
  const parts: string[] = []
  const swatch =
    style.backgroundImage === 'none'
      ? style.backgroundColor
      : resolveColour(style.getPropertyValue('--swatch')) || 'transparent'
  const radius = Number.parseFloat(style.borderTopLeftRadius) || 0
  if (seen(swatch) && w > 0 && h > 0)
    parts.push(`<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${radius}" fill="${escaped(swatch)}"/>`)
  const sides = [
    ['Top', x, y, x + w, y],
    ['Bottom', x, y + h, x + w, y + h],
    ['Left', x, y, x, y + h],
    ['Right', x + w, y, x + w, y + h],
  ] as const
  for (const [side, x1, y1, x2, y2] of sides) {
    const width = Number.parseFloat(style[`border${side}Width`])
    const [kind, colour] = [style[`border${side}Style`], style[`border${side}Color`]]
    if (kind === 'none' || !(width > 0) || !seen(colour) || element.tagName === 'DIALOG') continue
    const dash = kind === 'dashed' ? ' stroke-dasharray="3 2"' : kind === 'dotted' ? ' stroke-dasharray="1.5 2"' : ''
    parts.push(
      `<line x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}" stroke="${escaped(colour)}" stroke-width="${width}"${dash}/>`,
    )
  }
  return parts.join('')
}

/** Widths and heights of letters. */
export function createRuler() {
  const context = document.createElement('canvas').getContext('2d')
  return {
    set(font: string) {
      if (context) context.font = font
    },
    width: (text: string): number => context?.measureText(text).width ?? text.length * 7,
    /** Distance from the top of a line's box to its baseline. */
    ascent: (): number => context?.measureText('x').fontBoundingBoxAscent ?? 11,
  }
}

type Ruler = ReturnType<typeof createRuler>

/** Right edge of what can be seen of a text, where an element around it cuts it off. */
function edgeOf(element: Element, root: Element): number {
  let edge = Number.POSITIVE_INFINITY
  for (
    let ancestor: Element | null = element;
    ancestor !== null && root.contains(ancestor);
    ancestor = ancestor.parentElement
  ) {
    if (/hidden|clip/.test(getComputedStyle(ancestor).overflowX))
      edge = Math.min(edge, ancestor.getBoundingClientRect().right)
  }
  return edge
}

/** The lines of a text as the page breaks them; one that does not fit ends in an ellipsis. */
function textMarkup(
  node: Text,
  parent: Element,
  root: Element,
  ruler: Ruler,
  origin: { readonly x: number; readonly y: number },
): string {
  const style = getComputedStyle(parent)
  ruler.set(`${style.fontWeight} ${style.fontSize} ${style.fontFamily}`)
  const room = ruler.width(' ') * 1.6
  const lines: { text: string; left: number; top: number; right: number }[] = []
  const range = document.createRange()
  for (const word of node.data.matchAll(/\S+/g)) {
    range.setStart(node, word.index)
    range.setEnd(node, word.index + word[0].length)
    const rect = range.getBoundingClientRect()
    const line = lines.at(-1)
    if (rect.width === 0) continue
    // Words far from each other are columns.
    if (line && Math.abs(line.top - rect.top) < 2 && rect.left - line.right < room) {
      line.text += ` ${word[0]}`
      line.right = rect.right
    } else lines.push({ text: word[0], left: rect.left, top: rect.top, right: rect.right })
  }
  if (lines.length === 0) return ''
  const ascent = ruler.ascent()
  const edge = edgeOf(parent, root)
  const look = `fill="${escaped(style.color)}" font-family="${escaped(style.fontFamily)}" font-size="${style.fontSize}" font-weight="${style.fontWeight}"`
  const texts = lines.map(line => {
    let { text } = line
    if (line.right > edge + 1) {
      while (text.length > 1 && line.left + ruler.width(`${text}…`) > edge) text = text.slice(0, -1)
      text = text.length > 1 ? `${text.trimEnd()}…` : ''
    }
    const shown = style.textTransform === 'uppercase' ? text.toUpperCase() : text
    return `<text x="${(line.left - origin.x).toFixed(1)}" y="${(line.top + ascent - origin.y).toFixed(1)}" ${look}>${escaped(shown)}</text>`
  })
  return texts.join('')
}

export interface Markup {
  readonly markup: string
  /** Right and lower end of what is in it. */
  readonly width: number
  readonly height: number
}

/** Everything in `root`, with the page's point `origin` at 0, 0. `id` keeps names in one document apart. */
export function pageMarkup(root: Element, origin: { readonly x: number; readonly y: number }, id: string): Markup {
  const out: string[] = []
  const ruler = createRuler()
  let canvases = 0
  let [width, height] = [0, 0]
  const visit = (element: Element) => {
    if (element.matches(LEFT_OUT)) return
    const style = getComputedStyle(element)
    if (style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0' || gaveWay(style)) return
    const rect = element.getBoundingClientRect()
    const place = { x: rect.left - origin.x, y: rect.top - origin.y, w: rect.width, h: rect.height }
    width = Math.max(width, place.x + place.w)
    // The root may be stretched beyond what is in it.
    if (element !== root) height = Math.max(height, place.y + place.h)
    if (element instanceof SVGSVGElement) {
      if (rect.width > 0) out.push(svgMarkup(element, place))
      return
    }
    if (element instanceof HTMLCanvasElement) {
      canvases += 1
      const inside = canvasMarkup(element, rect.width, rect.height, `${id}-${canvases}`)
      out.push(`<svg x="${place.x}" y="${place.y}" width="${place.w}" height="${place.h}">${inside}</svg>`)
      return
    }
    out.push(boxMarkup(element, style, place))
    for (const child of element.childNodes) {
      if (child instanceof Element) visit(child)
      else if (child instanceof Text) out.push(textMarkup(child, element, root, ruler, origin))
    }
  }
  visit(root)
  return { markup: out.join(''), width, height }
}
