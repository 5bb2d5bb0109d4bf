/** The comparison as plain text, made by the engine on request, with the annotations of the page. */
import { useCopy } from '../../../charts/shared/menu/useCopy'
import { numbered } from '../../../state/annotations/annotations'
import { annotationsText } from '../../../state/annotations/annotationText'
import type { ComparedRuns } from '../../../state/types'
import { usePage } from '../../context'

export function useComparisonText(compared: ComparedRuns) {
  const client = usePage(p => p.runs.find(run => run.id === compared.runs[0])?.client)
  // The engine needs digests with bins, which a small snapshot lacks.
  const hasDigests = usePage(p => p.runs.every(run => !run.snapshot || run.snapshot.pieces))
  const annotations = usePage(p => p.annotations)
  const runs = usePage(p => p.runs)
  const { notice, copy: copyText } = useCopy()
  const copy = () => {
    if (!client) return
    const notes = annotationsText(numbered(annotations, runs))
    copyText(
      client
        .query('compareText', compared.ask)
        .then(answer => [answer.text, notes].filter(text => text !== '').join('\n')),
    )
  }
  return { copy, notice, isPossible: client !== undefined && hasDigests }
}
