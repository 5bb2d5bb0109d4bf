/** Any annotation, for property tests. */
import fc from 'fast-check'
import { ns, sector } from '../lib/units'
import { annotationText, authorText, type LinkAnnotation } from './annotations'
import { LETTERS } from './view'

const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 200 })
  .map(annotationText)
  .filter(clean => clean !== '')

export const anyAnnotation: fc.Arbitrary<LinkAnnotation> = fc
  .record(
    {
      run: fc.constantFrom(...LETTERS),
      at: fc.nat(2 ** 40).map(ns),
      length: fc.integer({ min: 1, max: 2 ** 40 }),
      lba: fc.nat(2 ** 40).map(sector),
      text,
      author: fc.string({ unit: 'binary', maxLength: 60 }).map(authorText),
    },
    { requiredKeys: ['run', 'at', 'text'] },
  )
  .map(({ length, author, ...rest }) => ({
    ...rest,
    ...(length !== undefined && { to: ns(rest.at + length) }),
    ...(author && { author }),
  }))
