/** SHA-256 checksums by which pages recognize traces. */

/** `crypto.subtle.digest` needs all bytes in memory: larger files get no checksum. */
const MAX_HASHED_BYTES = 1 << 30

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')

/** 64 hex digits; absent on pages served by http, where browsers have no `crypto.subtle`, and for large files. */
export async function sha256(blob: Blob): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle || blob.size > MAX_HASHED_BYTES) return undefined
  return hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))
}

/** Joins the checksums of a trace's files, sorted, so that the order of files does not matter. */
export const sortedSums = (sums: readonly string[]): string =>
  sums
    .map(sum => `${sum}\n`)
    .sort()
    .join('')

/**
 * Checksum of a trace, independent of names and archives of its files: what `sha256sum FILES | cut -c1-64 | sort |
 * sha256sum` prints.
 */
export async function sha256OfAll(blobs: readonly Blob[]): Promise<string | undefined> {
  const sums: string[] = []
  for (const blob of blobs) {
    const sum = await sha256(blob)
    if (sum === undefined) return undefined
    sums.push(sum)
  }
  return sha256(new Blob([sortedSums(sums)]))
}
