import type { DroppedFile } from '../engine/protocol'
import type { TraceUrl } from '../link/urls'

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
