/** A stream of blktrace from a pipe, a FIFO or a folder, as it is written. */
import { fstatSync, open as openFile } from 'node:fs'
import { Socket } from 'node:net'
import type { StreamState } from '../../web/engine/live/frames'
import { concatenate, createCutter, isStream } from '../../web/engine/live/records'
import { systemWords } from '../input/find/system'

/** Receives the contents of a stream. */
export interface StreamTaker {
  file(file: number, name: string): void
  /** Whole records; after damage also what is between them. */
  data(file: number, bytes: Uint8Array): void
}

type EndedState = Extract<StreamState, { readonly state: 'ended' }>

export interface GrowingStream {
  readonly name: string
  /** Passes on what comes until it ends, or `stop` is called. */
  run(taker: StreamTaker): Promise<EndedState>
  /** Ends it: what is on its way is still taken, for a short time. */
  stop(): void
}

/** Name of the only file of a pipe. */
const PIPED = 'stream'
/** Time for the tracer to write its remaining buffers after an interrupt, ms. */
const DRAIN_MS = 300

/** Opens a FIFO without blocking the process. */
const openFifo = (path: string): Promise<number> =>
  new Promise((resolve, reject) => openFile(path, 'r', (error, fd) => (error ? reject(error) : resolve(fd))))

/** Whether a descriptor is a pipe, FIFO or socket. */
export function isPipe(fd: number): boolean {
  const stats = fstatSync(fd)
  return stats.isFIFO() || stats.isSocket()
}

/** A pipe of which the first bytes are known. */
export interface OpenedPipe {
  readonly first: Uint8Array
  readonly pieces: AsyncIterator<Uint8Array>
  /** Whether it begins with a blktrace record. */
  readonly isStream: boolean
  /** Stops reading. */
  end(): void
}

/** Opens standard input (`-`) or a FIFO and waits for the first bytes. Rejects with an error of the system. */
export async function openPipe(path: string): Promise<OpenedPipe> {
  const socket = new Socket({ fd: path === '-' ? 0 : await openFifo(path), readable: true, writable: false })
  const pieces: AsyncIterator<Uint8Array> = socket[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let length = 0
  while (length < 4) {
    const piece = await pieces.next()
    if (piece.done) break
    first.push(piece.value)
    length += piece.value.length
  }
  const bytes = concatenate(first)
  return { first: bytes, pieces, isStream: isStream(bytes), end: () => socket.destroy() }
}

export function pipeStream(path: string, { first, pieces, end }: OpenedPipe): GrowingStream {
  let stopped = false
  return {
    name: path === '-' ? 'standard-input' : path,
    async run(taker) {
      const cutter = createCutter()
      const take = (bytes: Uint8Array) => {
        const records = cutter.push(bytes)
        if (records.length > 0) taker.data(0, records)
      }
      taker.file(0, PIPED)
      take(first)
      try {
        for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) take(piece.value)
      } catch (error) {
        if (!stopped) return { state: 'ended', why: 'failed', message: systemWords(error) }
      }
      const rest = cutter.rest()
      // The engine reports the incomplete record.
      if (rest.length > 0) taker.data(0, rest)
      if (stopped) return { state: 'ended', why: 'interrupted' }
      return rest.length > 0 ? { state: 'ended', why: 'broken', bytes: rest.length } : { state: 'ended', why: 'end' }
    },
    stop() {
      if (stopped) return
      stopped = true
      setTimeout(end, DRAIN_MS).unref()
    },
  }
}
