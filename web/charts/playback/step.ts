/** The event that a step leads to. */
import type { Ns } from '../../lib/units'
import type { Shown } from '../shared/answers/shown'

export interface Step {
  readonly t: number
  /** What happened then: `B: 1 issued, 2 completed`. */
  readonly words: string
}

/** The next (1) or previous (-1) event of any run; absent when there is none. */
export async function findStep(runs: readonly Shown[], from: Ns, direction: 1 | -1): Promise<Step | undefined> {
  const found = await Promise.all(
    runs.map(async run => ({
      run,
      next: await run.client.query('nextStep', { filter: run.filter, t: from, by: direction }),
    })),
  )
  const times = found.flatMap(({ next }) => (next.t === undefined ? [] : [next.t]))
  const t = direction > 0 ? Math.min(...times) : Math.max(...times)
  if (!Number.isFinite(t)) return undefined
  const words = found.flatMap(({ run, next }) => {
    if (next.t !== t) return []
    const begun = next.begun ? [`${next.begun} ${run.device.role === 'disk' ? 'issued' : 'queued'}`] : []
    const done = next.completed ? [`${next.completed} completed`] : []
    return [`${run.letter}: ${[...begun, ...done].join(', ')}`]
  })
  return { t, words: words.join('; ') }
}
