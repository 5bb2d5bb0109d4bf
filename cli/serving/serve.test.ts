/** The server for scripts: what it answers, what it refuses, and how it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CompareDocument, ServedIndex, ServedStart, TraceQueries } from '../../web/engine/protocol'
import { loadEngine } from '../input/read/engine'
import { type LoadedTrace, ofEachTrace } from '../input/read/traces'
import { definitionsOf } from '../schema/schema'
import { BUNDLE, ROOT, run, traces as tracesOfSummary } from '../testing/run'
import { compiled, faultsOf } from '../testing/schemas'
import { MAX_BODY_BYTES } from './ask'
import { SERVED } from './queries'
import { queryService } from './serve'
import { type QueryServer, type QueryService, serveQueries } from './server'

const PATHS = ['tests/fixtures/two-devices', 'tests/fixtures/raid5-misaligned']

let loaded: readonly LoadedTrace[] = []
let server: QueryServer
const servers: QueryServer[] = []
const children: ChildProcess[] = []
const sockets: Socket[] = []

beforeAll(async () => {
  loaded = await ofEachTrace({ paths: PATHS, limited: true }, trace => trace, { keep: true })
  expect(loaded).toHaveLength(2)
  server = await serveQueries(queryService(loadEngine(), loaded), { port: 0 })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const other of servers.splice(0)) other.close()
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  server.close()
  await server.ended
  for (const { trace } of loaded) trace.free()
})

async function started(service: QueryService, options: Partial<Parameters<typeof serveQueries>[1]> = {}) {
  const other = await serveQueries(service, { port: 0, ...options })
  servers.push(other)
  return other
}

const ECHO: QueryService = { index: () => '{}', answer: asked => JSON.stringify(asked) }

interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}

async function ask(url: string, init?: RequestInit): Promise<JsonAnswer> {
  const response = await fetch(url, init)
  expect(response.headers.get('content-type')).toBe('application/json')
  return { status: response.status, body: await response.json() }
}

const post = (query: unknown, url = server.url): Promise<JsonAnswer> =>
  ask(url, { method: 'POST', body: JSON.stringify(query) })

/** A request with headers that fetch does not send. */
async function askWith(headers: Readonly<Record<string, string>>, method = 'GET'): Promise<JsonAnswer> {
  const sent = request(server.url, { method, headers }).end()
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const piece of response) text += piece
  return { status: response.statusCode, body: JSON.parse(text) }
}

/** A refusal of this status and code, with a sentence. */
function expectProblem({ status, body }: JsonAnswer, expected: number, code: string): void {
  expect({ status, body }).toMatchObject({ status: expected, body: { error: { code, message: expect.any(String) } } })
  expect(faultsOf('serve-problem', body)).toEqual([])
}

describe('answers', () => {
  test('are the figures of summary --json, of each trace, by POST and GET', async () => {
    const printed = await tracesOfSummary(PATHS)
    for (const [trace, { findings: _, notes: __, bench: ___, moments, ...figures }] of printed.entries()) {
      expect(await post({ trace, kind: 'summary' })).toEqual({ status: 200, body: figures })
      expect(await ask(`${server.url}summary?trace=${trace}`)).toEqual({ status: 200, body: figures })
      expect(await post({ trace, kind: 'moments' })).toEqual({ status: 200, body: { moments } })
    }
    const parameters = new URLSearchParams({ trace: '1', query: JSON.stringify({ geometry }) })
    const { body } = await ask(`${server.url}summary?${parameters}`)
    expect(body).toMatchObject({
      devices: expect.arrayContaining([expect.objectContaining({ alignment: expect.anything() })]),
    })
  })

  test('are listed with schemas that are complete', async () => {
    const { status, body } = await ask(server.url)
    expect([status, faultsOf('serve-index', body)]).toEqual([200, []])
    const { traces, queries, $defs } = body as ServedIndex
    expect(traces.map(({ label }) => label)).toEqual(loaded.map(({ label }) => label))
    expect(Object.keys(queries)).toEqual(expect.arrayContaining(['info', 'compare', 'summary', 'seekMap', 'digest']))
    const schemas = Object.values(queries).flatMap(query => Object.values(query as Readonly<Record<string, unknown>>))
    const all = schemas.filter(schema => typeof schema === 'object')
    expect(all).toHaveLength(2 * Object.keys(queries).length)
    expect(() => compiled({ anyOf: all, $defs })).not.toThrow()
  })

  test('to compare are those of compare --json', async () => {
    const digests = await Promise.all([0, 1].map(async trace => (await post({ trace, kind: 'digest' })).body))
    const runs = digests.map((trace, i) => ({ label: loaded[i]?.label, trace }))
    const { body } = await post({ kind: 'compare', query: { runs } })
    const { stdout } = await run(['compare', '--json', '--ungrouped', ...PATHS])
    const { findings, verdict } = JSON.parse(stdout) as CompareDocument
    const answered = body as CompareDocument
    expect(answered.verdict).toBe(verdict)
    expect(answered.findings?.map(({ code }) => code)).toEqual(
      findings?.filter(({ code }) => code !== 'setting-changed').map(({ code }) => code),
    )
  })
})

