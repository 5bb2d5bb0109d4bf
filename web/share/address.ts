/** Links to the page as it is shown: a reference link, or one with a snapshot in it. */
import type { SnapshotSize } from '../engine/protocol'
import { encodeLink, type Link } from '../link/link'
import { linkOf } from '../state/address/pageLink'
import type { Page } from '../state/page'
import { elided, LABEL_LENGTHS, shortLabels } from './trim'

/** Length that common mail clients and trackers accept; links of size S are made to fit. */
export const MAX_LENGTH_S = 8000

/** Length that all mail clients accept; links of size XS are made to fit. */
export const MAX_LENGTH_XS = 2000

/** Longest link of a size. */
export const maxLinkLength = (size: SnapshotSize): number => (size === 'XS' ? MAX_LENGTH_XS : MAX_LENGTH_S)

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

/** Maximum share of a link of size XS or S for the view; longer texts in it are shortened. */
const VIEW_SHARE = 0.4

/**
 * Shortens labels, groups and title step by step until the link fits into `maxLength`: a view that takes all the room
 * would leave none for the snapshot.
 */
function shortenTexts(link: Link, maxLength: number): Link {
  const longEnough = [Number.POSITIVE_INFINITY, ...LABEL_LENGTHS]
  const lengths = longEnough.map(length => withShortTexts(link, length))
  return lengths.find(short => encodeLink(short).length <= maxLength) ?? lengths.at(-1) ?? link
}

function withShortTexts(link: Link, maxTextLength: number): Link {
  if (maxTextLength === Number.POSITIVE_INFINITY) return link
  const short = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
    const names = shortLabels(Object.values(texts), maxTextLength)
    return Object.fromEntries(Object.keys(texts).map((key, i) => [key, names[i] ?? '']))
  }
  const { cells: _, parts: __, ...rest } = link
  return {
    ...rest,
    ...(link.title !== undefined && { title: elided(link.title, maxTextLength) }),
    ...(link.labels && { labels: short(link.labels) }),
    ...(link.groups && { groups: short(link.groups) }),
  }
}

/** `sums` of the traces in the snapshot; absent: those of the link from which the page was opened, if any. */
export function snapshotAddress(
  page: Page,
  text: string,
  {
    pageLocation = location,
    sums,
    size,
  }: { pageLocation?: Pick<Location, 'href'>; sums?: Link['sums']; size?: SnapshotSize } = {},
): string {
  const host = hostOf(pageLocation)
  const view = withSnapshot(page, '', sums)
  const fitted =
    size === 'XS' || size === 'S' ? shortenTexts(view, maxLinkLength(size) * VIEW_SHARE - host.length) : view
  return `${host}#${encodeLink({ ...fitted, snapshot: text })}`
}

/** Number of characters for the snapshot in a link of size XS or S. */
export const roomFor = (page: Page, size: SnapshotSize, pageLocation: Pick<Location, 'href'> = location): number =>
  maxLinkLength(size) - snapshotAddress(page, '', { pageLocation, size }).length

/** The view alone, for a report, with the checksums of its traces. */
export const viewFragment = (page: Page, sums?: Link['sums']): string =>
  `#${encodeLink(withSnapshot(page, undefined, sums))}`

/** A link with trace URLs, or with a sample; undefined when a trace is a local file. */
export function referenceAddress(page: Page, pageLocation: Pick<Location, 'href'> = location): string | undefined {
  const link = linkOf(page)
  return link.urls || link.sample !== undefined ? `${hostOf(pageLocation)}#${encodeLink(link)}` : undefined
}
