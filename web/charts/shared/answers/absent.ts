/** Charts for which the recorded actions do not suffice: the reason is shown in the chart's place. */
import type { ChartName } from '../../../engine/protocol'
import type { Shown } from './shown'

/** Per run, why the chart is absent; `undefined` where it is not. */
export const absentReasons = (shown: readonly Shown[], chart: ChartName | undefined): readonly (string | undefined)[] =>
  shown.map(run => chart && run.device.absent?.[chart])

/** Sentences of the runs that lack the chart. */
export const absentSentences = (title: string, shown: readonly Shown[], chart: ChartName): readonly string[] =>
  shown.flatMap(run => {
    const reason = run.device.absent?.[chart]
    return reason === undefined ? [] : [absentSentence(title, run, reason)]
  })

/** Height of a row of charts that all runs lack, px. */
export const ABSENT_HEIGHT = 44

export const absentSentence = (title: string, run: Shown, reason: string): string =>
  `${title} of ${run.letter}: absent, ${reason}.`

/** The lines below the heading of a chart; one line where all runs have the same reason. */
export function absentBelow(shown: readonly Shown[], chart: ChartName): readonly string[] {
  const reasons = absentReasons(shown, chart)
  const [first] = reasons
  if (first !== undefined && reasons.every(reason => reason === first)) return [`Absent: ${first}.`]
  return shown.flatMap((run, i) => (reasons[i] === undefined ? [] : [`${run.letter}: absent, ${reasons[i]}.`]))
}
