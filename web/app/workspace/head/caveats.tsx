/** What limits the figures of the shown runs: a part that was read, lost events, a clock that steps back. */
import type { ReactNode } from 'react'
import { listed } from '../../../charts/shared/answers/shown'
import type { SummaryDevice } from '../../../engine/summary'
import type { Run } from '../../../state/types'
import { cutWords, maskedWords, noDepthWords } from '../findings/words'

export function caveatsOf(runs: readonly Run[], devices: readonly SummaryDevice[]): readonly ReactNode[] {
  const missing = noDepthWords(runs)
  const letters = (predicate: (run: Run, index: number) => boolean) => runs.filter(predicate).map(r => r.letter)
  const lost = letters((run, i) => run.summary?.quality.holes.some(hole => hole.device === devices[i]?.dev) ?? false)
  const unsteady = letters(run => run.summary?.quality.clock !== undefined)
  const impossible = letters(
    (run, i) => devices[i]?.spoiled !== undefined && ![...lost, ...unsteady].includes(run.letter),
  )
  return [
    ...runs
      .flatMap(run => cutWords(run) ?? [])
      .map(sentence => (
        <p key={sentence} data-cut="">
          ! {sentence}
        </p>
      )),
    ...(missing ? [<p key="missing">{missing}</p>] : []),
    ...maskedWords(runs).map(sentence => (
      <p key={sentence} data-masked="">
        {sentence}
      </p>
    )),
    ...(lost.length > 0
      ? [
          <p key="lost" data-lost="">
            † Events of {listed(lost)} were lost: shaded in the charts. Figures that depend on lost events are
            unreliable.
          </p>,
        ]
      : []),
    ...(unsteady.length > 0
      ? [
          <p key="unsteady" data-unsteady="">
            † The clock of {listed(unsteady)} steps back: times, latencies, depths and rates are unreliable.
          </p>,
        ]
      : []),
    ...(impossible.length > 0
      ? [
          <p key="impossible" data-impossible="">
            † No device has such rates or times: the recording of {listed(impossible)} is damaged.
          </p>,
        ]
      : []),
  ]
}
