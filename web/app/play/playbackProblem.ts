import { listed } from '../../charts/shared/answers/shown'
import { visible } from '../../state/filter'
import type { Run } from '../../state/types'

/** Why runs cannot be played, in a sentence; `undefined` when they can. */
export function playbackProblem(runs: readonly Run[]): string | undefined {
  const visibleRuns = visible(runs)
  const letters = (group: readonly Run[]) => listed(group.map(run => run.letter))
  const snapshots = visibleRuns.filter(run => run.snapshot)
  if (snapshots.length > 0) {
    const [traces, runsToHide] = snapshots.length === 1 ? ['trace', 'the run'] : ['traces', 'these runs']
    return [
      'Playback needs the traces: a link or report holds no single requests.',
      `Drop the ${traces} of ${letters(snapshots)} on the page first, or hide ${runsToHide}.`,
    ].join(' ')
  }
  const reading = visibleRuns.filter(run => run.status.kind === 'reading')
  if (reading.length > 0) return `${letters(reading)} ${reading.length === 1 ? 'is' : 'are'} still being read.`
  if (!visibleRuns.some(run => run.status.kind === 'ready')) return 'No run in sight could be read.'
  return undefined
}
