/** `--annotate`: annotations as a link has them, given to runs by their letters. */
import * as v from 'valibot'
import { ascii } from '../../web/lib/format'
import { plainText } from '../../web/lib/text/plainText'
import { AnnotationValue, type LinkAnnotation, MAX_ANNOTATIONS, MAX_TEXT_LENGTH } from '../../web/link/annotations'
import { seconds } from '../../web/link/values'
import { LETTERS } from '../../web/link/view'
import { annotationsFromLink } from '../../web/state/annotations/annotations'
import type { Page } from '../../web/state/page'
import type { OptionValues } from '../program/options'
import { UsageError } from '../program/usage'

const FORM = 'RUN,TIME[..END][,SECTOR[,AUTHOR]]:TEXT, such as A,1.25:flush storm'

/** Throws UsageError for one that cannot be read. */
export function readAnnotations({ annotate = [] }: OptionValues): readonly LinkAnnotation[] {
  if (annotate.length > MAX_ANNOTATIONS)
    throw new UsageError(`--annotate: a page has at most ${MAX_ANNOTATIONS} annotations, not ${annotate.length}`)
  return annotate.map(argument => {
    const { success, output } = v.safeParse(AnnotationValue, argument)
    if (!success) throw new UsageError(`--annotate: ${shortened(argument)} is not ${FORM}`)
    const text = argument.slice(argument.indexOf(':') + 1)
    const { length } = [...plainText(text, text.length)]
    if (length > MAX_TEXT_LENGTH) {
      throw new UsageError(
        `--annotate: ${shortened(argument)} has ${ascii.counted(length, 'character')} of text, at most ${MAX_TEXT_LENGTH} fit`,
      )
    }
    return output
  })
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text)

/** The page with the annotations. Throws UsageError for one of another run, or after the end of its run. */
export function withAnnotations(page: Page, linkAnnotations: readonly LinkAnnotation[]): Page {
  for (const { run: letter, at: start, to = start } of linkAnnotations) {
    const run = page.runs.find(candidate => candidate.letter === letter)
    if (!run) throw new UsageError(`--annotate: there is no run ${letter}; ${runWords(page.runs.length)}`)
    const span = run.info?.span ?? 0
    if (to > span)
      throw new UsageError(`--annotate: ${seconds(to)} s is after the end of run ${letter} at ${seconds(span)} s`)
  }
  return linkAnnotations.length === 0
    ? page
    : { ...page, annotations: annotationsFromLink(linkAnnotations, page.runs, () => true) }
}

function runWords(runs: number): string {
  if (runs === 0) return 'no trace was read'
  return runs === 1 ? 'the only run is A' : `the runs are A to ${LETTERS[runs - 1]}`
}
