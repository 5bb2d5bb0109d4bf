import type { DecodedLink } from '../link/link'
import type { PageActions } from '../state/actions'
import type { PageStore } from '../state/page'

/** Opens a link on the page. */
interface LinkOpener {
  /** Closes all runs and shows the view. */
  show(read: DecodedLink): void
  /** The same, and opens what the link names. */
  open(read: DecodedLink): void
}

/** What a keeper reads and changes. */
export interface KeeperTargets {
  readonly store: PageStore
  readonly actions: Pick<PageActions, 'openReference' | 'readAs'>
  readonly address: LinkOpener
  /** Resolves once nothing has been read or queried for a while. */
  untilRest(): Promise<void>
}
