/** Splits a fragment into its fields, and collects what could not be read. */
import * as v from 'valibot'
import { LETTERS } from './view'

export interface LinkField {
  readonly key: string
  readonly value: string
}

/** A field of a link that was ignored. */
export interface LinkProblem {
  readonly key: string
  /** As in the link; long values are truncated. */
  readonly value: string
  /** The reason; absent: the value is invalid. */
  readonly why?: string
}

/**
 * Version of the fields. From the first release on it opens forever: links are kept for years in mails and bug
 * trackers.
 */
export const VERSION = 1

const MAX_SHOWN_LENGTH = 80

export const problemOf = (key: string, value: string, why?: string): LinkProblem => ({
  key,
  value: value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value,
  ...(why !== undefined && { why }),
})

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/**
 * Splits a fragment into fields, in their order, without the version.
 *
 * Nothing here may throw: a link is typed, truncated by mail clients, or hostile. What cannot be read becomes a
 * problem that the page shows, and the other fields still apply.
 */
export function fieldsOf(fragment: string): {
  readonly fields: readonly LinkField[]
  readonly problems: readonly LinkProblem[]
} {
  const problems: LinkProblem[] = []
  const parsed = fragment
    .replace(/^#/, '')
    .split('&')
    .filter(text => text !== '')
    .flatMap(text => {
      const equals = text.indexOf('=')
      const key = equals < 0 ? text : text.slice(0, equals)
      const value = decodePercent(equals < 0 ? '' : text.slice(equals + 1))
      if (value === undefined) problems.push(problemOf(key, text.slice(equals + 1), 'Invalid percent-encoding.'))
      return value === undefined ? [] : [{ key, value }]
    })
  if (parsed.length === 0) return { fields: [], problems }
  const versionText = parsed.find(field => field.key === 'v')?.value
  const version = /^[1-9]\d{0,5}$/.test(versionText ?? '') ? Number(versionText) : undefined
  if (version === undefined)
    problems.push(problemOf('v', versionText ?? '', `The link has no version; it was read as version ${VERSION}.`))
  else if (version > VERSION)
    problems.push(
      problemOf(
        'v',
        versionText ?? '',
        'The link was made by a newer Seekscope. Parts unknown to this version are ignored; reload the page to ' +
          'update it.',
      ),
    )
  return { fields: parsed.filter(field => field.key !== 'v'), problems }
}

/** Parses a value; `undefined` if the schema rejects it. */
function read<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const result = v.safeParse(schema, value)
  return result.success ? result.output : undefined
}

/** Maximum number of values per key: a hostile link must not keep the page busy. */
const MAX_VALUES = 500

/** Reads fields by key; a value that its schema rejects is a problem. */
export function fieldReader(fields: readonly LinkField[], problem: (problem: LinkProblem) => void) {
  const valuesOf = (key: string) => fields.flatMap(field => (field.key === key ? field.value : []))
  const readOr = <S extends v.GenericSchema>(schema: S, key: string, value: string): v.InferOutput<S> | undefined => {
    const output = read(schema, value)
    if (output === undefined) problem(problemOf(key, value))
    return output
  }
  const readOne = <S extends v.GenericSchema>(key: string, schema: S): v.InferOutput<S> | undefined => {
    const [first, ...more] = valuesOf(key)
    for (const value of more) problem(problemOf(key, value, 'Given more than once; the first one is used.'))
    return first === undefined ? undefined : readOr(schema, key, first)
  }
  const readAll = <S extends v.GenericSchema>(key: string, schema: S): v.InferOutput<S>[] => {
    const values = valuesOf(key)
    if (values.length > MAX_VALUES)
      problem(problemOf(key, values[MAX_VALUES] ?? '', `Given more than ${MAX_VALUES} times; the rest is ignored.`))
    return values.slice(0, MAX_VALUES).flatMap(value => {
      const output = readOr(schema, key, value)
      return output === undefined ? [] : [output]
    })
  }
  /** Reads keys such as `label.A`: the results of `take`, by letter. */
  const perRun = <T>(name: string, take: (key: string) => T | undefined): Readonly<Record<string, T>> | undefined => {
    for (const { key, value } of fields)
      if (key.startsWith(`${name}.`) && !LETTERS.some(letter => key === `${name}.${letter}`))
        problem(problemOf(key, value, 'No such run.'))
    const values = LETTERS.flatMap(letter => {
      const value = take(`${name}.${letter}`)
      return value === undefined ? [] : [[letter, value] as const]
    })
    return values.length > 0 ? Object.fromEntries(values) : undefined
  }
  return { readOne, readAll, perRun }
}
