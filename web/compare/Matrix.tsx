/** One figure of all runs by parts of their labels, as bug reports print it. */
import { type RefObject, useMemo, useRef, useState } from 'react'
import { pictureOf, rasterize } from '../charts/picture/picture'
import { copyText, fileName, saveFile } from '../charts/shared/files'
import { deviceName } from '../charts/shared/names'
import { listed } from '../charts/shared/shown'
import { measuredAt } from '../lib/docs'
import { counted } from '../lib/format'
import { deviceOf } from '../state/filter'
import type { LabelTable } from '../state/labels'
import type { MatrixLayout, Run } from '../state/types'
import { axesOf, baseOf, type MatrixFigure, matrixFigures, measured, quickFigures } from './layout'
import { MatrixTable } from './MatrixTable'
import { matrixOf, mostOf } from './matrix'
import { asCsv, asText, asTsv, type Printed } from './matrixText'
import './matrix.css'
import { scaleOf } from './scale'

export interface MatrixActions {
  setMatrix(layout: MatrixLayout): void
  /** Shows these runs alone, the first as baseline. */
  lookAt(runs: readonly string[]): void
  editLabels(): void
}

export interface MatrixProps {
  readonly runs: readonly Run[]
  readonly labels: LabelTable
  readonly layout: MatrixLayout
  readonly actions: MatrixActions
  /** Of the comparison: names its files. */
  readonly title: string
}

/** Everything that the matrix and its controls show. */
export function useMatrix({ runs, labels, layout }: Omit<MatrixProps, 'actions' | 'title'>) {
  return useMemo(() => {
    const read = runs.filter(run => run.status.kind !== 'failed')
    const figures = matrixFigures(read)
    const quick = quickFigures(figures)
    const figure = figures.find(f => f.key === layout.figure) ?? figures.find(f => f.key === quick[0]?.key) ?? figures[0]
    const axes = axesOf(labels, layout)
    const matrix = matrixOf(measured(read, labels, axes, figure))
    const base = baseOf(matrix, layout.base, runs.find(run => run.baseline)?.id)
    const scale = scaleOf(figure?.kind ?? 'number', figure?.of, mostOf(matrix))
    return { read, figures, quick, figure, axes, matrix, base, scale }
  }, [runs, labels, layout])
}

export function Matrix(props: MatrixProps) {
  const { layout, actions, title } = props
  const section = useRef<HTMLElement>(null)
  const { read, figures, quick, figure, axes, matrix, base, scale } = useMatrix(props)
  if (!figure) return <p className="matrix-empty">No run has a figure yet.</p>
  const printed: Printed = { matrix, axes, figure, scale, base }
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
        <Tools printed={printed} title={title} section={section} />
      </header>
      <MatrixTable printed={printed} lookAt={actions.lookAt} />
      <p className="matrix-legend">
        Bars start at 0 and share one scale.
        {base && ' Dotted: the base. Filled: worse than the base by more than a tenth; smaller changes have no colour. ▲ worse, ▽ better, ◇ changed.'}
        {matrix.cells.flat().some(cell => (cell?.n ?? 0) > 1) && ' Whisker: least to most run of the cell. ~ the runs of both overlap.'}{' '}
        {devicesInWords(read, figure)}
      </p>
      <div className="matrix-below">
        <section aria-label="The same, as text">
          <h3>The same, as text</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <pre tabIndex={0}>{asText(printed)}</pre>
        </section>
        <section aria-label="How far to trust it">
          <h3>How far to trust it</h3>
          <Trust printed={printed} runs={read} />
          <p>
            <button type="button" className="link" onClick={actions.editLabels}>
              Edit labels
            </button>{' '}
            where a run stands in the wrong place. {layout.base === 'none' ? 'Nothing is set as the base.' : ''}
          </p>
        </section>
      </div>
    </section>
  )
}

