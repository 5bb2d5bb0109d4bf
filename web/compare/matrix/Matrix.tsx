/** One metric of all runs across label dimensions, as bug reports print it. */
import { type RefObject, useRef } from 'react'
import { pictureOf, rasterize } from '../../charts/picture/picture'
import { WHY_UNRELIABLE } from '../../charts/shared/answers/lost'
import { deviceName } from '../../charts/shared/answers/names'
import { listed } from '../../charts/shared/answers/shown'
import { CopyButton } from '../../charts/shared/menu/CopyButton'
import { fileName, saveFile } from '../../charts/shared/menu/files'
import { explained } from '../../engine/findings'
import type { MatrixFigure } from '../../engine/protocol'
import { measuredAt } from '../../lib/docs'
import { counted } from '../../lib/format'
import { deviceOf } from '../../state/filter'
import type { ComparedRuns, MatrixLayout, Run } from '../../state/types'
import { quickFigures } from './layout'
import { AsText, Sweeps } from './MatrixParts'
import { MatrixTable } from './MatrixTable'
import { fillCells, thresholdsOf } from './matrix'
import { asCsv, asText, asTsv, type MatrixView, nameOfBase, sweepLines } from './matrixText'
import './matrix.css'
import { scaleIn } from '../scale'
import { significantFrom, VERDICT_MARKS, VERDICTS, verdictInWords } from '../verdicts'
import { type MatrixInput, useArrangement, useMatrixFigures } from './useMatrix'

interface MatrixActions {
  setMatrix(layout: MatrixLayout): void
  /** Opens these runs alone, the first as baseline. */
  lookAt(runs: readonly string[]): void
  editLabels(): void
}

interface MatrixProps extends MatrixInput {
  readonly actions: MatrixActions
  /** Title of the comparison; names saved files. */
  readonly title: string
  readonly compared?: ComparedRuns | undefined
}

export function Matrix(props: MatrixProps) {
  const { layout, actions, title, compared } = props
  const section = useRef<HTMLElement>(null)
  const { figures: matrixFigures, error } = useMatrixFigures(useArrangement(props), compared)
  if (error) {
    return (
      <p className="matrix-empty">
        There is no matrix: {error.message} {error.remedy} <code>{error.code}</code>
      </p>
    )
  }
  const figures = matrixFigures?.answer.figures ?? []
  const quick = quickFigures(figures)
  const figure = figures.find(f => f.key === layout.figure) ?? figures.find(f => f.key === quick[0]?.key) ?? figures[0]
  if (!matrixFigures || !figure) return <p className="matrix-empty">Figures appear once a trace is read.</p>
  const { readable: readRuns, axes, base, filling } = matrixFigures
  const matrix = fillCells(filling, figure)
  const scale = scaleIn(figure.notation)
  const view: MatrixView = { matrix, axes, figure, scale, base }
  const choose = (key: string) => actions.setMatrix({ figure: key })
  return (
    <section ref={section} className="matrix" aria-labelledby="matrix-title">
      <header className="matrix-head">
        <h2 id="matrix-title">
          {figure.label}
          {scale.unit !== '' && <small>{scale.unit}</small>}
        </h2>
        <fieldset className="segments" aria-label="Figure">
          {quick.map(({ key, name }) => (
            <button key={key} type="button" aria-pressed={key === figure.key} onClick={() => choose(key)}>
              {name}
            </button>
          ))}
        </fieldset>
        <FigureChoice figures={figures} figure={figure} choose={choose} />
        <MatrixTools view={view} title={title} section={section} />
      </header>
      <MatrixTable view={view} lookAt={actions.lookAt} />
      <p className="matrix-legend">
        Bars start at 0 and share one scale. <Legend view={view} figure={figure} differences />{' '}
        {devicesInWords(readRuns, figure)}
      </p>
      {base && <Sweeps base={nameOfBase(view, base)} lines={sweepLines(view, base)} />}
      <div className="matrix-below">
        <AsText view={view} />
        <section aria-label="Reliability">
          <h3>Reliability</h3>
          <Reliability view={view} runs={readRuns} figure={figure} />
          <p>
            <button type="button" className="link" onClick={actions.editLabels}>
              Edit labels
            </button>{' '}
            if a run is in the wrong place. {layout.base === 'none' ? 'No baseline is chosen.' : ''}
          </p>
        </section>
      </div>
    </section>
  )
}

interface LegendProps {
  readonly view: MatrixView
  readonly figure: MatrixFigure
  /** Set when the page also has a table of differences, which explains noise. */
  readonly differences?: true
}

