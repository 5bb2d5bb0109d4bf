/**
 * Annotations in a plot with a time axis: a line or a range, and a flag with the number; in the seek map also the
 * sector.
 */

import { useMemo } from 'react'
import { seconds } from '../../../lib/format'
import type { NumberedAnnotation } from '../../../state/annotations/annotations'
import type { ChartFrame, Shown } from '../answers/shown'
import { xOf } from '../paint/viewport'

/** Side of a flag, px. */
const FLAG = 15

export interface PlacedAnnotation {
  readonly annotation: NumberedAnnotation
  readonly x: number
  /** x of the end of a range. */
  readonly end: number | undefined
  /** Line of the flag: flags that would overlap are one below the other. */
  readonly row: number
}

/** Those in sight, in the order of time. */
function placedAnnotations(
  { annotations, view: { range }, plotWidth }: ChartFrame,
  runs: readonly Shown[],
): readonly PlacedAnnotation[] {
  const x = xOf(range, plotWidth)
  const annotationsOfRun = annotations
    .flatMap(annotation => {
      const run = runs.find(({ id }) => id === annotation.run)
      const shift = run?.shift ?? 0
      return run
        ? [
            {
              annotation,
              x: x(annotation.at + shift),
              end: annotation.to === undefined ? undefined : x(annotation.to + shift),
            },
          ]
        : []
    })
    .filter(({ x: from, end = from }) => end >= 0 && from <= plotWidth)
    .toSorted((a, b) => a.x - b.x)
  const ends: number[] = []
  return annotationsOfRun.map(place => {
    const left = Math.max(0, place.x)
    const free = ends.findIndex(end => end <= left)
    const row = free < 0 ? ends.length : free
    ends[row] = left + FLAG + 2
    return { ...place, row }
  })
}

export const usePlacedAnnotations = (frame: ChartFrame, runs: readonly Shown[]): readonly PlacedAnnotation[] =>
  useMemo(() => placedAnnotations(frame, runs), [frame, runs])

export interface AnnotationMarksProps {
  readonly placed: readonly PlacedAnnotation[]
  readonly width: number
  readonly height: number
  /** y of a sector; only where the value axis has sectors. */
  readonly sectorY?: ((lba: number) => number | undefined) | undefined
  readonly show: (id: number) => void
}

export function AnnotationMarks({ placed, width, height, sectorY, show }: AnnotationMarksProps) {
  const rows = Math.max(1, Math.floor(height / (FLAG + 1)))
  return (
    <g className="plot-annotations">
      {placed.map(({ annotation: { id, number, lba, theirs }, x, end, row }) => {
        const left = Math.min(Math.max(0, x), width - FLAG)
        const top = (row % rows) * (FLAG + 1)
        const y = lba === undefined ? undefined : sectorY?.(lba)
        return (
          <g key={id} data-annotation={id} data-theirs={theirs ?? false}>
            {end === undefined ? (
              <line x1={x} x2={x} y1={0} y2={height} />
            ) : (
              <rect className="plot-annotation-range" x={x} y={0} width={Math.max(1, end - x)} height={height} />
            )}
            {y !== undefined && end === undefined && (
              <path className="plot-annotation-place" d={`M${x} ${y - 6}l6 6l-6 6l-6 -6z`} />
            )}
            {y !== undefined && end !== undefined && (
              <line className="plot-annotation-sector" x1={x} x2={end} y1={y} y2={y} />
            )}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the list of annotations has the same for keys */}
            <g className="plot-annotation-flag" transform={`translate(${left} ${top})`} onClick={() => show(id)}>
              <rect width={FLAG} height={FLAG} rx={theirs ? FLAG / 2 : 2} />
              <text x={FLAG / 2} y={FLAG / 2} dy="0.34em" textAnchor="middle">
                {number}
              </text>
            </g>
          </g>
        )
      })}
    </g>
  )
}

const MAX_SHOWN = 120

/** The annotation under the pointer, as a row of a tip. */
export function annotationRow(placed: readonly PlacedAnnotation[], x: number): readonly string[] | undefined {
  const near = placed.find(place =>
    place.end === undefined
      ? x >= place.x - 3 && x <= place.x + FLAG
      : x >= place.x && x <= Math.max(place.end, place.x + FLAG),
  )
  if (near === undefined) return undefined
  const { number, text } = near.annotation
  return [`${number}`, text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\u2026` : text]
}

/** The annotations of a plot in words for screen readers. */
export const annotationWords = (placed: readonly PlacedAnnotation[]): string =>
  placed.length === 0
    ? ''
    : ` Annotations here: ${placed.map(({ annotation: { number, at: time } }) => `${number} at ${seconds(time, 3)} s`).join(', ')}.`
