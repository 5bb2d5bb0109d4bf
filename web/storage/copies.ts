/** Copies of files, in the origin private file system. */

export interface Copies {
  /** Rejects when there is no room; nothing is left of the copy then. */
  write(name: string, blob: Blob): Promise<void>
  /** Absent if there is no complete copy of this size. */
  read(name: string, size: number): Promise<File | undefined>
  names(): Promise<readonly string[]>
  remove(name: string): Promise<void>
  clear(): Promise<void>
}

const FOLDER = 'comparisons'

/** Rejects where the browser has no such file system, or does not let pages write to it. */
export async function openCopies(): Promise<Copies> {
  if (!('createWritable' in FileSystemFileHandle.prototype)) throw new Error('files cannot be written')
  const root = await navigator.storage.getDirectory()
  const folder = () => root.getDirectoryHandle(FOLDER, { create: true })
  await folder()
  return {
    async write(name, blob) {
      const files = await folder()
      const file = await files.getFileHandle(name, { create: true })
      try {
        await blob.stream().pipeTo(await file.createWritable())
      } catch (reason) {
        await files.removeEntry(name).catch(() => undefined)
        throw reason
      }
    },
    async read(name, size) {
      try {
        const file = await (await (await folder()).getFileHandle(name)).getFile()
        return file.size === size ? file : undefined
      } catch {
        return undefined
      }
    },
    async names() {
      const names: string[] = []
      for await (const name of (await folder()).keys()) names.push(name)
      return names
    },
    remove: async name => (await folder()).removeEntry(name).catch(() => undefined),
    clear: () => root.removeEntry(FOLDER, { recursive: true }),
  }
}
