/** The queries of `seekscope serve`: those of a trace, and those that need none. */
import { type JsonSchema, QUERIES } from '../../web/engine/generated/schemas'
import type { QueryKind, TraceQueries } from '../../web/engine/protocol'
import { definitionsOf } from '../schema/schema'

/** Kinds of queries that are answered. */
export type ServedKind = keyof TraceQueries | 'info' | 'compare'

interface QuerySchema {
  readonly about: string
  readonly ask: JsonSchema
  readonly answer: JsonSchema
}

/** Those that the table of the engine does not have: they cost nothing, or need no trace. */
const FURTHER = {
  info: {
    about: 'What the trace is: devices, processes, span, quality.',
    ask: { type: 'object', properties: {}, additionalProperties: false },
    answer: { $ref: '#/$defs/TraceInfo' },
  },
  compare: {
    about: 'Compares runs by their digests, the answers of digest, whichever traces they are of.',
    ask: { $ref: '#/$defs/CompareQuery' },
    answer: { $ref: '#/$defs/CompareDocument' },
  },
} as const satisfies Readonly<Partial<Record<QueryKind, QuerySchema>>>

export const SERVED: Readonly<Record<ServedKind, QuerySchema>> = { ...FURTHER, ...QUERIES }

export const isServedKind = (text: string): text is ServedKind => Object.hasOwn(SERVED, text)

/** The queries with all schemas that they refer to, for the answer to GET. */
export const queryIndex = () => ({ queries: { ...SERVED }, $defs: definitionsOf([SERVED]) })
