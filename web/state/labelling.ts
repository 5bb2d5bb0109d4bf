/** Keeps the table of labels in step with the runs: whenever their names or what is told of them change, the engine guesses anew. */
import type { GuessedLabels, LabelSource } from '../engine/protocol'
import { guessed, NO_LABELS } from './labels'
import type { PageStore } from './page'
import type { Run } from './types'

/** Runs of one drop come one after another. */
const SETTLE_MS = 50

const labelSource = ({ label, kernel, labelFacts }: Run): LabelSource => ({
  folder: '',
  ...labelFacts,
  label,
  ...(kernel !== undefined && { kernel }),
})

/** Gives back how to stop. */
export function followLabels(store: PageStore, guess: (runs: readonly LabelSource[]) => Promise<GuessedLabels>): () => void {
  const asked = { what: '', timer: undefined as ReturnType<typeof setTimeout> | undefined }
  const ask = async (what: string) => {
    const ids = store.getState().runs.map(run => run.id)
    const runs = store.getState().runs.map(labelSource)
    // Without a guess the reader's own labels still work: the table stays as it is.
    const labels = await guess(runs).catch(() => undefined)
    if (labels && asked.what === what) store.setState(page => ({ ...page, labels: guessed(page.labels, ids, labels) }), true)
  }
  const stop = store.subscribe(({ runs, labels }, before) => {
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
