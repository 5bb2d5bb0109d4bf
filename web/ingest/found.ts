/** A file as it was found, before anyone looked inside. */
export interface FoundFile {
  /** Name without folders. */
  readonly name: string
  /** With the folders it was found in: `run-1/sda.blktrace.0`. */
  readonly path: string
  readonly blob: Blob
  /** ms since 1970. */
  readonly lastModified: number
}

export const fromFile = (file: File, path = file.webkitRelativePath || file.name): FoundFile => ({
  name: file.name,
  path,
  blob: file,
  lastModified: file.lastModified,
})
