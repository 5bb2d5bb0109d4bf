/**
 * A page state without a browser: traces that were read, arranged as runs and compared. The command line makes links
 * and reports from it with the code of the page.
 */
import type { BenchFigure, Geometry, Setting, TraceClient, TraceInfo } from '../engine/protocol'
import { compareQuery } from '../state/comparing/comparing'
import { EMPTY_PAGE, type Page } from '../state/page'
import { LETTERS, placeRuns } from '../state/runs/runs'
import type { Run } from '../state/types'

/** A trace that was read to the end. */
export interface ReadTrace {
  readonly client: TraceClient
  readonly info: TraceInfo
  readonly label: string
  readonly kernel?: string
  readonly group?: string
  readonly geometry?: Geometry
  readonly bench?: readonly BenchFigure[]
  readonly settings?: readonly Setting[]
  /** `DeviceInfo.index` of the device to show; absent: the first one. */
  readonly device?: number
}

/** At most 20 traces. `baseline`: an index of `traces`. A label given here needs no entry of its own in the link. */
export function pageOfTraces(traces: readonly ReadTrace[], baseline = 0): Page {
  const runs = traces.map(
    ({ info, label, device, ...trace }, i): Run => ({
      ...trace,
      id: `run-${i + 1}`,
      trace: i + 1,
      letter: LETTERS[i] ?? 'T',
      linkLetter: LETTERS[i] ?? 'T',
      label,
      info: { ...info, label },
      device: device ?? info.devices[0]?.index ?? 0,
      baseline: i === baseline,
      hidden: false,
      status: { kind: 'ready' },
    }),
  )
  return { ...EMPTY_PAGE, runs: placeRuns(runs) }
}

/** The page with the comparison of its runs, or with the explanation of its only run. Rejects with an EngineError. */
export async function withComparison(page: Page): Promise<Page> {
  const { runs } = page
  const [first] = runs
  if (first === undefined) return page
  const digests = await Promise.all(
    runs.map(({ client, geometry }) => client.query('digest', geometry ? { geometry } : {})),
  )
  const ask = compareQuery(runs, digests)
  const document = await first.client.query('compare', ask)
  return { ...page, [runs.length > 1 ? 'comparison' : 'explanation']: { runs: runs.map(run => run.id), ask, document } }
}
