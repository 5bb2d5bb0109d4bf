/** The snapshot and view in a report, written by `reportFile` in `report.ts`. */
import type { EmbeddedLink } from '../state/address/addressbar'
import { SNAPSHOT_ID, VIEW_ID } from './report'

const textOf = (id: string): string | undefined => document.getElementById(id)?.textContent?.trim() || undefined

/** The snapshot and view of a report; empty if the page is not a report. */
export function embedded(): EmbeddedLink {
  const snapshot = textOf(SNAPSHOT_ID)
  const view = textOf(VIEW_ID)
  return { ...(snapshot && { snapshot }), ...(view && { view }) }
}
