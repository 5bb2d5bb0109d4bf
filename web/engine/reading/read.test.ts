import { afterEach, describe, expect, it, vi } from 'vitest'
import { openSource } from './read'

const bytes = (n: number) => Uint8Array.from({ length: n }, (_, i) => (i * 7 + (i >> 8)) & 0xff)

const readAll = async (source: Awaited<ReturnType<typeof openSource>>) => {
  const all: number[] = []
  for (let piece = await source.next(); piece; piece = await source.next()) all.push(...piece)
  return Uint8Array.from(all)
}

/** A file whose stream goes on with `pull` after its first `good` bytes. */
const fileThat = (
  content: Uint8Array<ArrayBuffer>,
  good: number,
  pull: (c: ReadableByteStreamController) => Promise<void>,
): Blob => {
  const blob = new Blob([content])
  let sent = false
  blob.stream = () =>
    new ReadableStream({
      type: 'bytes',
      pull(controller) {
        if (sent || good === 0) return pull(controller)
        sent = true
        controller.enqueue(content.slice(0, good))
        return undefined
      },
    })
  return blob
}

afterEach(() => vi.useRealTimers())

describe('reading', () => {
  it('gives every byte once, whatever is read ahead', async () => {
    const content = bytes(100_000)
    for (const ahead of [1000, 4096, 1 << 20]) {
      const source = await openSource({ name: 'a', blob: new Blob([content]) }, ahead)
      expect(await readAll(source)).toEqual(content)
      source.end()
      const rest = await openSource({ name: 'a', blob: new Blob([content]) }, ahead, 33_333)
      expect(await readAll(rest)).toEqual(content.subarray(33_333))
    }
    expect(await readAll(await openSource({ name: 'empty', blob: new Blob([]) }, 4096))).toEqual(new Uint8Array())
  })

  it('goes on with slices when a stream stalls', async () => {
    vi.useFakeTimers()
    const content = bytes(50_000)
    for (const good of [0, 30_000]) {
      const source = await openSource(
        { name: 'a', blob: fileThat(content, good, () => new Promise(() => undefined)) },
        32_768,
      )
      const all = readAll(source)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await all).toEqual(content)
    }
  })

  it('says where a file could not be read', async () => {
    const blob = fileThat(bytes(9000), 5000, () => Promise.reject(new DOMException('gone', 'NotReadableError')))
    const source = await openSource({ name: 'usb/a', blob }, 8192)
    await expect(readAll(source)).rejects.toMatchObject({
      code: 'unreadable-file',
      at: { file: 'usb/a', byte: 5000, size: 9000 },
    })
  })
})