/** Explains the marks and colours that occur in the matrix. */
export function Legend({ view: { matrix, base }, figure, differences }: LegendProps) {
  const cells = matrix.cells.flat()
  const verdicts = new Set(cells.flatMap(cell => cell?.change?.verdict ?? []))
  const marks = VERDICTS.filter(verdict => verdicts.has(verdict)).map(
    verdict => `${VERDICT_MARKS[verdict]} ${verdictInWords(verdict)}`,
  )
  const significant = significantFrom(thresholdsOf(figure), { unit: figure.unit })
  const sameVerdicts = differences ? ': the same verdicts as in the table of differences' : ''
  return (
    <>
      {base && 'Dotted line: the baseline. '}
      {cells.some(cell => (cell?.n ?? 0) > 1) && 'Whisker: minimum to maximum of the runs of a cell. '}
      {marks.length > 0 && `${marks.join(', ')}; ${significant}${sameVerdicts}. `}
      {marks.length > 0 && (
        <a href={explained('how-noise-is-judged')} target="_blank" rel="noopener">
          How noise is judged
        </a>
      )}
    </>
  )
}

interface FigureChoiceProps {
  readonly figures: readonly MatrixFigure[]
  readonly figure: MatrixFigure
  choose(key: string): void
}

export function FigureChoice({ figures, figure, choose }: FigureChoiceProps) {
  const options = (application: boolean) =>
    figures
      .filter(f => f.application === application)
      .map(({ key, label }) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))
  return (
    <select className="field" aria-label="Any figure" value={figure.key} onChange={event => choose(event.target.value)}>
      {figures.some(f => f.application) && <optgroup label="What the application saw">{options(true)}</optgroup>}
      {figures.some(f => !f.application) && <optgroup label="What the disk saw">{options(false)}</optgroup>}
    </select>
  )
}

interface MatrixToolsProps {
  readonly view: MatrixView
  readonly title: string
  readonly section: RefObject<HTMLElement | null>
}

export function MatrixTools({ view, title, section }: MatrixToolsProps) {
  const name = fileName(title, 'matrix', view.figure.key)
  const save = () => saveFile(`${name}.csv`, new Blob([asCsv(view)], { type: 'text/csv' }))
  const picture = async (kind: 'svg' | 'png') => {
    if (!section.current) return
    const svg = pictureOf(section.current, { title, runs: [] })
    saveFile(
      `${name}.${kind}`,
      kind === 'png' ? await rasterize(svg) : new Blob([svg.source], { type: 'image/svg+xml' }),
    )
  }
  return (
    <span className="matrix-tools">
      <CopyButton label="Copy as text" text={() => asText(view)} />
      <CopyButton label="Copy as TSV" text={() => asTsv(view)} />
      <button type="button" className="button" onClick={save}>
        CSV
      </button>
      {(['png', 'svg'] as const).map(kind => (
        <button key={kind} type="button" className="button" onClick={() => picture(kind)}>
          {kind.toUpperCase()}
        </button>
      ))}
    </span>
  )
}

/** `Device vda in all runs.`; benchmarks name none. */
function devicesInWords(runs: readonly Run[], figure: MatrixFigure): string {
  if (figure.application) return 'As reported by each run’s benchmark.'
  const lettersByDevice = new Map<string, string[]>()
  for (const run of runs) {
    const name = deviceName(deviceOf(run)?.dev ?? '', run)
    lettersByDevice.set(name, [...(lettersByDevice.get(name) ?? []), run.letter])
  }
  const [first] = lettersByDevice
  if (lettersByDevice.size === 1 && first) return `Device ${first[0]} in all runs.`
  return `Devices: ${[...lettersByDevice].map(([name, letters]) => `${name} in ${listed(letters)}`).join('; ')}.`
}

interface ReliabilityProps {
  readonly view: MatrixView
  readonly runs: readonly Run[]
  readonly figure: MatrixFigure
}

/** Number of runs per cell, and missing values. */
function Reliability({ view, runs, figure }: ReliabilityProps) {
  const cells = view.matrix.cells.flat()
  const maxRuns = Math.max(0, ...cells.map(cell => cell?.runs.length ?? 0))
  const empty = cells.filter(cell => cell === undefined).length
  const runsWithout = cells.flatMap(cell => cell?.runs.filter(run => run.value === undefined) ?? [])
  const reading = runsWithout.filter(
    run => runs.find(r => r.id === run.id)?.summary === undefined && !figure.application,
  )
  const lacking = runsWithout.filter(run => !reading.includes(run))
  const unreliable = cells.flatMap(cell => cell?.runs.filter(run => run.unreliable) ?? [])
  const letters = (group: readonly { readonly letter: string }[]) => listed(group.map(run => run.letter))
  return (
    <p>
      {maxRuns > 1
        ? 'Cells with several runs show their mean, ± standard deviation, and number of runs. '
        : 'One run per cell: the variation between runs is unknown. Add repeated runs to get a mean with its spread. '}
      {empty > 0 && `${counted(empty, 'cell has', 'cells have')} no run. `}
      {reading.length > 0 && `Still reading: ${letters(reading)}. `}
      {lacking.length > 0 && `Without this figure: ${letters(lacking)}. `}
      {unreliable.length > 0 && `† Unreliable in ${letters(unreliable)}: ${WHY_UNRELIABLE}. `}
      <a href={measuredAt(figure.application ? 'what-the-application-saw' : 'figures')} target="_blank" rel="noopener">
        How this is measured
      </a>
    </p>
  )
}
