/** A server on this machine for one reader: files that were listed before, and nothing else. */
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { Readable } from 'node:stream'

/** By the end of a file's name. @type {Readonly<Record<string, string>>} */
export const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/**
 * By path in the address, decoded: a file on disk, or bytes that are made when they are asked for.
 * @typedef {{ file: string, size: number } | { size: number, bytes(): Iterable<Uint8Array> }} Served
 * @typedef {ReadonlyMap<string, Served>} Listed
 */

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'self'",
  'cache-control': 'no-store',
}

/**
 * Why a request is not answered. A page elsewhere may send requests here under a name of its own (DNS rebinding) or from its own origin.
 * @param {import('node:http').IncomingMessage} request
 * @param {number} port
 * @returns {{ status: number, text: string } | undefined}
 */
function refusal({ method, headers }, port) {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!hosts.includes(headers.host ?? '')) return { status: 421, text: 'this is another host' }
  if (headers.origin !== undefined && !hosts.some(host => headers.origin === `http://${host}`)) return { status: 403, text: 'not for other pages' }
  if (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate') return { status: 403, text: 'not for other pages' }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'only GET and HEAD' }
  return undefined
}

/** @param {string} url @param {Listed} listed */
function find(url, listed) {
  try {
    return listed.get(decodeURIComponent(url.split(/[?#]/, 1)[0] ?? ''))
  } catch {
    return undefined
  }
}

/**
 * @param {Listed} listed
 * @param {number} port 0: any free one
 * @returns {Promise<{ port: number, close(): void }>} rejects when the port is taken
 */
export function serve(listed, port) {
  const server = createServer((request, response) => {
    const bound = request.socket.localPort ?? 0
    const found = find(request.url ?? '', listed)
    const refused = refusal(request, bound) ?? (found ? undefined : { status: 404, text: 'not found' })
    if (refused || !found) {
      response.writeHead(refused?.status ?? 404, { ...HEADERS, 'content-type': 'text/plain' }).end(`${refused?.text}\n`)
      return
    }
    const type = ('file' in found && TYPES[extname(found.file)]) || 'application/octet-stream'
    response.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': found.size })
    if (request.method === 'HEAD') response.end()
    else {
      const bytes = 'file' in found ? createReadStream(found.file) : Readable.from(found.bytes(), { objectMode: false })
      // What breaks on the way ends the connection: the reader sees that the file is not whole.
      bytes.on('error', () => response.destroy()).pipe(response)
    }
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