const filter = { device: 0 }
const range = { t0: 0, t1: 1_000_000_000 }
const geometry = { unit: 128, dataDisks: 2, start: 0, level: 'raid5' }

/** A query of every kind. */
const ASKS: Readonly<Record<keyof TraceQueries, object>> = {
  facets: { filter },
  bands: { filter, range, most: 4, gapShare: 0.01 },
  seekMap: { filter, range, bands: [{ lba0: 0, lba1: 1e9, y0: 0, y1: 10 }], w: 20, h: 10, layer: 'op', marks: 100 },
  depth: { device: 0, range, n: 10 },
  starved: { device: 0, range, most: 10 },
  failures: { filter, range, w: 10, h: 10 },
  zones: { device: 0, range, most: 10 },
  rate: { filter, range, n: 10 },
  latencyGrid: { filter, range, stage: 'd2c', w: 10, h: 10, low: 1000, high: 1e9 },
  distribution: { filter, range, stage: 'd2c' },
  stages: { filter, range },
  sizes: { filter, range, at: 'issued' },
  stripeTime: { filter, range, geometry, w: 10, h: 10 },
  alignment: { filter, range, geometry },
  hit: { filter, t: 0, lba: 0, dt: 1e9, dlba: 1e9 },
  life: { row: 0 },
  requestLayers: { row: 0 },
  requests: { filter, range, sort: 'time', descending: false, offset: 0, limit: 5 },
  playback: { filter, at: 0, step: 1e6, n: 3, window: 1e8, layer: 'op', most: 10 },
  nextStep: { filter, t: 0, by: 1 },
  columns: { from: 0, limit: 5 },
  objectNames: {},
  events: { filter: {}, offset: 0, limit: 5 },
  eventText: { filter: {}, offset: 0, limit: 5 },
  findEvent: { filter: {}, time: 0 },
  eventRequest: { entry: 0 },
  nativeText: { tool: 'btt' },
  lanes: {},
  laneSeries: { lanes: [], range, n: 4 },
  moments: {},
  summary: {},
  tail: { filter, range, percentile: 0.99 },
  slowest: { filter, range, stage: 'd2c', low: 0 },
  digest: {},
}

describe('schemas of queries', () => {
  test.each(Object.entries(ASKS))('%s: what is asked and answered satisfies them', async (kind, query) => {
    const schemas = SERVED[kind as keyof TraceQueries]
    const valid = (schema: object) => compiled({ ...schema, $defs: definitionsOf([schema]) })
    const isAsk = valid(schemas.ask)
    expect(isAsk(query), JSON.stringify(isAsk.errors)).toBe(true)
    expect(isAsk({ ...query, 'no such key': 1 })).toBe(false)
    // Only a disk with zones has marks of them.
    if (kind === 'zones') return expectProblem(await post({ kind, query }), 400, 'bad-query')
    const { status, body } = await post({ kind, query })
    expect({ status, body }).toMatchObject({ status: 200 })
    const isAnswer = valid(schemas.answer)
    expect(isAnswer(body), JSON.stringify(isAnswer.errors)).toBe(true)
    expect(isAnswer({ ...(body as object), 'no such key': 1 })).toBe(false)
  })
})

