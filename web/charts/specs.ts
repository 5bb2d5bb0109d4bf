/**
 * The charts by name: what `seekscope plot --chart` takes, in the order in which its help lists them. The code of a chart
 * is loaded when it is drawn. A folder with a `spec.ts` must be here, and nothing else; `specs.test.ts` compares both.
 */
import type { QueryKind } from '../engine/protocol'
import type { Cells, PanelSpec, RowSpec } from './shared/spec'

type AnyQueries = Readonly<Record<string, QueryKind>>

/** A chart whose queries are known to itself only. */
export type AnySpec = RowSpec<AnyQueries, Cells> | PanelSpec<AnyQueries, Cells>

export const SPECS = {
  'queue-depth': async (): Promise<AnySpec> => (await import('./queue-depth/spec')).queueDepth,
  throughput: async (): Promise<AnySpec> => (await import('./throughput/spec')).throughput,
  iops: async (): Promise<AnySpec> => (await import('./throughput/spec')).iops,
}
