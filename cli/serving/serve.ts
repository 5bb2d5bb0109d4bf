/** `seekscope serve`: traces are read once, and asked often. */
import { answerOf } from '../../web/engine/answer'
import { isEngineError } from '../../web/engine/errors'
import type { ServedIndex, ServedStart, ServedTrace } from '../../web/engine/protocol'
import { type Engine, loadEngine } from '../input/read/engine'
import { type LoadedTrace, ofEachTrace } from '../input/read/traces'
import { print } from '../output/output'
import { complain, say } from '../output/progress'
import type { TraceInputs } from '../program/values'
import { unknownKey } from '../schema/fields'
import type { Asked } from './ask'
import { isServedKind, queryIndex, SERVED } from './queries'
import { Refused } from './refused'
import { type QueryServerOptions, type QueryService, serveQueries } from './server'

/** As many as a page has runs. */
const MAX_TRACES = 20

export const servedTraces = (traces: readonly LoadedTrace[]): readonly ServedTrace[] =>
  traces.map(({ index: trace, label, path }) => ({ trace, label, path }))

/** Numbers in the typed arrays of an answer: more than any picture needs, and than 65,536 rows have. */
const MAX_NUMBERS = 4_000_000

/** Typed arrays are lists; NaN is null in JSON. Throws Refused. */
function jsonOf(answer: unknown): string {
  let numbers = 0
  const listed = (_: string, value: unknown): unknown => {
    if (!ArrayBuffer.isView(value)) return value
    const array = value as Float64Array
    numbers += array.length
    if (numbers > MAX_NUMBERS)
      throw new Refused(
        400,
        'answer-too-large',
        `The answer has more than ${MAX_NUMBERS} numbers. Ask for fewer pixels, bins or rows.`,
      )
    return Array.from(array)
  }
  return JSON.stringify(answer, listed)
}

/** Answers queries about loaded traces. */
export function queryService(engine: Engine, traces: readonly LoadedTrace[]): QueryService {
  const list = servedTraces(traces)
  let index: string | undefined
  return {
    index: () => {
      index ??= JSON.stringify({ schema: 1, traces: list, ...queryIndex() } satisfies ServedIndex)
      return index
    },
    answer({ trace, kind, query }: Asked) {
      if (!isServedKind(kind))
        throw new Refused(404, 'no-such-query', `There is no query ${kind}; use ${Object.keys(SERVED).join(', ')}.`)
      const loaded = traces[trace]
      if (!loaded)
        throw new Refused(404, 'no-such-trace', `There is no trace ${trace}; the last one is ${list.length - 1}.`)
      const unknown = unknownKey([SERVED[kind].ask], query)
      if (unknown !== undefined)
        throw new Refused(400, 'bad-query', `query: ${kind} has no parameter ${unknown}. GET of the URL lists them.`)
      try {
        return jsonOf(answerOf(engine, loaded.trace.engine, kind, query))
      } catch (error) {
        if (!isEngineError(error)) throw error
        const { code, message, remedy } = error
        throw new Refused(400, code, remedy === undefined ? message : `${message} ${remedy}`)
      }
    },
  }
}

/** Resolves when the server has ended. Rejects when the port is in use, and with the trap that ended the engine. */
export async function serveTraces(inputs: TraceInputs, options: QueryServerOptions): Promise<void> {
  const traces = await ofEachTrace({ ...inputs, most: MAX_TRACES }, loaded => loaded, { keep: true })
  if (traces.length === 0)
    return complain(inputs.paths.join(' '), 'no-trace', 'There is no trace to serve. Give a recording of block I/O.')
  const server = await serveQueries(queryService(loadEngine(), traces), options)
  const start: ServedStart = { schema: 1, url: server.url, traces: servedTraces(traces) }
  await print(`${JSON.stringify(start)}\n`)
  say('serving these traces to this machine only. Press Ctrl-C to stop.')
  await server.ended
}
