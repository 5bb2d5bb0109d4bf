/** The texts typed into the annotation form, and the annotation that they describe. */
import { ns, sector } from '../../../lib/units'
import { annotationText } from '../../../link/annotations'
import { seconds } from '../../../link/values'
import type { AnnotationDraft } from '../../../state/annotations/annotations'
import type { AnnotationPlace, Run } from '../../../state/types'

/** The text of each field; times in seconds. */
export interface AnnotationEntry {
  /** Id of the run; empty until one is chosen. */
  readonly run: string
  readonly from: string
  readonly to: string
  readonly lba: string
  readonly text: string
  readonly author: string
}

export function entryOf(
  { run = '', at: start, to: end, lba }: AnnotationPlace,
  text: string,
  author: string | undefined,
): AnnotationEntry {
  const timeText = (time: number | undefined): string => (time === undefined ? '' : seconds(time))
  return {
    run,
    from: timeText(start),
    to: timeText(end),
    lba: lba === undefined ? '' : String(Math.floor(lba)),
    text,
    author: author ?? '',
  }
}

/** Parses seconds to ns: `undefined` for an empty field, `NaN` for anything that is no time. */
function readTime(text: string): number | undefined {
  if (text.trim() === '') return undefined
  return /^\s*\d{1,8}(\.\d{1,9})?\s*(s)?\s*$/.test(text) ? Math.round(Number.parseFloat(text) * 1e9) : Number.NaN
}

/** The annotation, or what is wrong with the fields. Without a text both are absent: it is not yet complete. */
export function readEntry(
  entry: AnnotationEntry,
  run: Run | undefined,
): { readonly draft?: AnnotationDraft; readonly problem?: string } {
  const [start, end] = [readTime(entry.from), readTime(entry.to)]
  const lba = entry.lba.trim()
  if (start === undefined || Number.isNaN(start)) return { problem: 'From is a time in seconds, such as 1.25.' }
  if (Number.isNaN(end) || (end !== undefined && end <= start))
    return { problem: 'To is a later time in seconds, or empty.' }
  if (run?.info && start > run.info.span) return { problem: `${run.letter} ends at ${seconds(run.info.span)} s.` }
  if (!/^\d{0,15}$/.test(lba)) return { problem: 'Sector is a number, or empty.' }
  if (annotationText(entry.text) === '') return {}
  return {
    draft: {
      run: entry.run,
      at: ns(start),
      ...(end !== undefined && { to: ns(end) }),
      ...(lba !== '' && { lba: sector(Number(lba)) }),
      text: entry.text,
      author: entry.author,
    },
  }
}
