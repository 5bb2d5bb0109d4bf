/** Files that the operating system opens with the page when it is installed as an app. */
import { type FoundFile, fromFile } from './found'

/** Missing in some browsers, and therefore in TypeScript's library. */
interface LaunchQueue {
  setConsumer(take: (launch: { readonly files: readonly FileSystemFileHandle[] }) => void): void
}

declare global {
  interface Window {
    readonly launchQueue?: LaunchQueue
  }
}

/** Calls `open` with the files of each launch, or `refuse` when one cannot be read. */
export function onLaunch(open: (files: readonly FoundFile[]) => void, refuse: (reason: unknown) => void): void {
  window.launchQueue?.setConsumer(({ files }) => {
    if (files.length === 0) return
    Promise.all(files.map(async handle => fromFile(await handle.getFile(), undefined, handle))).then(open, refuse)
  })
}
