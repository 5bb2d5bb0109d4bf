/**
 * The stream that `seekscope open` serves to its page. A frame: length of the payload (u32, little-endian), kind
 * (one character), payload. `h` what the stream is, `f` a file has appeared, `d` number of the file (u16) and whole
 * records of it, `s` state.
 */
import { concatenate } from './records'

/** First frame of a stream. */
export interface StreamHello {
  readonly name: string
  readonly label: string
  /** Bytes of the recording that were dropped before this reader connected. */
  readonly skipped: number
}

/** State of a stream's source. */
export type StreamState =
  /** Sent at intervals to show that the command is alive. */
  | { readonly state: 'alive' }
  /** The reader was too slow: this many bytes were dropped. */
  | { readonly state: 'skipped'; readonly bytes: number }
  /**
   * `end`: it ended. `interrupted`: the command was told to end. `broken`: it ended within a record. `failed`: it could
   * not be read.
   */
  | {
      readonly state: 'ended'
      readonly why: 'end' | 'interrupted' | 'broken' | 'failed'
      readonly bytes?: number
      readonly message?: string
    }

export type Frame =
  | { readonly kind: 'hello'; readonly hello: StreamHello }
  | { readonly kind: 'file'; readonly file: number; readonly name: string }
  | { readonly kind: 'data'; readonly file: number; readonly bytes: Uint8Array }
  | { readonly kind: 'state'; readonly state: StreamState }

const HEAD = 5
/** Limit of a frame's length: a damaged one must not allocate memory. */
const MAX_FRAME_BYTES = 8 << 20

function framed(kind: string, payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEAD + payload.length)
  new DataView(frame.buffer).setUint32(0, payload.length, true)
  frame[4] = kind.charCodeAt(0)
  frame.set(payload, HEAD)
  return frame
}

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

export function encodeFrame(frame: Frame): Uint8Array {
  switch (frame.kind) {
    case 'hello':
      return framed('h', json(frame.hello))
    case 'file':
      return framed('f', json({ file: frame.file, name: frame.name }))
    case 'state':
      return framed('s', json(frame.state))
    case 'data': {
      const payload = new Uint8Array(2 + frame.bytes.length)
      new DataView(payload.buffer).setUint16(0, frame.file, true)
      payload.set(frame.bytes, 2)
      return framed('d', payload)
    }
  }
}

function decodeFrame(kind: string, payload: Uint8Array): Frame | undefined {
  const value = () => JSON.parse(new TextDecoder().decode(payload))
  switch (kind) {
    case 'h':
      return { kind: 'hello', hello: value() }
    case 'f':
      return { kind: 'file', ...value() }
    case 's':
      return { kind: 'state', state: value() }
    case 'd':
      return payload.length < 2
        ? undefined
        : {
            kind: 'data',
            file: new DataView(payload.buffer, payload.byteOffset).getUint16(0, true),
            bytes: payload.subarray(2),
          }
    default:
      return undefined
  }
}

/** Takes bytes as they arrive and returns the frames that are complete. Throws on invalid frames. */
export function createUnframer() {
  let pieces: Uint8Array[] = []
  let available = 0
  let needed = HEAD
  return (bytes: Uint8Array): readonly Frame[] => {
    pieces.push(bytes)
    available += bytes.length
    if (available < needed) return []
    const all = concatenate(pieces)
    const view = new DataView(all.buffer)
    const frames: Frame[] = []
    let offset = 0
    for (needed = HEAD; all.length - offset >= HEAD; offset += needed) {
      const length = view.getUint32(offset, true)
      if (length > MAX_FRAME_BYTES) throw new Error('not a stream of seekscope open')
      needed = HEAD + length
      if (all.length - offset < needed) break
      const frame = decodeFrame(String.fromCharCode(all[offset + 4] ?? 0), all.subarray(offset + HEAD, offset + needed))
      if (frame) frames.push(frame)
    }
    if (all.length - offset < HEAD) needed = HEAD
    const rest = all.slice(offset)
    pieces = rest.length > 0 ? [rest] : []
    available = rest.length
    return frames
  }
}
