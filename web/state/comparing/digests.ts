/** Digests of traces: each trace is queried once per geometry, however many comparisons need it. */
import type { ComparedRun, Digest, TraceClient } from '../../engine/protocol'
import { deviceOf } from '../filter'
import type { Run } from '../types'

const digests = new WeakMap<TraceClient, Map<string, Promise<Digest>>>()

export function digestOf({ client, geometry }: Run): Promise<Digest> {
  const known = digests.get(client) ?? new Map<string, Promise<Digest>>()
  digests.set(client, known)
  const key = JSON.stringify(geometry ?? null)
  const digest = known.get(key) ?? client.query('digest', geometry ? { geometry } : {})
  known.set(key, digest)
  digest.catch(() => known.delete(key))
  return digest
}

/** A run as the engine compares it, without its trace. A label that several of `runs` have gets the run's letter. */
export function described(run: Run, runs: readonly Run[]): Omit<ComparedRun, 'trace'> {
  const alone = runs.filter(r => r.label === run.label).length === 1
  const device = deviceOf(run)?.dev
  return {
    label: alone ? run.label : `${run.label} (${run.letter})`,
    ...(run.kernel !== undefined && { kernel: run.kernel }),
    ...(run.group !== undefined && { group: run.group }),
    ...(device !== undefined && { device }),
    ...(run.bench && { bench: run.bench }),
    ...(run.settings && { settings: run.settings }),
  }
}
