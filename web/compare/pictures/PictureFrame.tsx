/** A picture of results with its head: title, how to read it, its forms, and the menu of all charts. */
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useRef, useState } from 'react'
import '../../charts/chart.css'
import { createRuler } from '../../charts/picture/page'
import type { Tips } from '../../charts/shared/frame/tips'
import { useWidth } from '../../charts/shared/frame/useWidth'
import { ChartMenu } from '../../charts/shared/menu/ChartMenu'
import { runToken } from '../../charts/shared/paint/palette'
import { FONT_SIZE, type Mark, type MeasureText, type PictureDrawing } from './marks'
import { captionOf, tableOf, titleOf, wordsOf } from './pictureWords'
import type { ResultPicture } from './shape'
import './pictures.css'

export interface PictureForm {
  readonly name: string
  choose(): void
}

interface PictureFrameProps {
  readonly picture: ResultPicture
  readonly forms: readonly PictureForm[]
  /** Name of the shown form, one of `forms`. */
  readonly form: string
  readonly draw: (width: number, measure: MeasureText) => PictureDrawing
  readonly tips: Tips
}

/** Measures text in the font of this page. */
function measureOf(): MeasureText {
  const ruler = createRuler()
  const family = getComputedStyle(document.documentElement).getPropertyValue('--font-ui')
  return (text, isBold = false) => {
    ruler.set(`${isBold ? 600 : 400} ${FONT_SIZE}px ${family}`)
    return ruler.width(text)
  }
}

export function PictureFrame({ picture, forms, form, draw, tips }: PictureFrameProps) {
  const section = useRef<HTMLElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const width = Math.floor(useWidth(box))
  const measure = useMemo(measureOf, [])
  const id = useId()
  const title = titleOf(picture)
  const words = wordsOf(picture)
  return (
    <section ref={section} className="result-picture" aria-labelledby={id}>
      <header>
        <h3 id={id}>{title}</h3>
        {forms.length > 1 && (
          <fieldset className="segments" aria-label={`Form of ${title}`}>
            {forms.map(({ name, choose }) => (
              <button key={name} type="button" aria-pressed={name === form} onClick={choose}>
                {name}
              </button>
            ))}
          </fieldset>
        )}
        <ChartMenu title={title} words={words} table={() => tableOf(picture)} section={section} />
        <p>{captionOf(picture)}</p>
      </header>
      <div ref={box} className="result-picture-plot">
        {width > 0 && <Drawn drawing={draw(width, measure)} words={[title, ...words].join(' ')} tips={tips} />}
      </div>
    </section>
  )
}

interface DrawnProps {
  readonly drawing: PictureDrawing
  readonly words: string
  readonly tips: Tips
}

/**
 * The drawn picture. Pointer and arrow keys move from target to target; a tooltip shows the values of the current
 * one.
 */
function Drawn({ drawing: { width, height, marks, targets }, words, tips }: DrawnProps) {
  const [shown, setShown] = useState<number>()
  const target = shown === undefined ? undefined : targets[shown]
  const show = (index: number | undefined, place?: { readonly x: number; readonly y: number }) => {
    const next = index === undefined ? undefined : targets[index]
    setShown(next && index)
    tips.show(next && place ? { tip: next.tip, ...place } : undefined)
  }
  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const frame = event.currentTarget.getBoundingClientRect()
    const [x, y] = [event.clientX - frame.left, event.clientY - frame.top]
    const index = targets.findIndex(t => x >= t.x && x < t.x + t.w && y >= t.y && y < t.y + t.h)
    show(index < 0 ? undefined : index, { x: event.clientX, y: event.clientY })
  }
  const onKey = (event: KeyboardEvent<SVGSVGElement>) => {
    const last = targets.length - 1
    const places: Readonly<Record<string, number | undefined>> = {
      ArrowRight: Math.min(last, (shown ?? -1) + 1),
      ArrowDown: Math.min(last, (shown ?? -1) + 1),
      ArrowLeft: Math.max(0, (shown ?? last + 1) - 1),
      ArrowUp: Math.max(0, (shown ?? last + 1) - 1),
      Home: 0,
      End: last,
    }
    if (event.key === 'Escape' && shown !== undefined) show(undefined)
    else {
      const index = places[event.key]
      const next = index === undefined ? undefined : targets[index]
      if (!next) return
      const frame = event.currentTarget.getBoundingClientRect()
      show(index, { x: frame.left + next.x + next.w / 2, y: frame.top + next.y + next.h / 2 })
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={words}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its values
      tabIndex={0}
      onPointerMove={onMove}
      onPointerLeave={() => show(undefined)}
      onKeyDown={onKey}
      onBlur={() => show(undefined)}
    >
      {marks.map((mark, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: marks have no other identity
        <DrawnMark key={i} mark={mark} />
      ))}
      {target && (
        <rect className="result-picture-target" x={target.x} y={target.y} width={target.w} height={target.h} />
      )}
    </svg>
  )
}

const colour = (token: string): string => `var(--${token})`

const pathOf = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

function DrawnMark({ mark }: { readonly mark: Mark }) {
  switch (mark.kind) {
    case 'box':
      return <rect x={mark.x} y={mark.y} width={mark.w} height={mark.h} fill={colour(mark.token)} />
    case 'area':
      return <path d={pathOf(mark.points)} fill={colour(mark.token)} fillOpacity={mark.opacity} />
    case 'line': {
      const dash = mark.isDotted ? '2 2' : mark.dashOf === undefined ? 'none' : colour(`${runToken(mark.dashOf)}-dash`)
      return (
        <path
          d={mark.paths.map(pathOf).join('')}
          fill="none"
          stroke={colour(mark.token)}
          strokeWidth={mark.width}
          strokeDasharray={dash}
        />
      )
    }
    case 'text':
      return (
        <text
          x={mark.x}
          y={mark.y}
          fill={colour(mark.token)}
          textAnchor={mark.anchor ?? 'start'}
          fontWeight={mark.isBold ? 600 : 400}
        >
          {mark.text}
        </text>
      )
  }
}
