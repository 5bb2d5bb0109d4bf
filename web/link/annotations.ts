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

/** Limits of annotations: a link is untrusted, and must not fill the page. */
export const MAX_ANNOTATIONS = 50
export const MAX_TEXT_LENGTH = 500
export const MAX_AUTHOR_LENGTH = 40

/** Text that somebody added to a time of a run. */
export interface LinkAnnotation {
  readonly run: RunLetter
  /** Time since the first event of the run. */
  readonly at: Ns
  /** End of the range; absent: a single time. */
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
  const [, integer, fraction = ''] = TIME.exec(text ?? '') ?? []
  return integer === undefined ? undefined : ns(Number(integer) * 1e9 + Number(fraction.padEnd(9, '0')))
}

/** Longer fields are rejected without parsing. */
const MAX_FIELD_LENGTH = 16_000

function parseAnnotation(value: string): LinkAnnotation | undefined {
  const colon = value.indexOf(':')
  if (colon < 0 || value.length > MAX_FIELD_LENGTH) return undefined
  const [letter = '', times = '', place = '', authorField = '', ...more] = value.slice(0, colon).split(',')
  const [from, end, ...extra] = times.split('..')
  const run = LETTERS.find(candidate => candidate === letter)
  const [start, to] = [timeOf(from), timeOf(end)]
  const text = annotationText(value.slice(colon + 1))
  if (run === undefined || start === undefined || (end !== undefined && (to === undefined || to <= start)))
    return undefined
  if (text === '' || more.length + extra.length > 0 || !/^\d{0,15}$/.test(place)) return undefined
  const author = authorText(authorField)
  return {
    run,
    at: start,
    ...(to !== undefined && { to }),
    ...(place !== '' && { lba: sector(Number(place)) }),
    text,
    ...(author !== '' && { author }),
  }
}

export const AnnotationValue = v.pipe(
  v.string(),
  v.transform(parseAnnotation),
  v.custom<LinkAnnotation>(annotation => annotation !== undefined),
)

/** Encodes an annotation as `AnnotationValue` reads it. */
export function annotationValue({ run, at: start, to, lba, text, author }: LinkAnnotation): string {
  const places = [
    run,
    `${seconds(start)}${to === undefined ? '' : `..${seconds(to)}`}`,
    lba === undefined ? '' : String(Math.floor(lba)),
    author ?? '',
  ]
  return `${places.join(',').replace(/,+$/, '')}:${text}`
}
