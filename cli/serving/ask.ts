/** Reads what a request asks. */
import type { IncomingMessage } from 'node:http'
import * as v from 'valibot'
import { Refused } from './refused'

/** Enough for a comparison of 100 runs with their digests. */
export const MAX_BODY_BYTES = 8 << 20

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const ASKED = v.strictObject({
  trace: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  kind: v.string(),
  query: v.optional(v.custom<Readonly<Record<string, unknown>>>(isObject, 'query is no object'), {}),
})

export type Asked = v.InferOutput<typeof ASKED>

async function bodyOf(request: IncomingMessage): Promise<string> {
  const tooLarge = new Refused(413, 'too-large', `A query has at most ${MAX_BODY_BYTES} bytes.`)
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) throw tooLarge
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > MAX_BODY_BYTES) throw tooLarge
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** JSON of a body or a parameter. */
function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refused(400, 'bad-json', `${place} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

function checked(value: unknown): Asked {
  const { success, output, issues } = v.safeParse(ASKED, value)
  if (success) return output
  const [issue] = issues
  const where = v.getDotPath(issue)
  throw new Refused(
    400,
    'bad-query',
    `${where === null ? '' : `${where}: `}${issue.message}. A query is {"trace": 0, "kind": "summary", "query": {}}.`,
  )
}

/** `kind`: the last part of the path, empty for the body. Throws Refused. */
export async function readAsked(request: IncomingMessage, kind: string, parameters: URLSearchParams): Promise<Asked> {
  if (request.method === 'POST') {
    const body = parsed(await bodyOf(request), 'The body')
    if (kind === '' || !isObject(body)) return checked(body)
    const asked = checked({ kind, ...(body as object) })
    if (asked.kind === kind) return asked
    throw new Refused(400, 'bad-query', `The path asks ${kind}, and the body ${asked.kind}: name one of them.`)
  }
  const unknown = [...parameters.keys()].find(name => name !== 'trace' && name !== 'query')
  if (unknown !== undefined)
    throw new Refused(400, 'bad-query', `There is no parameter ${unknown}: use trace and query.`)
  const trace = parameters.get('trace') ?? '0'
  if (!/^\d+$/.test(trace)) throw new Refused(400, 'bad-query', 'trace is the number of a trace, from 0.')
  return checked({ kind, trace: Number(trace), query: parsed(parameters.get('query') ?? '{}', 'query') })
}
