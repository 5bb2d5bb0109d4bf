/** A static file server for dist/, on this machine only. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
import { pipeline } from 'node:stream'
import { MEDIA_TYPES } from '../../cli/mediaTypes.mjs'

/**
 * @param {string} folder
 * @param {string} url
 */
async function find(folder, url) {
  const path = normalize(join(folder, decodeURIComponent(new URL(url, 'http://localhost').pathname)))
  if (path !== folder && !path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined
  const file = path.endsWith(sep) || path === folder ? join(path, 'index.html') : path
  const info = await stat(file).catch(() => undefined)
  return info?.isFile()
    ? { file, size: info.size, tag: `"${info.mtimeMs.toString(36)}-${info.size.toString(36)}"` }
    : undefined
}

/** @param {string} folder */
function serverFor(folder) {
  return createServer(async (request, response) => {
    const found = await find(folder, request.url ?? '/').catch(() => undefined)
    if (!found || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response
        .writeHead(found ? 405 : 404, { 'content-type': 'text/plain' })
        .end(found ? 'only GET and HEAD\n' : 'not found\n')
      return
    }
    if (request.headers['if-none-match'] === found.tag) {
      response.writeHead(304, { etag: found.tag }).end()
      return
    }
    response.writeHead(200, {
      etag: found.tag,
      'content-type': MEDIA_TYPES[extname(found.file)] ?? 'application/octet-stream',
      'content-length': found.size,
      'cache-control': 'no-cache',
    })
    if (request.method === 'HEAD') response.end()
    // A file that goes away meanwhile ends the connection, and the browser sees that the answer is incomplete.
    else pipeline(createReadStream(found.file), response, () => undefined)
  })
}

/**
 * @param {string} folder
 * @param {number} port 0: any free one; else the next free one when it is taken
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export function serve(folder, port) {
  const server = serverFor(normalize(folder))
  return new Promise((resolve, reject) => {
    const attempt = (/** @type {number} */ candidate) => {
      server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
        if (error.code === 'EADDRINUSE' && candidate < port + 100) attempt(candidate + 1)
        else reject(error)
      })
      server.listen(candidate, '127.0.0.1')
    }
    server.once('listening', () => {
      const address = server.address()
      const bound = typeof address === 'object' && address ? address.port : port
      const close = () =>
        new Promise(resolveClosed => {
          server.close(resolveClosed)
          server.closeAllConnections()
        })
      resolve({ url: `http://127.0.0.1:${bound}/`, close: () => close().then(() => undefined) })
    })
    attempt(port)
  })
}
