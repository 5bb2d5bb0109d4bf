/** What the text of a chart says, from its spec. */
import { absentSentence } from '../../../web/charts/shared/answers/absent'
import {
  type Answers,
  absentReason,
  type Cells,
  type ChartSpec,
  type QueryKinds,
  type RunsFrame,
  titleOf,
} from '../../../web/charts/shared/spec'
import { type TextChart, warning } from './block'

/** Title and sentences of a chart; a run that lacks it has the reason, and lost events are reported. */
export function specText<Q extends QueryKinds<Q>, C extends Cells>(
  frame: RunsFrame,
  spec: ChartSpec<Q, C>,
  answers: Answers<Q>,
  cells: C,
): Pick<TextChart, 'title' | 'words'> {
  const { shown } = frame
  const { noun = spec.title } = spec
  const words = spec.words(frame, answers, cells)
  const measures = spec.measures(frame)
  const sentences = words.map((sentence, i) => {
    // One sentence for all runs has the warnings of all.
    if (words.length < shown.length) return sentence + shown.map(run => warning(run, measures)).join('')
    const run = shown[i]
    if (run === undefined) return sentence
    const reason = absentReason(spec, run)
    return reason === undefined ? sentence + warning(run, measures) : absentSentence(noun, run, reason)
  })
  const subject = spec.subject(frame, answers)
  return { title: `${titleOf(spec, frame)}${subject === '' ? '' : `: ${subject}`}`, words: sentences }
}
