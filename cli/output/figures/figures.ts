/** `seekscope blkparse`, `seekscope btt` and `seekscope summary`: what the engine prints per trace. */
import type { CompareQuery, Geometry, PrintedSummary } from '../../../web/engine/protocol'
import type { SummaryTrace } from '../../../web/engine/summary'
import { ns } from '../../../web/lib/units'
import { loadEngine } from '../../input/read/engine'
import { type LoadedTrace, ofEachTrace } from '../../input/read/traces'
import type { TimeLimits, TraceInputs } from '../../program/values'
import { print, printExactly } from '../output'
import { visibleIn } from '../visible'
import type { FoundResults } from './results'
import { summaryText } from './text'

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

/** The figures of a trace with its findings, stalls and notes. */
export function summaryOf(
  { trace, label, notes, bench, settings }: LoadedTrace,
  { geometry, range }: SummaryOptions,
): SummaryTrace {
  const window = range && { range: { t0: ns(range.t0 ?? 0), t1: ns(range.t1 ?? trace.query('info', {}).span + 1) } }
  const options = { ...(geometry && { geometry }), ...window }
  const figures = trace.query('summary', options)
  const explanationQuery: CompareQuery = {
    runs: [{ label, trace: trace.query('digest', options), settings }],
    baseline: 0,
  }
  const [explained] = loadEngine().compare(JSON.stringify(explanationQuery)).alone ?? []
  return {
    ...figures,
    moments: trace.query('moments', window ?? {}).moments,
    ...(explained && { findings: explained.findings }),
    ...(notes.length > 0 && { notes }),
    ...(bench.length > 0 && { bench }),
  }
}

/** What `summary` prints, as text and as JSON. */
export function summaryOutputs(
  traces: readonly SummaryTrace[],
  results?: FoundResults,
): { readonly text: string; readonly json: string } {
  const texts = [...traces.map(trace => `${summaryText(visibleIn(trace))}\n`), ...(results ? [results.text] : [])]
  const document: PrintedSummary = { schema: 1, traces, ...(results && { results: results.document }) }
  return { text: texts.join('\n'), json: `${JSON.stringify(document)}\n` }
}

export async function summary(
  inputs: TraceInputs,
  { json, ...options }: SummaryOptions & { readonly json: boolean },
): Promise<void> {
  const found: FoundResults[] = []
  const traces = await ofEachTrace({ ...inputs, prefersComplete: true }, trace => summaryOf(trace, options), {
    results: results => found.push(results),
  })
  const outputs = summaryOutputs(traces, found[0])
  await print(json ? outputs.json : outputs.text)
}
