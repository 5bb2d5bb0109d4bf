/** Addresses of the page as it is shown: by what it was opened from, or with a snapshot in it. */
import { encodeLink, type Link } from '../link/link'
import type { Page } from '../state/page'
import { linkOf } from '../state/pageLink'

/** Characters that mail programs and trackers take; the small size is made to fit. */
export const SHORT = 8000

const hostOf = ({ href }: Pick<Location, 'href'>): string => href.split('#', 1)[0] ?? ''

/** What the page was opened from does not stand beside what it is. */
function withSnapshot(page: Page, snapshot: string | undefined): Link {
  const { sample: _, urls: __, opened: ___, gone: ____, snapshot: _____, ...view } = linkOf(page)
  return { ...view, ...(page.title !== undefined && { title: page.title }), ...(snapshot !== undefined && { snapshot }) }
}

export const snapshotAddress = (page: Page, text: string, at: Pick<Location, 'href'> = location): string =>
  `${hostOf(at)}#${encodeLink(withSnapshot(page, text))}`

/** Room for a snapshot in a short address. */
export const roomFor = (page: Page, at: Pick<Location, 'href'> = location): number => SHORT - snapshotAddress(page, '', at).length

/** The view alone, for a report. */
export const viewFragment = (page: Page): string => `#${encodeLink(withSnapshot(page, undefined))}`

/** By what every reader can fetch: addresses of traces, or a sample of this page. Undefined where traces came from a disk. */
export function referenceAddress(page: Page, at: Pick<Location, 'href'> = location): string | undefined {
  const link = linkOf(page)
  return link.urls || link.sample !== undefined ? `${hostOf(at)}#${encodeLink(link)}` : undefined
}
