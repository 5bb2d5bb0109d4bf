/** All that reads and writes storage. In a script of its own, which the landing page does not wait for. */
import type { Page } from '../state/page'
import { createRestorer, type Restorer } from './restorer'
import { openShelf, type Shelf } from './shelf'
import type { KeeperTargets } from './targets'
import { createWriter, type Writer } from './writer'

export interface Cabinet {
  readonly shelf: Shelf
  readonly writer: Writer
  readonly restorer: Restorer
}

/** `onWritten` gets the batches that are kept completely. Rejects where the browser refuses storage. */
export async function openCabinet(
  targets: KeeperTargets,
  onWritten: (safe: Page['batches'] | undefined) => void,
): Promise<Cabinet> {
  const shelf = await openShelf()
  const writer = createWriter(targets, shelf, onWritten)
  return { shelf, writer, restorer: createRestorer(targets, shelf, writer) }
}
