/** Labels of published runs, and the runs that a new one is compared with. */
import { columnOf } from '../../web/export/digests'
import { visibleLine } from '../../web/lib/text/visible'
import { fleetColumns } from '../fleet/journal'
import { UsageError } from '../program/usage'
import type { PublishedRun } from './runs'

/** Values by key, as `--label KEY=VALUE` gave them. */
export type RunLabels = PublishedRun['labels']

/** Columns of the table of digests that a label may set: what texts next to a trace would say. */
export const FACT_LABELS = ['kernel', 'scheduler', 'workload'] as const

/** Column of the time at which a run was published. */
export const PUBLISHED = 'published'

const MAX_LABELS = 32
const MAX_VALUE_LENGTH = 200
const KEY = /^[a-z][a-z0-9_]{0,39}$/

/** Reads `KEY=VALUE`. Throws UsageError with the option. */
function readLabel(option: string, text: string): readonly [key: string, value: string] {
  const equals = text.indexOf('=')
  const [key, value] = [text.slice(0, equals), text.slice(equals + 1).trim()]
  if (equals < 0 || !KEY.test(key))
    throw new UsageError(
      `${option}: ${visibleLine(text)} is not KEY=VALUE, with a key of a-z, 0-9 and _ (at most 40), as kernel=6.12`,
    )
  if (value === '' || value.length > MAX_VALUE_LENGTH || visibleLine(value) !== value)
    throw new UsageError(
      `${option}: the value of ${key} must have 1 to ${MAX_VALUE_LENGTH} characters and no control characters`,
    )
  return [key, value]
}

/** Reads the labels of a run. Throws UsageError. */
export function readLabels(texts: readonly string[]): RunLabels {
  if (texts.length > MAX_LABELS)
    throw new UsageError(`--label: a run has at most ${MAX_LABELS} labels, not ${texts.length}`)
  const labels = texts.map(text => readLabel('--label', text))
  const columns = new Set([PUBLISHED, ...fleetColumns().map(({ name }) => columnOf(name))])
  const taken = labels.find(([key]) => columns.has(key) && !FACT_LABELS.some(fact => fact === key))
  if (taken) throw new UsageError(`--label: ${taken[0]} is a column of the table of digests: choose another key`)
  if (new Set(labels.map(([key]) => key)).size < labels.length) throw new UsageError('--label: a key is given twice')
  return Object.fromEntries(labels)
}

/** Repeats of the baseline that are compared; more make no interval much narrower. */
const MAX_BASELINE_RUNS = 20

/**
 * The runs that a new run is compared with, the latest last. `baseline` is the name of a run, or a list such as
 * `kernel=6.12,test`: runs with this kernel and the test of the new run. A list without a key alone, `kernel=6.12`,
 * means all other labels of the new run. None where there are none. Throws UsageError for a name that no run has.
 */
export function findBaseline(
  baseline: string,
  labels: RunLabels,
  runs: readonly PublishedRun[],
): readonly PublishedRun[] {
  const named = runs.filter(({ run }) => run === baseline)
  if (named.length > 0) return named
  if (!baseline.includes('=')) throw new UsageError(`--baseline: there is no run ${visibleLine(baseline)}`)
  const parts = baseline.split(',')
  const keys = parts.filter(part => !part.includes('='))
  const missing = keys.find(key => labels[key] === undefined)
  if (missing !== undefined) throw new UsageError(`--baseline: this run has no label ${visibleLine(missing)}`)
  const fixed = parts.filter(part => part.includes('=')).map(part => readLabel('--baseline', part))
  const shared = Object.entries(labels).filter(([key]) => keys.length === 0 || keys.includes(key))
  const wanted = Object.entries(Object.fromEntries([...shared, ...fixed]))
  return runs.filter(run => wanted.every(([key, value]) => run.labels[key] === value)).slice(-MAX_BASELINE_RUNS)
}
