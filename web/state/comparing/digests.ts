/** Digests of traces: each trace is queried once per geometry, however many comparisons need it. */
import type { ComparedRun, Digest, TraceClient } from '../../engine/protocol'
import { deviceOf } from '../filter'
import type { Run } from '../types'

const digests = new WeakMap<TraceClient, Map<string, Promise<Digest>>>()

/**
 * The digest of a run. Cached per client and geometry; a failed query is forgotten, so that the next one tries again.
 */
export function digestOf({ client, geometry }: Run): Promise<Digest> {
  const byGeometry = digests.get(client) ?? new Map<string, Promise<Digest>>()
  digests.set(client, byGeometry)
  const key = JSON.stringify(geometry ?? null)
  const digest = byGeometry.get(key) ?? client.query('digest', geometry ? { geometry } : {})
  byGeometry.set(key, digest)
  digest.catch(() => byGeometry.delete(key))
  return digest
}

/** A run as the engine compares it, without its trace. A label that several of `runs` have gets the run's letter. */
export function described(run: Run, runs: readonly Run[]): Omit<ComparedRun, 'trace'> {
  const isUnique = runs.filter(r => r.label === run.label).length === 1
  const device = deviceOf(run)?.dev
  return {
    label: isUnique ? run.label : `${run.label} (${run.linkLetter})`,
    ...(run.kernel !== undefined && { kernel: run.kernel }),
    ...(run.group !== undefined && { group: run.group }),
    ...(device !== undefined && { device }),
    ...(run.bench && { bench: run.bench }),
    ...(run.settings && { settings: run.settings }),
  }
}
