/** Snapshots of the page in all sizes, one after another, while the dialog is open. */
import { useEffect, useState } from 'react'
import { asEngineError } from '../../../engine/errors'
import type { EngineError, SnapshotSize } from '../../../engine/protocol'
import type { Link } from '../../../link/link'
import { roomFor } from '../../../share/address'
import { type IncludedNames, type PackedSnapshot, sumsOf, takeSnapshot } from '../../../share/take'
import type { Page } from '../../../state/page'
import { useActions } from '../../context'

/** Checksums of the traces, computed once `isNeeded`; `undefined` until then. Computing reads every trace once more. */
export function useSums(page: Page, isNeeded: boolean): Link['sums'] {
  const { checksums } = useActions()
  const [sums, setSums] = useState<Link['sums']>()
  const { runs } = page
  useEffect(() => {
    const request = { wanted: isNeeded }
    if (!isNeeded) return
    void checksums().then(checksumsByTrace => request.wanted && setSums(sumsOf({ runs }, checksumsByTrace)))
    return () => {
      request.wanted = false
    }
  }, [runs, checksums, isNeeded])
  return sums
}

export interface Snapshots {
  readonly snapshots: Readonly<Partial<Record<SnapshotSize, PackedSnapshot>>>
  readonly error?: EngineError
}

export function useSnapshots(page: Page, { names, files }: IncludedNames): Snapshots {
  const [state, setAll] = useState<Snapshots>({ snapshots: {} })
  const { runs, view, trail, comparison, title, labels, results } = page
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a link says of the page, not every part of it
  useEffect(() => {
    const request = { wanted: true }
    const take = async () => {
      setAll({ snapshots: {} })
      // Size S first: the dialog opens with it.
      for (const size of ['S', 'XS', 'M', 'L'] as const) {
        const snapshot = await takeSnapshot(page, size, { names, files }, roomFor(page, size))
        if (!request.wanted) return
        if (snapshot) setAll(({ snapshots }) => ({ snapshots: { ...snapshots, [size]: snapshot } }))
      }
    }
    take().catch(reason => {
      if (request.wanted) setAll(({ snapshots }) => ({ snapshots, error: asEngineError(reason) }))
    })
    return () => {
      request.wanted = false
    }
  }, [
    runs,
    view.range,
    view.hidden,
    view.layer,
    view.stage,
    view.latency,
    view.functions,
    trail,
    comparison,
    title,
    labels,
    results,
    names,
    files,
  ])
  return state
}
