/** The links of this page by size. A link exists once its snapshot is made, and only if it fits. */
import type { SnapshotSize } from '../../../engine/protocol'
import { count } from '../../../lib/format'
import { maxLinkLength, snapshotAddress } from '../../../share/address'
import { MAX_BRIEF_RUNS } from '../../../share/take'
import { openSnapshotOf } from '../../../state/address/snapshots'
import type { Page } from '../../../state/page'
import type { LinkSize } from './ShareParts'
import { type Included, isSizeLimited, whyUnfit } from './shareWords'
import { useSnapshots, useSums } from './useSnapshots'

export interface ShareLink {
  /** Whether the page was opened from a snapshot, which is shared unchanged in its own size. */
  readonly carried: boolean
  /** The link; absent until it is made, and if it does not fit. */
  readonly address: string | undefined
  /** Why there is no link of this size. */
  readonly unfit: string | undefined
  /** Columns of the charts, once they are made. */
  readonly columns: number | undefined
  readonly error: { readonly message: string } | undefined
  /** Length of the link of another size, as text. */
  lengthOf(size: LinkSize): string
}

export function useShareLink(page: Page, size: LinkSize, included: Included): ShareLink {
  const carried = openSnapshotOf(page)
  const { snapshots, error } = useSnapshots(page, included)
  // Checksums read every trace once more, so they wait until the links are made.
  const sums = useSums(page, snapshots.L !== undefined || error !== undefined)
  const text = carried?.text ?? snapshots[size]?.text
  const linkTo = (text: string, size: SnapshotSize) =>
    // Sizes XS and S are made to fit, and checksums would take room from their charts.
    snapshotAddress(page, text, { size, ...(!isSizeLimited(size) && !carried && sums && { sums }) })
  const ready = isSizeLimited(size) || carried !== undefined || sums !== undefined
  const address = text && ready ? linkTo(text, size) : undefined
  const unfit =
    carried === undefined && isSizeLimited(size)
      ? whyUnfit(size, page.runs.length, address?.length, page.annotations.length)
      : undefined
  return {
    carried: carried !== undefined,
    address: unfit ? undefined : address,
    unfit,
    columns: snapshots[size]?.columns,
    error,
    lengthOf(otherSize) {
      const snapshot = snapshots[otherSize]
      if (snapshot === undefined) return otherSize === 'XS' && page.runs.length > MAX_BRIEF_RUNS ? '–' : '…'
      const { length } = linkTo(snapshot.text, otherSize)
      return isSizeLimited(otherSize) && length > maxLinkLength(otherSize) ? '–' : count(length)
    },
  }
}
