/**
 * Keeps the label table in step with the runs: whenever their labels or facts change, the engine guesses again. Repeats
 * that it recognises are grouped at once.
 */
import type { GuessedLabels, LabelSource } from '../../engine/protocol'
import type { Page, PageStore } from '../page'
import type { Run } from '../types'
import { groupByName } from './grouping'
import { applyGuess, NO_LABELS } from './labels'

/** Delay of a guess, ms: the runs of one drop open one after another. */
const SETTLE_MS = 50

const labelSource = ({ label, kernel, labelFacts, settings }: Run): LabelSource => ({
  folder: '',
  ...labelFacts,
  label,
  ...(kernel !== undefined && { kernel }),
  ...(settings && { settings }),
})

/** Fields of the page that decide whether runs are grouped. */
const DECIDING = [
  'runs',
  'labels',
  'grouping',
  'sorting',
  'opening',
  'arranging',
] as const satisfies readonly (keyof Page)[]

/** Starts guessing whenever labels change. Returns a function that stops it. */
export function followLabels(
  store: PageStore,
  guess: (runs: readonly LabelSource[]) => Promise<GuessedLabels>,
): () => void {
  const pending = { what: '', timer: undefined as ReturnType<typeof setTimeout> | undefined }
  const ask = async (fingerprint: string) => {
    const ids = store.getState().runs.map(run => run.id)
    const runs = store.getState().runs.map(labelSource)
    // Without a guess the table stays as it is.
    const labels = await guess(runs).catch(() => undefined)
    if (labels && pending.what === fingerprint)
      store.setState(page => ({ ...page, labels: applyGuess(page.labels, ids, labels) }), true)
  }
  const stop = store.subscribe((page, before) => {
    if (DECIDING.some(key => page[key] !== before[key])) {
      const now = groupByName(page)
      if (now !== page) return store.setState(now, true)
    }
    const { runs, labels } = page
    const fingerprint = JSON.stringify(runs.map(run => [run.id, labelSource(run)]))
    const forgotten = labels === NO_LABELS && before.labels !== NO_LABELS
    if (fingerprint === pending.what && !forgotten) return
    pending.what = fingerprint
    clearTimeout(pending.timer)
    if (runs.length > 0) pending.timer = setTimeout(() => ask(fingerprint), SETTLE_MS)
  })
  return () => {
    stop()
    clearTimeout(pending.timer)
  }
}
