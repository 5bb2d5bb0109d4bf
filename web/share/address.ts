/** Links to the page as it is shown: a reference link, or one with a snapshot in it. */
import { encodeLink, type Link } from '../link/link'
import type { Page } from '../state/page'
import { linkOf } from '../state/pageLink'

/** Characters that mail clients and trackers accept; size S is made to fit. */
export const SHORT = 8000

const hostOf = ({ href }: Pick<Location, 'href'>): string => href.split('#', 1)[0] ?? ''

/** The snapshot replaces the sources of the runs. */
function withSnapshot(page: Page, snapshot: string | undefined): Link {
  const { sample: _, urls: __, opened: ___, gone: ____, snapshot: _____, ...view } = linkOf(page)
  return { ...view, ...(page.title !== undefined && { title: page.title }), ...(snapshot !== undefined && { snapshot }) }
}

export const snapshotAddress = (page: Page, text: string, at: Pick<Location, 'href'> = location): string =>
  `${hostOf(at)}#${encodeLink(withSnapshot(page, text))}`

/** Characters left for a snapshot in a short link. */
export const roomFor = (page: Page, at: Pick<Location, 'href'> = location): number => SHORT - snapshotAddress(page, '', at).length

/** The view alone, for a report. */
export const viewFragment = (page: Page): string => `#${encodeLink(withSnapshot(page, undefined))}`

/** A link with trace URLs, or with a sample; undefined when a trace is a local file. */
export function referenceAddress(page: Page, at: Pick<Location, 'href'> = location): string | undefined {
  const link = linkOf(page)
  return link.urls || link.sample !== undefined ? `${hostOf(at)}#${encodeLink(link)}` : undefined
}