interface FigureChoiceProps {
  readonly figures: readonly MatrixFigure[]
  readonly figure: MatrixFigure
  choose(key: string): void
}

function FigureChoice({ figures, figure, choose }: FigureChoiceProps) {
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
      <optgroup label="What the disk saw">{options(false)}</optgroup>
    </select>
  )
}

interface ToolsProps {
  readonly printed: Printed
  readonly title: string
  readonly section: RefObject<HTMLElement | null>
}

function Tools({ printed, title, section }: ToolsProps) {
  const [said, setSaid] = useState<string>()
  const copy = (what: string, text: string) => copyText(text).then(ok => setSaid(ok ? `${what} copied` : 'Not allowed: select and copy'))
  const name = fileName(title, 'matrix', printed.figure.key)
  const save = () => saveFile(`${name}.csv`, new Blob([asCsv(printed)], { type: 'text/csv' }))
  const picture = async (kind: 'svg' | 'png') => {
    if (!section.current) return
    const svg = pictureOf(section.current, { title, runs: [] })
    saveFile(`${name}.${kind}`, kind === 'png' ? await rasterize(svg) : new Blob([svg.source], { type: 'image/svg+xml' }))
  }
  return (
    <span className="matrix-tools">
      <span className="caption" aria-live="polite">
        {said}
      </span>
      <button type="button" className="button" onClick={() => copy('Text', asText(printed))}>
        Copy as text
      </button>
      <button type="button" className="button" onClick={() => copy('TSV', asTsv(printed))}>
        Copy as TSV
      </button>
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

/** `Device vda in all runs.`; nothing of a device for what the application saw. */
function devicesInWords(runs: readonly Run[], figure: MatrixFigure): string {
  if (figure.application) return 'By the word of each run’s benchmark.'
  const by = new Map<string, string[]>()
  for (const run of runs) {
    const name = deviceName(deviceOf(run)?.dev ?? '', run)
    by.set(name, [...(by.get(name) ?? []), run.letter])
  }
  const [first] = by
  if (by.size === 1 && first) return `Device ${first[0]} in all runs.`
  return `Devices: ${[...by].map(([name, letters]) => `${name} in ${listed(letters)}`).join('; ')}.`
}

/** What stands behind the cells, and what is missing. */
function Trust({ printed, runs }: { readonly printed: Printed; readonly runs: readonly Run[] }) {
  const cells = printed.matrix.cells.flat()
  const most = Math.max(0, ...cells.map(cell => cell?.runs.length ?? 0))
  const empty = cells.filter(cell => cell === undefined).length
  const without = cells.flatMap(cell => cell?.runs.filter(run => run.value === undefined) ?? [])
  const reading = without.filter(run => runs.find(r => r.id === run.id)?.summary === undefined && !printed.figure.application)
  const lacking = without.filter(run => !reading.includes(run))
  const spoiled = cells.flatMap(cell => cell?.runs.filter(run => run.spoiled) ?? [])
  const letters = (of: readonly { readonly letter: string }[]) => listed(of.map(run => run.letter))
  return (
    <p>
      {most > 1
        ? 'Several runs in a cell: their mean, ± standard deviation between them, and how many they are. '
        : 'One run per cell: how much differs from run to run is not known. Add more runs of a cell and it becomes their mean with its spread. '}
      {empty > 0 && `${counted(empty, 'cell is', 'cells are')} empty; nothing is filled in for ${empty === 1 ? 'it' : 'them'}. `}
      {reading.length > 0 && `Not read to the end yet: ${letters(reading)}. `}
      {lacking.length > 0 && `Without this figure: ${letters(lacking)}. `}
      {spoiled.length > 0 && `† Events of ${letters(spoiled)} were lost: the figure is wrong there. `}
      <a href={measuredAt(printed.figure.application ? 'what-the-application-saw' : 'figures')} target="_blank" rel="noopener">
        How this is measured
      </a>
    </p>
  )
}
