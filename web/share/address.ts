/** Links to the page as it is shown: a reference link, or one with a snapshot in it. */
import type { SnapshotSize } from '../engine/protocol'
import { encodeLink, type Link } from '../link/link'
import type { Page } from '../state/page'
import { linkOf } from '../state/pageLink'

/** Characters that mail clients and trackers accept; size S is made to fit. */
export const SHORT = 8000

/** Characters that all mail clients accept; size XS is made to fit. */
export const SHORTEST = 2000

/** Longest link of a size. */
export const longest = (size: SnapshotSize): number => (size === 'XS' ? SHORTEST : SHORT)

const hostOf = ({ href }: Pick<Location, 'href'>): string => href.split('#', 1)[0] ?? ''

/** The snapshot replaces the sources of the runs. */
function withSnapshot(page: Page, snapshot: string | undefined, sums: Link['sums']): Link {
  const { sample: _, urls: __, opened: ___, gone: ____, snapshot: _____, ...view } = linkOf(page)
  return {
    ...view,
    ...(page.title !== undefined && { title: page.title }),
    ...(sums && { sums }),
    ...(snapshot !== undefined && { snapshot }),
  }
}

/** `sums` of the traces in the snapshot; absent: those of the link from which the page was opened, if any. */
export const snapshotAddress = (
  page: Page,
  text: string,
  at: Pick<Location, 'href'> = location,
  sums?: Link['sums'],
): string => `${hostOf(at)}#${encodeLink(withSnapshot(page, text, sums))}`

/** Characters left for a snapshot in a link of size XS or S. */
export const roomFor = (page: Page, size: SnapshotSize, at: Pick<Location, 'href'> = location): number =>
  longest(size) - snapshotAddress(page, '', at).length

/** The view alone, for a report, with the checksums of its traces. */
export const viewFragment = (page: Page, sums?: Link['sums']): string =>
  `#${encodeLink(withSnapshot(page, undefined, sums))}`

/** A link with trace URLs, or with a sample; undefined when a trace is a local file. */
export function referenceAddress(page: Page, at: Pick<Location, 'href'> = location): string | undefined {
  const link = linkOf(page)
  return link.urls || link.sample !== undefined ? `${hostOf(at)}#${encodeLink(link)}` : undefined
}
