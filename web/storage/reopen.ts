/** The files of a kept comparison, from their copies or from the disk. */
import type { FoundFile } from '../ingest/found'
import type { StoredComparison, StoredFile } from './record'
import type { Shelf } from './shelf'

declare global {
  interface FileSystemHandle {
    /** Missing in some browsers, and therefore in TypeScript's library. */
    queryPermission?(mode: { readonly mode: 'read' }): Promise<PermissionState>
    requestPermission?(mode: { readonly mode: 'read' }): Promise<PermissionState>
  }
}

const READ = { mode: 'read' } as const

const storedFiles = ({ batches }: StoredComparison): readonly StoredFile[] => batches.flatMap(batch => batch.files)

/** Dropped files and folders that the browser opens again only after the user has agreed. */
export async function lockedHandles(record: StoredComparison): Promise<readonly FileSystemHandle[]> {
  const handles = [...new Set(storedFiles(record).flatMap(({ handle }) => handle ?? []))]
  const states = await Promise.all(handles.map(handle => handle.queryPermission?.(READ)))
  return handles.filter((_, i) => states[i] === 'prompt')
}

/** Asks the user; must be called while a press of a button is handled. */
export async function unlock(handles: readonly FileSystemHandle[]): Promise<void> {
  for (const handle of handles) await handle.requestPermission?.(READ).catch(() => undefined)
}

const isFolder = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle => handle.kind === 'directory'

/** The file at a path whose first part is the name of the handle. */
async function fileAt(handle: FileSystemHandle, path: string): Promise<File> {
  if (!isFolder(handle)) return (handle as FileSystemFileHandle).getFile()
  const folders = path.split('/').slice(1)
  const name = folders.pop() ?? ''
  let folder = handle
  for (const part of folders) folder = await folder.getDirectoryHandle(part)
  return (await folder.getFileHandle(name)).getFile()
}

async function reopen(file: StoredFile, shelf: Shelf): Promise<FoundFile | undefined> {
  const { name, path, handle, copy, size, lastModified } = file
  if (copy !== undefined) {
    const blob = await shelf.read(copy, size)
    return blob && { name, path, blob, lastModified }
  }
  try {
    const blob = handle && (await fileAt(handle, path))
    return blob && handle && { name, path, blob, lastModified: blob.lastModified, handle }
  } catch {
    // It was moved, deleted or not allowed.
    return undefined
  }
}

export interface Reopened {
  /** In the order of the record; `undefined`: not available. */
  readonly files: readonly (FoundFile | undefined)[]
  readonly missing: readonly string[]
  /** Names of files that are not what they were. */
  readonly changed: readonly string[]
}

export async function reopenFiles(record: StoredComparison, shelf: Shelf): Promise<Reopened> {
  const stored = storedFiles(record)
  const files = await Promise.all(stored.map(file => reopen(file, shelf)))
  const isChanged = (file: StoredFile, now: FoundFile | undefined) =>
    now !== undefined && (now.blob.size !== file.size || now.lastModified !== file.lastModified)
  return {
    files,
    missing: stored.flatMap(({ name }, i) => (files[i] ? [] : name)),
    changed: stored.flatMap((file, i) => (isChanged(file, files[i]) ? file.name : [])),
  }
}