describe('refusals', () => {
  test('of who asks: another host, another page, no token, a wrong one', async () => {
    const { port, pathname } = new URL(server.url)
    expectProblem(await askWith({ host: `evil.example:${port}` }), 421, 'foreign')
    expectProblem(await askWith({ origin: 'https://evil.example' }), 403, 'foreign')
    expectProblem(await askWith({ 'sec-fetch-site': 'cross-site' }), 403, 'foreign')
    const wrong = pathname.replace(/.\/$/, last => (last === 'A/' ? 'B/' : 'A/'))
    for (const path of ['/', '/summary', wrong, `${pathname.slice(0, -2)}/`, `${pathname.slice(0, -1)}x/`])
      expectProblem(await ask(new URL(path, server.url).href), 403, 'wrong-token')
  })

  test('of what is asked', async () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS']) expectProblem(await askWith({}, method), 405, 'wrong-method')
    expectProblem(await ask(server.url, { method: 'POST', body: '{"kind":' }), 400, 'bad-json')
    expectProblem(await ask(`${server.url}summary?query=%7B`), 400, 'bad-json')
    for (const body of [[], null, 7, {}, { kind: 7 }, { kind: 'summary', trace: -1 }, { kind: 'summary', trace: 0.5 }])
      expectProblem(await post(body), 400, 'bad-query')
    expectProblem(await post({ kind: 'summary', query: [] }), 400, 'bad-query')
    expectProblem(await post({ kind: 'summary', traec: 1 }), 400, 'bad-query')
    expectProblem(await ask(`${server.url}summary?traec=1`), 400, 'bad-query')
    for (const body of [[], null, { kind: 'depth' }])
      expectProblem(await post(body, `${server.url}summary`), 400, 'bad-query')
    expect(await post({ trace: 1, kind: 'info' }, `${server.url}info`)).toMatchObject({ status: 200 })
    expectProblem(await ask(`${server.url}summary?trace=one`), 400, 'bad-query')
    expectProblem(await post({ kind: 'depth', query: { device: 'vda' } }), 400, 'bad-query')
    expectProblem(await post({ kind: 'summary', trace: 2 }), 404, 'no-such-trace')
    for (const kind of ['sumary', 'constructor', '__proto__', 'snapshot'])
      expectProblem(await post({ kind }), 404, 'no-such-query')
    expectProblem(await ask(`${server.url}summary/more`), 404, 'not-found')
  })

  test('of parameters that a query does not have, which the engine would ignore', async () => {
    const { rate } = ASKS
    for (const [query, place] of [
      [{ ...rate, windwo: 1 }, 'windwo'],
      [{ ...rate, constructor: 1 }, 'constructor'],
      [{ ...rate, filter: { ...filter, pid: 1 } }, 'filter.pid'],
    ] as const) {
      const refused = await post({ kind: 'rate', query })
      expectProblem(refused, 400, 'bad-query')
      expect(refused.body).toMatchObject({ error: { message: expect.stringContaining(`no parameter ${place}.`) } })
    }
    const runs = [{ label: 'a', trace: { devices: [{ dvicee: 1 }] } }]
    const refused = await post({ kind: 'compare', query: { runs } })
    expect(refused.body).toMatchObject({
      error: { message: expect.stringContaining('runs[0].trace.devices[0].dvicee') },
    })
    // A question mark is text, in an address as well.
    const asked = await ask(`${server.url}summary?query=${JSON.stringify({ 'wi?': 1 })}`)
    expect(asked.body).toMatchObject({ error: { message: expect.stringContaining('no parameter wi?.') } })
  })

  test('of pictures that no screen has', async () => {
    const query = { ...(ASKS.seekMap as object), w: 1e9, h: 1e9 }
    expectProblem(await post({ kind: 'seekMap', query }), 400, 'answer-too-large')
  })

  test('of bodies that are too large, told or not', async () => {
    const body = JSON.stringify({ kind: 'summary', query: { text: 'x'.repeat(MAX_BODY_BYTES) } })
    expectProblem(await ask(server.url, { method: 'POST', body }), 413, 'too-large')
    const sent = request(server.url, { method: 'POST' })
    sent.on('error', () => undefined)
    const answer = once(sent, 'response')
    for (let bytes = 0; bytes <= MAX_BODY_BYTES; bytes += 1 << 20) sent.write(' '.repeat(1 << 20))
    const [response] = await answer
    expect(response.statusCode).toBe(413)
    sent.destroy()
    expect(await post({ kind: 'info' })).toMatchObject({ status: 200 })
  })

  test('of what is no HTTP', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    sockets.push(socket)
    socket.write('nonsense\r\n\r\n')
    const [text] = await once(socket, 'data')
    expect(String(text)).toMatch(/^HTTP\/1\.1 400 .*"code":"bad-request"/s)
  })

  test('of more requests than are answered at once', async () => {
    const { url } = await started(ECHO, { maxOpen: 1 })
    const waiting = request(url, { method: 'POST', headers: { 'content-length': '20' } })
    waiting.on('error', () => undefined)
    waiting.flushHeaders()
    await expect.poll(async () => (await ask(url)).status).toBe(503)
    expectProblem(await ask(url), 503, 'busy')
    waiting.destroy()
    await expect.poll(async () => (await ask(url)).status).toBe(200)
  })
})

