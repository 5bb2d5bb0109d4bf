/** `seekscope blkparse`, `seekscope btt` and `seekscope summary`: what the engine prints per trace. */
import type { CompareQuery, Geometry, PrintedSummary, PrintedTogether } from '../../../web/engine/protocol'
import type { SummaryTrace } from '../../../web/engine/summary'
import { visibleIn } from '../../../web/lib/text/visible'
import { ns } from '../../../web/lib/units'
import { loadEngine } from '../../input/read/engine'
import { type LoadedTrace, ofEachTrace } from '../../input/read/traces'
import type { TimeLimits, TraceInputs } from '../../program/values'
import { print, printExactly } from '../output'
import type { FoundResults } from './results'
import { summaryText, togetherText } from './text'

/** Number of events per write. */
const LINES = 50_000

export async function blkparse(
  inputs: TraceInputs,
  { summaryOnly, messages }: { summaryOnly: boolean; messages: boolean },
): Promise<void> {
  await ofEachTrace(inputs, async ({ trace: { engine }, index }) => {
    if (index > 0) await printExactly('\n')
    for (let from = 0; !summaryOnly; from += LINES) {
      const text = engine.blkparseText(from, LINES, messages)
      if (text === undefined) break
      await printExactly(text)
    }
    await printExactly(engine.blkparseSummary())
  })
}

export async function btt(inputs: TraceInputs, all: boolean): Promise<void> {
  await printExactly((await ofEachTrace(inputs, ({ trace }) => trace.engine.btt(all))).join(''))
}

interface SummaryOptions {
  readonly geometry?: Geometry
  readonly range?: TimeLimits
}

/** The complete window of a trace where an end is open; `undefined` without a range. */
const windowOf = ({ trace }: LoadedTrace, range: TimeLimits | undefined) =>
  range && { t0: ns(range.t0 ?? 0), t1: ns(range.t1 ?? trace.query('info', {}).span + 1) }

/** The figures of a trace with its findings, stalls and notes. */
export function summaryOf(loaded: LoadedTrace, { geometry, range: limits }: SummaryOptions): SummaryTrace {
  const { trace, label, notes, bench, settings } = loaded
  const range = windowOf(loaded, limits)
  const options = { ...(geometry && { geometry }), ...(range && { range }) }
  const figures = trace.query('summary', options)
  const explanationQuery: CompareQuery = {
    runs: [{ label, trace: trace.query('digest', options), settings }],
    baseline: 0,
  }
  const [explained] = loadEngine().compare(JSON.stringify(explanationQuery)).alone ?? []
  return {
    ...figures,
    moments: trace.query('moments', range ? { range } : {}).moments,
    ...(explained && { findings: explained.findings }),
    ...(notes.length > 0 && { notes }),
    ...(bench.length > 0 && { bench }),
  }
}

/** What `summary` prints, as text and as JSON. */
export function summaryOutputs(
  traces: readonly SummaryTrace[],
  { results, together }: { readonly results?: FoundResults | undefined; readonly together?: PrintedTogether } = {},
): { readonly text: string; readonly json: string } {
  const texts = [
    ...traces.map(trace => `${summaryText(visibleIn(trace))}\n`),
    ...(together ? [`${togetherText(visibleIn(together))}\n`] : []),
    ...(results ? [results.text] : []),
  ]
  const document: PrintedSummary = {
    schema: 1,
    traces,
    ...(together && { together }),
    ...(results && { results: results.document }),
  }
  return { text: texts.join('\n'), json: `${JSON.stringify(document)}\n` }
}

export async function summary(
  inputs: TraceInputs,
  { json, together, ...options }: SummaryOptions & { readonly json: boolean; readonly together: boolean },
): Promise<void> {
  const found: FoundResults[] = []
  const all = together ? new (await import('./together')).Together() : undefined
  const use = async (loaded: LoadedTrace): Promise<SummaryTrace> => {
    await all?.add(loaded, windowOf(loaded, options.range))
    return summaryOf(loaded, options)
  }
  const traces = await ofEachTrace({ ...inputs, prefersComplete: true }, use, {
    results: results => found.push(results),
  })
  const outputs = summaryOutputs(traces, { results: found[0], ...(all && { together: all.document() }) })
  await print(json ? outputs.json : outputs.text)
}
