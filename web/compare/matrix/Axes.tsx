/**
 * Which dimensions are the rows and columns of a matrix, and the base of changes: the same controls for traces and for
 * results without one.
 */
import type { ReactNode } from 'react'
import type { MatrixLayout } from '../../state/types'
import './axes.css'
import type { MatrixAxes, MatrixAxis } from '../../engine/protocol'
import { moveAxis } from './layout'
import type { MatrixArrangement, MatrixBase, MatrixLine } from './matrix'
import { nameOf } from './matrixText'

const PLACES = ['rows', 'columns', 'averaged'] as const satisfies readonly (keyof MatrixAxes)[]

/** Key of the complete label, which is left out instead of averaged. */
const LABEL = 'label'

interface DimensionsProps {
  readonly legend: string
  readonly dimensions: readonly MatrixAxis[]
  readonly axes: MatrixAxes
  readonly children?: ReactNode
  setAxes(axes: Pick<MatrixLayout, 'rows' | 'columns'>): void
}

export function Dimensions({ legend, dimensions, axes, setAxes, children }: DimensionsProps) {
  const placeOf = (axis: MatrixAxis) =>
    PLACES.find(place => axes[place].some(candidate => candidate.key === axis.key)) ?? 'averaged'
  return (
    <fieldset className="axes">
      <legend>{legend}</legend>
      {dimensions.map(axis => (
        <label key={axis.key} className="axes-part">
          <span title={axis.name}>{axis.name}</span>
          <select
            className="field"
            value={placeOf(axis)}
            onChange={event => setAxes(moveAxis(axes, axis.key, event.target.value as keyof MatrixAxes))}
          >
            {PLACES.map(place => (
              <option key={place} value={place}>
                {axis.key === LABEL && place === 'averaged' ? 'left out' : place}
              </option>
            ))}
          </select>
        </label>
      ))}
      <p className="caption">Runs that differ only in averaged dimensions share a cell.</p>
      {children}
    </fieldset>
  )
}

const NO_BASE = 'none'

/** Lines that are offered as the base: a list of thousands takes longer to make than the table. */
const MAX_OFFERED = 200

const offered = (lines: readonly MatrixLine[], chosen: string | undefined): readonly MatrixLine[] =>
  lines.filter((line, i) => i < MAX_OFFERED || line.key === chosen)

interface BaseChoiceProps {
  readonly lines: Pick<MatrixArrangement, 'rows' | 'columns'>
  readonly axes: MatrixAxes
  readonly base: MatrixBase | undefined
  setBase(base: NonNullable<MatrixLayout['base']>): void
}

export function BaseChoice({ lines, axes, base, setBase }: BaseChoiceProps) {
  const sides = [
    ['row', 'rows'],
    ['column', 'columns'],
  ] as const
  return (
    <fieldset className="axes">
      <legend>Baseline</legend>
      <select
        className="field"
        aria-label="Baseline of changes"
        value={base ? `${base.axis}:${base.key}` : NO_BASE}
        onChange={event => {
          const { value } = event.target
          const [axis, ...key] = value.split(':')
          setBase(value === NO_BASE ? NO_BASE : { axis: axis === 'row' ? 'row' : 'column', key: key.join(':') })
        }}
      >
        <option value={NO_BASE}>no baseline</option>
        {sides.map(
          ([axis, place]) =>
            lines[place].length > 1 && (
              <optgroup key={axis} label={place}>
                {offered(lines[place], base?.key).map(line => (
                  <option key={line.key} value={`${axis}:${line.key}`}>
                    {nameOf(line, axes[place])}
                  </option>
                ))}
              </optgroup>
            ),
        )}
      </select>
    </fieldset>
  )
}
