/**
 * The charts by name: what `seekscope plot --chart` takes, in the order in which its help lists them. The code of a
 * chart is loaded when it is drawn. All folders with a chart must be here, but those of kind `page`; `specs.test.ts`
 * compares both.
 */
import type { QueryKind } from '../engine/protocol'
import type { PanelSpec, RowSpec } from './shared/spec'

type AnyQueries = Readonly<Record<string, QueryKind>>

/** A chart whose queries are known to itself only. */
export type AnySpec = RowSpec<AnyQueries> | PanelSpec<AnyQueries>

export const SPECS = {
  'seek-map': async (): Promise<AnySpec> => (await import('./seek-map/spec')).seekMap,
  'queue-depth': async (): Promise<AnySpec> => (await import('./queue-depth/spec')).queueDepth,
  throughput: async (): Promise<AnySpec> => (await import('./throughput/spec')).throughput,
  iops: async (): Promise<AnySpec> => (await import('./throughput/spec')).iops,
  latency: async (): Promise<AnySpec> => (await import('./latency/spec')).latency,
  percentiles: async (): Promise<AnySpec> => (await import('./percentiles/spec')).percentiles,
  stages: async (): Promise<AnySpec> => (await import('./stages/spec')).stages,
  'request-sizes': async (): Promise<AnySpec> => (await import('./request-sizes/spec')).requestSizes,
  alignment: async (): Promise<AnySpec> => (await import('./alignment/spec')).alignment,
  stripes: async (): Promise<AnySpec> => (await import('./stripes/spec')).stripes,
  flushes: async (): Promise<AnySpec> => (await import('./flushes/spec')).flushes,
}
