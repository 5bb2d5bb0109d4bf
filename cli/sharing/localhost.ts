/** What all servers on this machine share: who may ask, the secret in addresses, and headers of answers. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'

const ADDRESS = '127.0.0.1'

export const ANSWER_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'self'",
  'cache-control': 'no-store',
}

/** 128 random bits, for a path. */
export const createSecret = (): string => randomBytes(16).toString('base64url')

export const originOf = (port: number): string => `http://${ADDRESS}:${port}`

export interface Refusal {
  readonly status: number
  readonly text: string
}

const FOREIGN: Refusal = { status: 403, text: 'not for other pages' }

/**
 * Why a request is refused whatever it asks. Another page may reach this server under a host name of its choice (DNS
 * rebinding) or from its own origin.
 */
export function foreignRefusal({ headers, headersDistinct }: IncomingMessage, port: number): Refusal | undefined {
  const hosts = [`${ADDRESS}:${port}`, `localhost:${port}`]
  // Node takes the first of several: a proxy on the way may take another one.
  if (headersDistinct.host?.length !== 1 || !hosts.includes(headers.host ?? ''))
    return { status: 421, text: 'wrong host name' }
  if ((headersDistinct.origin?.length ?? 0) > 1) return FOREIGN
  if (headers.origin !== undefined && !hosts.some(host => headers.origin === `http://${host}`)) return FOREIGN
  if (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate') return FOREIGN
  return undefined
}

/** Listens for this machine only, 0: on any free port. Resolves to the port; rejects when it is in use. */
export function listenHere(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, ADDRESS, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}
