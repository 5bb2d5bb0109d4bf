/**
 * The line above a plot: title, caption, controls, legend, figure at the right end. Its height and the places of its
 * parts never change under the pointer. Where it is narrow, parts give way in one order (`givingWay.ts`).
 */
import { type ReactNode, useRef } from 'react'
import { useGivingWay } from './givingWay'

/** What the chart is, in the first column. */
export interface HeadName {
  /** Id of the title. */
  readonly id: string
  readonly title: string
  /** The axis, with unit and bin. */
  readonly what: string
  readonly controls: ReactNode
}

interface ChartHeadProps {
  readonly name?: HeadName | undefined
  /** Which run of a group is shown. */
  readonly step?: ReactNode
  readonly legend?: ReactNode
  readonly figure?: ReactNode
  readonly style?: React.CSSProperties
}

/** Id of the caption: what describes the chart, also where there is no room for it. */
export const captionId = (id: string): string => `${id}-what`

export function ChartHead({ name, step, legend, figure, style }: ChartHeadProps) {
  const head = useRef<HTMLElement>(null)
  useGivingWay(head)
  return (
    <header ref={head} className="chart-head" style={style}>
      {name && (
        <>
          <h3 id={name.id} title={name.what || undefined}>
            {name.title}
          </h3>
          {name.what !== '' && (
            <span className="chart-what" id={captionId(name.id)} title={name.what}>
              {name.what}
            </span>
          )}
          <span className="chart-controls">{name.controls}</span>
        </>
      )}
      {step && <span className="chart-step">{step}</span>}
      {legend && <span className="chart-legend">{legend}</span>}
      {figure && <span className="chart-figure">{figure}</span>}
    </header>
  )
}
