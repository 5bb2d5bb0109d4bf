/**
 * A static host behind a slow line: files are compressed as static hosts do, and all connections share the
 * bandwidth, also those of the service worker, which the browser's own emulation leaves alone. HTTP/1.1 without TLS:
 * a real host takes one or two round trips more to connect.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { MEDIA_TYPES } from '../../cli/mediaTypes.mjs'

/** @typedef {'gzip' | 'br'} Encoding */
/** @typedef {{ raw: Buffer, gzip: Buffer, br: Buffer }} Packed */

/** Hosts send these compressed, and others as they are. */
const TEXTS = ['.html', '.js', '.css', '.json', '.svg', '.txt', '.wasm', '.webmanifest']
/** Bytes that are sent at once, in turns with other connections. */
const TURN = 8 << 10

/** Brotli at 5, because most hosts compress when they are asked. @param {Buffer} raw @returns {Packed} */
const pack = raw => ({
  raw,
  gzip: gzipSync(raw, { level: 9 }),
  br: brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
})

/** Files of a folder by their paths below it. @param {string} folder @returns {Map<string, Packed>} */
export function packedFiles(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path =>
    statSync(join(folder, path)).isFile(),
  )
  return new Map(paths.map(path => [path.replaceAll('\\', '/'), pack(readFileSync(join(folder, path)))]))
}

/**
 * @param {ReadonlyMap<string, Packed>} files
 * @param {{ bytesPerSecond: number, encoding: Encoding }} line
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export function serveSlowly(files, { bytesPerSecond, encoding }) {
  let free = 0
  /** Waits until the line has sent so many bytes. @param {number} bytes */
  const sent = bytes => {
    free = Math.max(free, performance.now()) + (bytes / bytesPerSecond) * 1000
    return new Promise(resolve => setTimeout(resolve, free - performance.now()))
  }
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1) || 'index.html'
    const file = files.get(path)
    if (!file) {
      response.writeHead(404).end()
      return
    }
    const compressed = TEXTS.includes(extname(path))
    const body = compressed ? file[encoding] : file.raw
    response.writeHead(200, {
      'content-type': MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
      'content-length': body.length,
      'cache-control': 'no-cache',
      ...(compressed && { 'content-encoding': encoding }),
    })
    for (let offset = 0; offset < body.length && !response.destroyed; offset += TURN) {
      const piece = body.subarray(offset, offset + TURN)
      await sent(piece.length)
      response.write(piece)
    }
    response.end()
  })
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      resolve({ url: `http://127.0.0.1:${port}/`, close })
    })
  })
}
