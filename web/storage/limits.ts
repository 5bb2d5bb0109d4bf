/** How much is kept in the browser, and what gives way first. */

export const MAX_COMPARISONS = 8
/** Copies of all files together. */
export const MAX_TOTAL_BYTES = 512e6
export const MAX_FILE_BYTES = 256e6
/** Files of one comparison. */
export const MAX_FILES = 400
/** Characters of a link: a snapshot in it may be large. */
export const MAX_LINK_LENGTH = 200_000

export interface FileToKeep {
  readonly size: number
  /** The browser can open it again from the disk: nothing is copied. */
  readonly onDisk: boolean
}

/** Why a file is not kept. */
export type NotKept = 'file-too-large' | 'together-too-large' | 'too-many-files' | 'no-copies' | 'no-room'

/** Whether each file is kept, in their order: the first ones that fit. */
export function planFiles(files: readonly FileToKeep[], canCopy: boolean): readonly (NotKept | undefined)[] {
  let bytes = 0
  return files.map(({ size, onDisk }, i) => {
    if (i >= MAX_FILES) return 'too-many-files'
    if (onDisk) return undefined
    if (!canCopy) return 'no-copies'
    if (size > MAX_FILE_BYTES) return 'file-too-large'
    if (bytes + size > MAX_TOTAL_BYTES) return 'together-too-large'
    bytes += size
    return undefined
  })
}

export interface Keepsake {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly when: number
  /** Size of its copies. */
  readonly bytes: number
}

/** Ids of the comparisons that give way to a new one, the oldest first. */
export function planDrops(stored: readonly Keepsake[], added: Keepsake): readonly string[] {
  const others = stored.filter(({ id }) => id !== added.id).sort((a, b) => a.when - b.when)
  let count = others.length + 1
  let bytes = others.reduce((sum, other) => sum + other.bytes, added.bytes)
  const dropped: string[] = []
  for (const other of others) {
    if (count <= MAX_COMPARISONS && bytes <= MAX_TOTAL_BYTES) break
    dropped.push(other.id)
    count--
    bytes -= other.bytes
  }
  return dropped
}
