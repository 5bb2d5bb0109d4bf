/** Unpacks dropped files, looks at both ends of each and asks the engine which of them are traces. Runs in a worker. */
import { group } from './generated/seekscope.js'
import type { DroppedFile, Grouping, Unpacking } from './protocol'
import { unpackFiles } from './unpack'

/** What the engine wants to see of a file's start and end. */
const PROBE_BYTES = 64 << 10
/** Files looked at together: enough to keep a disk busy, few enough for any limit on open files. */
const TOGETHER = 16

const NOTHING = new Uint8Array()

/** An unreadable file counts as an empty one here; who opens it hears why. */
const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer())
const probe = async ({ blob }: DroppedFile) => ({
  head: await bytesOf(blob.slice(0, PROBE_BYTES)).catch(() => NOTHING),
  tail: await bytesOf(blob.slice(Math.max(0, blob.size - PROBE_BYTES))).catch(() => NOTHING),
})

/** Needs the engine's module to be set up; `tell` hears how far archives are unpacked. */
export const groupFiles = async (dropped: readonly DroppedFile[], tell: (progress: Unpacking) => void): Promise<Grouping> => {
  const { files, problems } = await unpackFiles(dropped, tell)
  const ends: Awaited<ReturnType<typeof probe>>[] = []
  for (let from = 0; from < files.length; from += TOGETHER) ends.push(...(await Promise.all(files.slice(from, from + TOGETHER).map(probe))))
  const probes = files.map(({ name, path, blob, lastModified }) => ({ name, path, size: blob.size, lastModified }))
  const found = group(
    JSON.stringify(probes),
    ends.map(e => e.head),
    ends.map(e => e.tail),
  )
  return { ...found, files, problems }
}
