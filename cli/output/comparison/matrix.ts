/** `seekscope compare --matrix`: the runs in rows and columns by their labels, arranged as on the page. */
import { axesOf, baseOf, placeRuns, quickFigures } from '../../../web/compare/matrix/layout'
import { arrange, cellsOf, type Filling, fillCells, type MatrixBase } from '../../../web/compare/matrix/matrix'
import { withSweeps } from '../../../web/compare/results/results'
import { scaleIn } from '../../../web/compare/scale'
import type {
  GuessedLabels,
  MatrixAnswer,
  MatrixAxes,
  MatrixFigure,
  MatrixQuery,
  NoiseTable,
  PrintedMatrix,
} from '../../../web/engine/protocol'
import { LETTERS } from '../../../web/link/view'
import { applyGuess, NO_LABELS } from '../../../web/state/runs/labels'
import { type Engine, loadEngine } from '../../input/read/engine'
import type { ComparedTrace } from '../../input/runs'

export interface RunMatrix {
  readonly axes: MatrixAxes
  readonly base: MatrixBase | undefined
  readonly filling: Filling
  readonly figures: readonly MatrixFigure[]
}

/** Runs in cells with their figures; `baseline`: the run whose row or column the others are compared with. */
export function matrixOf(
  engine: Engine,
  runs: readonly ComparedTrace[],
  baseline: number,
  noise: NoiseTable | undefined,
): RunMatrix {
  const ids = runs.map((_, i) => String(i))
  const labels: GuessedLabels = engine.guessLabels(JSON.stringify(runs.map(run => run.labelSource)))
  const table = applyGuess(NO_LABELS, ids, labels)
  const axes = axesOf(table, {})
  const namedRuns = runs.map(({ label }, i) => ({ id: String(i), letter: LETTERS[i] ?? String(i + 1), label }))
  const arrangement = arrange(placeRuns(namedRuns, table, axes))
  const base = baseOf({ arrangement, axes, base: undefined, baseline: ids[baseline] })
  const query = cellsOf(arrangement, base, ids)
  const answer: MatrixAnswer = loadEngine().compareMatrix(
    JSON.stringify({ ...query, runs, ...(noise && { noise }) } satisfies MatrixQuery & { noise?: NoiseTable }),
  )
  return { axes, base, filling: { arrangement, query, ids }, figures: answer.figures }
}

/**
 * Keys of the figures to print: those that were asked for, else those that the page offers first. Unknown ones are in
 * `unknown`.
 */
export function chosenFigures(
  { figures }: RunMatrix,
  keys: readonly string[],
): { readonly chosen: readonly MatrixFigure[]; readonly unknown: readonly string[] } {
  const chosenKeys = keys.length > 0 ? keys : quickFigures(figures).map(({ key }) => key)
  const chosen = chosenKeys.flatMap(key => figures.find(figure => figure.key === key) ?? [])
  return { chosen, unknown: chosenKeys.filter(key => !figures.some(figure => figure.key === key)) }
}

/** A matrix per figure, with the test over matched cells below it. ASCII. */
export function matrixText({ axes, base, filling }: RunMatrix, figures: readonly MatrixFigure[]): string {
  const text = (figure: MatrixFigure) => {
    const matrix = fillCells(filling, figure)
    return withSweeps({ matrix, axes, figure, base, scale: scaleIn(figure.notation) })
  }
  return figures.map(text).join('\n')
}

/** The document of `compare --matrix --json`. */
export function matrixDocument(
  { axes, base, filling: { arrangement, query }, figures }: RunMatrix,
  runs: readonly ComparedTrace[],
): PrintedMatrix {
  const lines = arrangement[base?.axis === 'column' ? 'columns' : 'rows']
  return {
    schema: 1,
    runs: runs.map(({ label }) => ({ label })),
    dimensions: axes,
    rows: arrangement.rows.map(({ values }) => values),
    columns: arrangement.columns.map(({ values }) => values),
    ...(base && { base: { axis: base.axis, at: lines.findIndex(line => line.key === base.key) } }),
    cells: query.cells,
    pairs: query.pairs,
    sweeps: query.sweeps ?? [],
    figures,
  }
}
