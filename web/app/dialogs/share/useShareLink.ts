/** The links of this page, by size: made when their snapshot is, and only when they fit. */
import type { SnapshotSize } from '../../../engine/protocol'
import { count } from '../../../lib/format'
import { maxLinkLength, snapshotAddress } from '../../../share/address'
import { MAX_BRIEF_RUNS } from '../../../share/take'
import { openSnapshotOf } from '../../../state/address/snapshots'
import type { Page } from '../../../state/page'
import type { LinkSize } from './ShareParts'
import { type Included, isFitted, whyUnfit } from './shareWords'
import { useSums, useTaken } from './useTaken'

export interface ShareLink {
  /** The page shows a snapshot: it is shared as it came, in its one size. */
  readonly carried: boolean
  /** Absent until it is made, and where it does not fit. */
  readonly address: string | undefined
  /** Why there is no link of this size. */
  readonly unfit: string | undefined
  /** Columns of the charts, once they are made. */
  readonly columns: number | undefined
  readonly error: { readonly message: string } | undefined
  /** Of the link of another size, for people. */
  lengthOf(size: LinkSize): string
}

export function useShareLink(page: Page, size: LinkSize, included: Included): ShareLink {
  const carried = openSnapshotOf(page)
  const { taken, error } = useTaken(page, included)
  // Reading the traces once more waits for the links.
  const sums = useSums(page, taken.L !== undefined || error !== undefined)
  const text = carried?.text ?? taken[size]?.text
  const linkTo = (text: string, size: SnapshotSize) =>
    // Sizes XS and S are made to fit, and checksums would take room from their charts.
    snapshotAddress(page, text, { size, ...(!isFitted(size) && !carried && sums && { sums }) })
  const ready = isFitted(size) || carried !== undefined || sums !== undefined
  const made = text && ready ? linkTo(text, size) : undefined
  const unfit =
    carried === undefined && isFitted(size)
      ? whyUnfit(size, page.runs.length, made?.length, page.annotations.length)
      : undefined
  return {
    carried: carried !== undefined,
    address: unfit ? undefined : made,
    unfit,
    columns: taken[size]?.columns,
    error,
    lengthOf(other) {
      const snapshot = taken[other]
      if (snapshot === undefined) return other === 'XS' && page.runs.length > MAX_BRIEF_RUNS ? '–' : '…'
      const { length } = linkTo(snapshot.text, other)
      return isFitted(other) && length > maxLinkLength(other) ? '–' : count(length)
    },
  }
}
