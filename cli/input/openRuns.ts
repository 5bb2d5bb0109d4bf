/** Traces that stay open, as runs of a page: for links, reports and charts. */
import { directClient } from '../../web/engine/answer'
import type { CompareQuery, Digest, LabelSource } from '../../web/engine/protocol'
import type { ReadTrace } from '../../web/share/traces'
import type { FoundResults } from '../output/figures/results'
import type { RunArrangement, TraceInputs } from '../program/values'
import { checksumOf } from './read/checksum'
import { loadEngine } from './read/engine'
import type { OpenTrace } from './read/read'
import { type LoadedTrace, ofEachTrace } from './read/traces'
import { arrayOf, suggestGeometry } from './runs'

/** Whether checksums of the traces are wanted: each trace is read once more. */
export interface Summed {
  readonly sums: boolean
}

/** A trace that is kept open, as the page takes it. */
export interface OpenRun {
  readonly open: OpenTrace
  readonly run: ReadTrace
  /** Group that the recorder noted. */
  readonly group?: string
  readonly labelSource: LabelSource
  readonly sum?: string
  readonly digest: Digest
  /** What was read. */
  readonly loaded: LoadedTrace
}

/** Reads all traces among the paths. The caller frees them. */
export function openRuns(
  inputs: TraceInputs,
  { geometry, labels, device, sums }: Omit<RunArrangement, 'baseline' | 'groups' | 'ungrouped'> & Summed,
  results: (found: FoundResults) => void,
): Promise<readonly OpenRun[]> {
  const engine = loadEngine()
  return ofEachTrace(
    inputs,
    (loaded): OpenRun => {
      const { trace, index, notes, bench, settings, label, kernel, group, labelSource, path, files } = loaded
      const runGeometry = geometry ?? arrayOf(notes)
      const query = runGeometry ? { geometry: runGeometry } : {}
      const digest = trace.query('digest', query)
      if (!geometry) suggestGeometry(path, digest)
      // The engine chooses the device to compare; the page shows the same one.
      const alone: CompareQuery = {
        runs: [{ label, trace: digest, ...(device !== undefined && { device }) }],
        baseline: 0,
      }
      const compared = engine.compare(JSON.stringify(alone)).runs[0]?.device
      const info = trace.query('info', {})
      const shown = info.devices.find(d => compared === d.name || compared === d.dev)
      return {
        open: trace,
        loaded,
        digest,
        labelSource,
        ...(group && { group }),
        ...(sums && { sum: checksumOf(files) }),
        run: {
          client: directClient(engine, trace.engine),
          info,
          label: labels[index] ?? label,
          ...(kernel && { kernel }),
          ...query,
          ...(bench.length > 0 && { bench }),
          ...(settings.length > 0 && { settings }),
          ...(shown && { device: shown.index }),
        },
      }
    },
    { keep: true, results },
  )
}
