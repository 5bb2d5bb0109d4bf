/**
 * Keeps the label table in step with the runs: whenever their labels or facts change, the engine guesses again. Repeats
 * that it recognises are grouped at once.
 */
import type { GuessedLabels, LabelSource } from '../../engine/protocol'
import type { Page, PageStore } from '../page'
import type { Run } from '../types'
import { grouped } from './grouping'
import { guessed, NO_LABELS } from './labels'

/** The runs of one drop open one after another. */
const SETTLE_MS = 50

const labelSource = ({ label, kernel, labelFacts, settings }: Run): LabelSource => ({
  folder: '',
  ...labelFacts,
  label,
  ...(kernel !== undefined && { kernel }),
  ...(settings && { settings }),
})

/** What decides whether runs are grouped. */
const DECIDING = [
  'runs',
  'labels',
  'grouping',
  'sorting',
  'opening',
  'arranging',
] as const satisfies readonly (keyof Page)[]

/** Returns a function that stops it. */
export function followLabels(
  store: PageStore,
  guess: (runs: readonly LabelSource[]) => Promise<GuessedLabels>,
): () => void {
  const asked = { what: '', timer: undefined as ReturnType<typeof setTimeout> | undefined }
  const ask = async (what: string) => {
    const ids = store.getState().runs.map(run => run.id)
    const runs = store.getState().runs.map(labelSource)
    // Without a guess the table stays as it is.
    const labels = await guess(runs).catch(() => undefined)
    if (labels && asked.what === what)
      store.setState(page => ({ ...page, labels: guessed(page.labels, ids, labels) }), true)
  }
  const stop = store.subscribe((page, before) => {
    if (DECIDING.some(key => page[key] !== before[key])) {
      const now = grouped(page)
      if (now !== page) return store.setState(now, true)
    }
    const { runs, labels } = page
    const what = JSON.stringify(runs.map(run => [run.id, labelSource(run)]))
    const forgotten = labels === NO_LABELS && before.labels !== NO_LABELS
    if (what === asked.what && !forgotten) return
    asked.what = what
    clearTimeout(asked.timer)
    if (runs.length > 0) asked.timer = setTimeout(() => ask(what), SETTLE_MS)
  })
  return () => {
    stop()
    clearTimeout(asked.timer)
  }
}
