/** Looks at both ends of dropped files and asks the engine which of them are traces. Runs in a worker. */
import { group } from './generated/seekscope.js'
import type { DroppedFile, Grouping } from './protocol'
import { headOf, tailOf } from './read'

/** What the engine wants to see of a file's start and end. */
const PROBE_BYTES = 64 << 10
/** Files looked at together: enough to keep a disk busy, few enough for any limit on open files. */
const TOGETHER = 16

const NOTHING = new Uint8Array()

/** An unreadable file counts as an empty one here; who opens it hears why. */
const probe = async (file: DroppedFile) => ({
  head: await headOf(file, PROBE_BYTES).catch(() => NOTHING),
  tail: await tailOf(file, PROBE_BYTES).catch(() => NOTHING),
})

/** Needs the engine's module to be set up. */
export const groupFiles = async (files: readonly DroppedFile[]): Promise<Grouping> => {
  const ends: Awaited<ReturnType<typeof probe>>[] = []
  for (let from = 0; from < files.length; from += TOGETHER) ends.push(...(await Promise.all(files.slice(from, from + TOGETHER).map(probe))))
  const probes = files.map(({ name, path, blob, lastModified }) => ({ name, path, size: blob.size, lastModified }))
  return group(
    JSON.stringify(probes),
    ends.map(e => e.head),
    ends.map(e => e.tail),
  )
}
