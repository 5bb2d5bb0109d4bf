/** The 95 % intervals of figures within each run, from the digests that comparisons use. */
import { useCallback, useEffect, useState } from 'react'
import type { Digest } from '../../../engine/protocol'
import { digestOf } from '../../../state/comparing/digests'
import type { IntervalOf } from '../spec'
import type { Shown } from './shown'

/** Stays the same function until a digest arrives, so that charts are not painted again. */
export function useIntervals(shown: readonly Shown[]): IntervalOf {
  const [digests, setDigests] = useState<ReadonlyMap<string, Digest>>(() => new Map())
  const key = shown
    .map(s => `${s.id} ${s.version} ${s.info.complete} ${JSON.stringify([s.run.geometry, s.part?.range])}`)
    .join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the runs, new objects in every render
  useEffect(() => {
    let wanted = true
    for (const { id, run, info, part } of shown) {
      if (!info.complete) continue
      const digest = part ? Promise.resolve(part.digest) : digestOf(run)
      digest.then(
        digest => wanted && setDigests(previous => new Map(previous).set(id, digest)),
        // Without a digest a chart has its means without their intervals.
        () => {},
      )
    }
    return () => {
      wanted = false
    }
  }, [key])
  return useCallback(
    ({ id, device }, key) => digests.get(id)?.devices.find(d => d.dev === device.dev)?.bins.intervals?.[key],
    [digests],
  )
}
