/** A server for one reader on this machine: listed files and nothing else. */
import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { MEDIA_TYPES } from './mediaTypes.mjs'

/** A file on disk, or bytes made on request. */
export type ServedFile = { readonly file: string; readonly size: number } | { readonly size: number; bytes(): Iterable<Uint8Array> }

/** By decoded path of the URL. */
export type ServedFiles = ReadonlyMap<string, ServedFile>

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'self'",
  'cache-control': 'no-store',
}

/** Why a request is refused. Another page may reach this server under a host name of its choice (DNS rebinding) or from its own origin. */
function refusal({ method, headers }: IncomingMessage, port: number): { readonly status: number; readonly text: string } | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!hosts.includes(headers.host ?? '')) return { status: 421, text: 'wrong host name' }
  if (headers.origin !== undefined && !hosts.some(host => headers.origin === `http://${host}`)) return { status: 403, text: 'not for other pages' }
  if (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate') return { status: 403, text: 'not for other pages' }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'only GET and HEAD' }
  return undefined
}

function find(url: string, files: ServedFiles): ServedFile | undefined {
  try {
    return files.get(decodeURIComponent(url.split(/[?#]/, 1)[0] ?? ''))
  } catch {
    return undefined
  }
}

/** `port` 0: any free port. Rejects when the port is in use. */
export function serve(files: ServedFiles, port: number): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => {
    const bound = request.socket.localPort ?? 0
    const found = find(request.url ?? '', files)
    const refused = refusal(request, bound) ?? (found ? undefined : { status: 404, text: 'not found' })
    if (refused || !found) {
      response.writeHead(refused?.status ?? 404, { ...HEADERS, 'content-type': 'text/plain' }).end(`${refused?.text}\n`)
      return
    }
    const type = ('file' in found && MEDIA_TYPES[extname(found.file)]) || 'application/octet-stream'
    response.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': found.size })
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    const bytes = 'file' in found ? createReadStream(found.file) : Readable.from(found.bytes(), { objectMode: false })
    // A read error closes the connection, so that the reader sees a truncated file instead of a complete one.
    bytes.on('error', () => response.destroy()).pipe(response)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      resolve({ port: typeof address === 'object' && address ? address.port : port, close })
    })
  })
}
