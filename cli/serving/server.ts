/** A server for scripts on this machine: GET and POST below a secret path, JSON in all answers. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { isTrap } from '../../web/engine/errors'
import { ANSWER_HEADERS, createSecret, foreignRefusal, listenHere, originOf } from '../sharing/localhost'
import { type Asked, readAsked } from './ask'
import { Refused } from './refused'

/** What is served: both return JSON, and throw Refused or a trap of the engine. */
export interface QueryService {
  index(): string
  answer(asked: Asked): string
}

export interface QueryServerOptions {
  readonly port: number
  /** The server ends after this time without a request; absent: never. */
  readonly idleMs?: number | undefined
  /** Requests that may be open; further ones are refused. */
  readonly maxOpen?: number
}

export interface QueryServer {
  /** With the secret, and a slash at its end. */
  readonly url: string
  /** Rejects with the trap that ended the engine. */
  readonly ended: Promise<void>
  close(): void
}

const MAX_OPEN = 16
const MAX_CONNECTIONS = 64
/** A request must arrive in this time, and its headers in a third of it. */
const ARRIVAL_MS = 30_000
const STALLED_MS = 120_000

/** A connection is not used again: a client whose script did something else for a while would find it closed. */
const HEADERS = { ...ANSWER_HEADERS, 'content-type': 'application/json', connection: 'close' }

/** Texts of unequal length are compared by their hashes: the time does not show how much is right. */
function isSame(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}

/** The kind in the path, and the parameters. Throws Refused. */
function addressed(request: IncomingMessage, port: number, secret: string) {
  const foreign = foreignRefusal(request, port)
  if (foreign) throw new Refused(foreign.status, 'foreign', `Refused: ${foreign.text}.`)
  // Behind the first question mark, others are text.
  const [, path = '', parameters = ''] = /^([^?]*)\??(.*)$/s.exec(request.url ?? '') ?? []
  const [, token = '', kind = '', ...rest] = path.split('/')
  if (!isSame(token, secret))
    throw new Refused(403, 'wrong-token', 'The path lacks the token: use the URL that seekscope serve printed.')
  if (rest.length > 0) throw new Refused(404, 'not-found', 'Ask at the URL itself, or at the name of a query below it.')
  if (request.method !== 'GET' && request.method !== 'POST')
    throw new Refused(405, 'wrong-method', 'GET lists traces and queries, POST asks one.')
  return { kind, parameters: new URLSearchParams(parameters) }
}

/** Runs one job at a time, in the order of their arrival. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(job: () => T): Promise<T> => {
    // Between two jobs the end of connections is noticed.
    const next = last.then(() => setImmediate()).then(job)
    last = next.catch(() => undefined)
    return next
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  if (response.destroyed) return
  const allow = status === 405 ? { allow: 'GET, POST' } : {}
  const busy = status === 503 ? { 'retry-after': '1' } : {}
  response.writeHead(status, { ...HEADERS, ...allow, ...busy }).end(`${text}\n`)
}

/** Serves until it is closed, idle for long enough, or the engine has crashed. Rejects when the port is in use. */
export async function serveQueries(
  service: QueryService,
  { port: wanted, idleMs, maxOpen = MAX_OPEN }: QueryServerOptions,
): Promise<QueryServer> {
  const secret = createSecret()
  const queue = createQueue()
  let open = 0
  let timer: NodeJS.Timeout | undefined
  const server = createServer((request, response) => {
    open += 1
    clearTimeout(timer)
    response.once('close', () => {
      open -= 1
      waitForRequests()
    })
    void respond(request, response)
  })
  let crash: unknown
  const ended = new Promise<void>((resolve, reject) => {
    server.once('close', () => (crash === undefined ? resolve() : reject(crash)))
  })
  const close = () => {
    clearTimeout(timer)
    server.close()
    server.closeAllConnections()
  }
  const waitForRequests = () => {
    clearTimeout(timer)
    if (idleMs !== undefined && open === 0 && server.listening) timer = setTimeout(close, idleMs)
  }

  const answerTo = async (request: IncomingMessage): Promise<string | undefined> => {
    const { kind, parameters } = addressed(request, request.socket.localPort ?? 0, secret)
    if (open > maxOpen)
      throw new Refused(503, 'busy', `${maxOpen} requests are open. Ask again when they are answered.`)
    if (request.method === 'GET' && kind === '') return service.index()
    const asked = await readAsked(request, kind, parameters)
    // Whoever went away needs no answer.
    return queue(() => (request.socket.destroyed ? undefined : service.answer(asked)))
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const text = await answerTo(request)
      if (text !== undefined) send(response, 200, text)
    } catch (error) {
      const refused =
        error instanceof Refused ? error : new Refused(500, 'internal', `The query failed: ${String(error)}`)
      if (!isTrap(error)) return send(response, refused.status, JSON.stringify(refused.problem))
      const crashed = new Refused(500, 'engine-crashed', 'The engine ran out of memory, and the server ends.')
      response.once('close', () => {
        crash = error
        close()
      })
      send(response, crashed.status, JSON.stringify(crashed.problem))
    }
  }

  server.maxConnections = MAX_CONNECTIONS
  server.requestTimeout = ARRIVAL_MS
  server.headersTimeout = ARRIVAL_MS / 3
  server.setTimeout(STALLED_MS)
  server.on('clientError', (_, socket) => {
    if (!socket.writable) return void socket.destroy()
    const text = JSON.stringify(new Refused(400, 'bad-request', 'This is no HTTP request.').problem)
    socket.end(
      `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
    )
  })
  const port = await listenHere(server, wanted)
  waitForRequests()
  return { url: `${originOf(port)}/${secret}/`, ended, close }
}
