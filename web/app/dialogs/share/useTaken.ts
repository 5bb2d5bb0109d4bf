/** Snapshots of the page in all sizes, one after another, while the dialog is open. */
import { useEffect, useState } from 'react'
import { asEngineError } from '../../../engine/errors'
import type { EngineError, SnapshotSize } from '../../../engine/protocol'
import type { Link } from '../../../link/link'
import { roomFor } from '../../../share/address'
import { type IncludedNames, type PackedSnapshot, sumsOf, takeSnapshot } from '../../../share/take'
import type { Page } from '../../../state/page'
import { useActions } from '../../context'

/** Checksums of the traces, of which each is read once more, from when they are `wanted`; undefined until then. */
export function useSums(page: Page, wanted: boolean): Link['sums'] {
  const { checksums } = useActions()
  const [sums, setSums] = useState<Link['sums']>()
  const { runs } = page
  useEffect(() => {
    const still = { wanted }
    if (!wanted) return
    void checksums().then(known => still.wanted && setSums(sumsOf({ runs }, known)))
    return () => {
      still.wanted = false
    }
  }, [runs, checksums, wanted])
  return sums
}

export interface AllTaken {
  readonly taken: Readonly<Partial<Record<SnapshotSize, PackedSnapshot>>>
  readonly error?: EngineError
}

export function useTaken(page: Page, { names, files }: IncludedNames): AllTaken {
  const [all, setAll] = useState<AllTaken>({ taken: {} })
  const { runs, view, trail, comparison, title, labels, results } = page
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a link says of the page, not every part of it
  useEffect(() => {
    const still = { wanted: true }
    const take = async () => {
      setAll({ taken: {} })
      // The size that is shown first.
      for (const size of ['S', 'XS', 'M', 'L'] as const) {
        const one = await takeSnapshot(page, size, { names, files }, roomFor(page, size))
        if (!still.wanted) return
        if (one) setAll(({ taken }) => ({ taken: { ...taken, [size]: one } }))
      }
    }
    take().catch(reason => {
      if (still.wanted) setAll(({ taken }) => ({ taken, error: asEngineError(reason) }))
    })
    return () => {
      still.wanted = false
    }
  }, [
    runs,
    view.range,
    view.hidden,
    view.layer,
    view.stage,
    view.latency,
    trail,
    comparison,
    title,
    labels,
    results,
    names,
    files,
  ])
  return all
}
