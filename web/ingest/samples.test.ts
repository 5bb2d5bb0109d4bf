import { readFileSync, statSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { SAMPLES } from './samples'
import { gunzip } from './unpack'

const stored = (path: string) => new URL(`../../public/samples/${path}.gz`, import.meta.url)

/** Records of a little-endian file, counted by their headers alone. */
function countRecords(bytes: Buffer): number {
  let n = 0
  for (let offset = 0; offset < bytes.length; offset += 48 + bytes.readUInt16LE(offset + 46)) {
    if (bytes.readUInt32LE(offset) !== 0x65617407) throw new Error(`no record at ${offset}`)
    n++
  }
  return n
}

describe('the comparisons that come with the page', () => {
  it('hold the number of records they name', () => {
    for (const run of SAMPLES.flatMap(s => s.runs)) {
      const records = run.files.map(f => countRecords(gunzipSync(readFileSync(stored(`${run.folder}/${f}`)))))
      expect(records.reduce((a, b) => a + b)).toBe(run.records)
    }
  })
  it('are small enough to ship', () => {
    const sizes = SAMPLES.flatMap(s => s.runs.flatMap(r => r.files.map(f => statSync(stored(`${r.folder}/${f}`)).size)))
    expect(sizes.reduce((a, b) => a + b)).toBeLessThan(3_000_000)
  })
  it('set the geometry of the array only where there is one', () => {
    expect(SAMPLES.map(s => s.geometry)).toEqual([
      undefined,
      { level: 'raid5', unit: 512, dataDisks: 4, start: 0 },
      undefined,
    ])
  })
})

describe('unpacking', () => {
  it('unpacks by content, and leaves alone what a host has unpacked already', async () => {
    const text = 'block I/O '.repeat(500)
    expect(await (await gunzip(new Blob([new Uint8Array(gzipSync(text))]))).text()).toBe(text)
    expect(await (await gunzip(new Blob([text]))).text()).toBe(text)
    expect((await gunzip(new Blob([]))).size).toBe(0)
  })
})