describe('clients that go away', () => {
  test('are not answered, and the next one is', async () => {
    const kinds: string[] = []
    const gone: Socket[] = []
    const { url } = await started({
      index: () => '{}',
      answer({ kind }) {
        kinds.push(kind)
        // While the first query is answered, the second one waits, and its client goes.
        for (const socket of gone.splice(0)) socket.resetAndDestroy()
        return '{}'
      },
    })
    const { port, pathname } = new URL(url)
    const socketOf = async (kind: string) => {
      const socket = connect(Number(port), '127.0.0.1')
      sockets.push(socket)
      await once(socket, 'connect')
      const write = () => socket.write(`GET ${pathname}${kind} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`)
      return { socket, write }
    }
    const [first, second] = await Promise.all([socketOf('first'), socketOf('second')])
    gone.push(second.socket)
    first.write()
    second.write()
    await once(first.socket, 'data')
    expect(await ask(`${url}third`)).toEqual({ status: 200, body: {} })
    expect(kinds).toEqual(['first', 'third'])
  })
})

describe('the end', () => {
  test('comes after a time without a request, and frees the port', async () => {
    const { url, ended } = await started(ECHO, { idleMs: 20 })
    await ended
    await expect(fetch(url)).rejects.toThrow()
  })

  test('comes with a crash of the engine, which is answered', async () => {
    const trap = new WebAssembly.RuntimeError('unreachable')
    const { url, ended } = await started({
      index: () => '{}',
      answer() {
        throw trap
      },
    })
    const failed = expect(ended).rejects.toBe(trap)
    expectProblem(await post({ kind: 'summary' }, url), 500, 'engine-crashed')
    await failed
  })

  test('comes with a signal; until then it answers', async () => {
    const child = spawn(process.execPath, [BUNDLE, 'serve', PATHS[0] ?? ''], { cwd: ROOT })
    children.push(child)
    const [line] = await once(child.stdout, 'data')
    const start = JSON.parse(String(line)) as ServedStart
    expect(faultsOf('serve-start', start)).toEqual([])
    expect(start.traces).toEqual([{ trace: 0, label: loaded[0]?.label, path: loaded[0]?.path }])
    expect(await post({ kind: 'info' }, start.url)).toMatchObject({ status: 200, body: { label: loaded[0]?.label } })
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT'])
    await expect(fetch(start.url)).rejects.toThrow()
  })

  test('comes at once without a trace, with a port in use, and with a wrong option', async () => {
    expect(await run(['serve', 'tests/tables/readahead.txt'])).toMatchObject({ status: 1, stdout: '' })
    const { port } = new URL(server.url)
    expect(await run(['serve', '--port', port, PATHS[0] ?? ''])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('EADDRINUSE'),
    })
    expect(await run(['serve', '--idle', 'never', 'x'])).toMatchObject({ status: 2 })
  })
})
