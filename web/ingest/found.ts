import type { DroppedFile } from '../engine/protocol'

/** Where a file was fetched from. */
export interface TraceUrl {
  /** Absolute, http or https. */
  readonly url: string
  /** First 16 hex digits of the SHA-256 of what was there; absent where it is not known. */
  readonly sha?: string
}

/** A file as it was found, before anyone looked inside; `path` names the folders it was found in. */
export interface FoundFile extends DroppedFile {
  readonly source?: TraceUrl
}

export const fromFile = (file: File, path = file.webkitRelativePath || file.name): FoundFile => ({
  name: file.name,
  path,
  blob: file,
  lastModified: file.lastModified,
})
