/** `seekscope blkparse`, `seekscope btt` and `seekscope summary`: what the engine prints per trace. */
import type { CompareQuery, Geometry, PrintedSummary } from '../../../web/engine/protocol'
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

export async function summary(
  inputs: TraceInputs,
  options: { json: boolean; together: boolean; geometry?: Geometry; range?: TimeLimits },
): Promise<void> {
  const { json, geometry, range } = options
  const found: FoundResults[] = []
  const engine = loadEngine()
  const all = options.together ? new (await import('./together')).Together() : undefined
  const use = async (loaded: LoadedTrace): Promise<SummaryTrace> => {
    const { trace, label, notes, bench, settings } = loaded
    const window = range && { range: { t0: ns(range.t0 ?? 0), t1: ns(range.t1 ?? trace.query('info', {}).span + 1) } }
    const query = { ...(geometry && { geometry }), ...window }
    const figures = trace.query('summary', query)
    const explanationQuery: CompareQuery = {
      runs: [{ label, trace: trace.query('digest', query), settings }],
      baseline: 0,
    }
    await all?.add(loaded, window?.range)
    const [explained] = engine.compare(JSON.stringify(explanationQuery)).alone ?? []
    return {
      ...figures,
      moments: trace.query('moments', window ?? {}).moments,
      ...(explained && { findings: explained.findings }),
      ...(notes.length > 0 && { notes }),
      ...(bench.length > 0 && { bench }),
    }
  }
  const traces = await ofEachTrace({ ...inputs, prefersComplete: true }, use, {
    results: results => found.push(results),
  })
  const [results] = found
  const together = all?.document()
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
  await print(json ? `${JSON.stringify(document)}\n` : texts.join('\n'))
}
