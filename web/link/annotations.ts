/**
 * Annotations in a link: `note=B,1.25..1.5,4096,Jo:text`, the run, its time in seconds, the sector and the author,
 * of which only run and time must be there. They are texts of whoever made the link: cleaned, bounded, and shown as
 * text.
 */
import * as v from 'valibot'
import { plainText } from '../lib/text/plainText'
import { type Ns, ns, type Sector, sector } from '../lib/units'
import { seconds } from './values'
import { LETTERS, type RunLetter } from './view'

/** Most annotations of a page, and most characters of one. */
export const MAX_ANNOTATIONS = 50
export const MAX_TEXT_LENGTH = 500
export const MAX_AUTHOR_LENGTH = 40

/** Text that somebody added to a time of a run. */
export interface LinkAnnotation {
  readonly run: RunLetter
  /** Of the run: since its first event. */
  readonly at: Ns
  /** End, where it is about a range. */
  readonly to?: Ns
  readonly lba?: Sector
  /** One line, not empty. */
  readonly text: string
  readonly author?: string
}

export const annotationText = (text: string): string => plainText(text, MAX_TEXT_LENGTH)

/** Commas and colons separate fields in a link. */
export const authorText = (text: string): string => plainText(text.replace(/[,:]/g, ' '), MAX_AUTHOR_LENGTH)

const TIME = /^(\d{1,8})(?:\.(\d{1,9}))?$/

function timeOf(text: string | undefined): Ns | undefined {
  const [, whole, fraction = ''] = TIME.exec(text ?? '') ?? []
  return whole === undefined ? undefined : ns(Number(whole) * 1e9 + Number(fraction.padEnd(9, '0')))
}

/** Longest field that is looked at. */
const LONGEST = 16_000

function parsed(value: string): LinkAnnotation | undefined {
  const colon = value.indexOf(':')
  if (colon < 0 || value.length > LONGEST) return undefined
  const [letter = '', times = '', place = '', by = '', ...more] = value.slice(0, colon).split(',')
  const [from, end, ...others] = times.split('..')
  const run = LETTERS.find(known => known === letter)
  const [at, to] = [timeOf(from), timeOf(end)]
  const text = annotationText(value.slice(colon + 1))
  if (run === undefined || at === undefined || (end !== undefined && (to === undefined || to <= at))) return undefined
  if (text === '' || more.length + others.length > 0 || !/^\d{0,15}$/.test(place)) return undefined
  const author = authorText(by)
  return {
    run,
    at,
    ...(to !== undefined && { to }),
    ...(place !== '' && { lba: sector(Number(place)) }),
    text,
    ...(author !== '' && { author }),
  }
}

export const AnnotationValue = v.pipe(
  v.string(),
  v.transform(parsed),
  v.custom<LinkAnnotation>(annotation => annotation !== undefined),
)

/** What [`AnnotationValue`] reads. */
export function annotationValue({ run, at, to, lba, text, author }: LinkAnnotation): string {
  const places = [
    run,
    `${seconds(at)}${to === undefined ? '' : `..${seconds(to)}`}`,
    lba === undefined ? '' : String(Math.floor(lba)),
    author ?? '',
  ]
  return `${places.join(',').replace(/,+$/, '')}:${text}`
}
