/** A server for one reader on this machine: listed files and nothing else. */
import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { MEDIA_TYPES } from '../mediaTypes.mjs'
import { ANSWER_HEADERS, foreignRefusal, listenHere, type Refusal } from './localhost'

/** A file on disk, bytes made on request, from `from` to `to`, or a stream that ends when it does. */
export type ServedFile =
  | { readonly file: string; readonly size: number }
  | { readonly size: number; readonly type?: string; bytes(from: number, to: number): Iterable<Uint8Array> }
  | { stream(): AsyncIterable<Uint8Array> }

/** Files by decoded path of the URL. */
export type ServedFiles = ReadonlyMap<string, ServedFile>

/** Receivers of what the page may post, by path. */
export type Receivers = ReadonlyMap<string, Receiver>

interface Receiver {
  /** Larger bodies are rejected. */
  readonly maxBytes: number
  /** Takes the next bytes; what it throws ends the request. */
  take(bytes: Uint8Array): void | Promise<void>
  /** Called when all bytes have arrived. */
  end(): void
}

/** Why a request is refused. */
function refusal(request: IncomingMessage, port: number, receives: boolean): Refusal | undefined {
  const foreign = foreignRefusal(request, port)
  if (foreign) return foreign
  const { method, headers } = request
  // A browser always says where a POST comes from.
  if (receives)
    return method === 'POST' && headers.origin !== undefined
      ? undefined
      : { status: 405, text: 'only POST from the page' }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'only GET and HEAD' }
  return undefined
}

function find<T>(url: string, files: ReadonlyMap<string, T>): T | undefined {
  try {
    return files.get(decodeURIComponent(url.split(/[?#]/, 1)[0] ?? ''))
  } catch {
    return undefined
  }
}

/** A range of bytes. */
interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The range that a request asks for. `unsatisfiable`: it begins behind the end. Requests for several ranges, or
 * conditional ones (`If-Range`), get the complete file, as RFC 9110 allows.
 */
function requestedRange(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  size: number,
): ByteRange | 'all' | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (method !== 'GET' || headers['if-range'] !== undefined || (first === '' && last === '')) return 'all'
  if (first === '')
    return Number(last) === 0 || size === 0 ? 'unsatisfiable' : { from: Math.max(0, size - Number(last)), to: size }
  if (last !== '' && Number(last) < Number(first)) return 'all'
  if (Number(first) >= size) return 'unsatisfiable'
  return { from: Number(first), to: last === '' ? size : Math.min(size, Number(last) + 1) }
}

const plainHeaders = { ...ANSWER_HEADERS, 'content-type': 'text/plain' }

/** Sends a file, or the range of it that is asked for. */
function send(request: IncomingMessage, response: ServerResponse, found: ServedFile): void {
  if ('stream' in found) {
    response.writeHead(200, { ...ANSWER_HEADERS, 'content-type': 'application/octet-stream' })
    if (request.method === 'HEAD') response.end()
    else pipeline(Readable.from(found.stream(), { objectMode: false }), response, () => undefined)
    return
  }
  const { size } = found
  const range = requestedRange(request, size)
  if (range === 'unsatisfiable') {
    response.writeHead(416, { ...plainHeaders, 'content-range': `bytes */${size}` }).end('no such range\n')
    return
  }
  const type = ('file' in found ? MEDIA_TYPES[extname(found.file)] : found.type) ?? 'application/octet-stream'
  const { from, to } = range === 'all' ? { from: 0, to: size } : range
  const part = range === 'all' ? {} : { 'content-range': `bytes ${from}-${to - 1}/${size}` }
  const headers = {
    ...ANSWER_HEADERS,
    ...part,
    'content-type': type,
    'content-length': to - from,
    'accept-ranges': 'bytes',
  }
  response.writeHead(range === 'all' ? 200 : 206, headers)
  if (request.method === 'HEAD' || to === from) {
    response.end()
    return
  }
  const bytes =
    'file' in found
      ? createReadStream(found.file, { start: from, end: to - 1 })
      : Readable.from(found.bytes(from, to), { objectMode: false })
  // Ends both: a reader that goes away closes the file, and a read error closes the connection, so that the reader sees
  // a truncated file instead of a complete one.
  pipeline(bytes, response, () => undefined)
}

/** Passes the body of a request to its receiver. */
async function receive(request: IncomingMessage, response: ServerResponse, receiver: Receiver): Promise<void> {
  const answer = (status: number, text: string) =>
    response.writeHead(status, { ...plainHeaders, connection: 'close' }).end(`${text}\n`)
  let bytes = 0
  try {
    for await (const piece of request as AsyncIterable<Uint8Array>) {
      bytes += piece.length
      if (bytes > receiver.maxBytes) return void answer(413, 'too large')
      await receiver.take(piece)
    }
    receiver.end()
    answer(200, 'taken')
  } catch {
    answer(500, 'not taken')
  }
}

/** Connections without traffic for so long are closed. */
const IDLE_MS = 120_000

export interface FileServer {
  readonly port: number
  /** Resolves once no answer is being sent. */
  idle(): Promise<void>
  close(): void
}

/** `port` 0: any free port. Rejects when the port is in use. */
export async function serve(
  files: ServedFiles,
  port: number,
  idleMs = IDLE_MS,
  receivers: Receivers = new Map(),
): Promise<FileServer> {
  let sending = 0
  let waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    sending += 1
    response.once('close', () => {
      sending -= 1
      if (sending > 0) return
      for (const resolve of waiting) resolve()
      waiting = []
    })
    const bound = request.socket.localPort ?? 0
    const found = find(request.url ?? '', files)
    const receiver = find(request.url ?? '', receivers)
    const refused =
      refusal(request, bound, receiver !== undefined) ??
      (found || receiver ? undefined : { status: 404, text: 'not found' })
    if (receiver && !refused) void receive(request, response, receiver)
    else if (refused || !found) {
      response.writeHead(refused?.status ?? 404, plainHeaders).end(`${refused?.text}\n`)
    } else send(request, response, found)
  })
  server.setTimeout(idleMs)
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  const idle = () => new Promise<void>(resolve => (sending === 0 ? resolve() : waiting.push(resolve)))
  return { port: await listenHere(server, port), idle, close }
}
