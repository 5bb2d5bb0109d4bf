import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { LATER_PARTS } from '../../web/engine/laterParts.mjs'
import { FIXTURES, ROOT, run, traces } from '../testing/run'
import { serve } from './serve'
import { tar } from './tar'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-open-'))
/** The command line as it is installed, with a page of two files and the engine among them. */
const app = join(scratch, 'app')
const bundle = join(app, 'dist-cli/seekscope.mjs')
const running: ChildProcess[] = []

beforeAll(() => {
  for (const part of ['dist-cli', 'package.json']) cpSync(join(ROOT, part), join(app, part), { recursive: true })
  mkdirSync(join(app, 'dist/assets'), { recursive: true })
  writeFileSync(join(app, 'dist/index.html'), '<title>Seekscope</title>')
  writeFileSync(join(app, 'dist/assets/a.js'), '0123456789')
  // Larger than what is on its way in sockets.
  writeFileSync(join(app, 'dist/assets/large.bin'), '')
  truncateSync(join(app, 'dist/assets/large.bin'), 64 << 20)
  for (const name of ['seekscope', ...LATER_PARTS.map(part => `seekscope_${part}`)])
    cpSync(join(ROOT, `web/engine/generated/${name}_bg.wasm`), join(app, `dist/assets/${name}_bg-hash.wasm`))
  symlinkSync(join(app, 'package.json'), join(app, 'dist/assets/out.json'))
})
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(scratch, { recursive: true }))

interface Started {
  readonly child: ChildProcess
  readonly link: URL
  readonly port: number
  /** Standard error so far. */
  readonly messages: () => string
}

const start = (...args: string[]): Promise<Started> => started(['--no-browser', ...args])

function started(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Started> {
  const child = spawn(process.execPath, [bundle, 'open', ...args], { env })
  running.push(child)
  let [out, messages] = ['', '']
  child.stderr.on('data', text => {
    messages += text
  })
  return new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`ended with ${code}: ${messages}`)))
    child.stdout.on('data', text => {
      out += text
      if (!out.includes('\n')) return
      const link = new URL(out.trim())
      resolve({ child, link, port: Number(link.port), messages: () => messages })
    })
  })
}

const urlsIn = (link: URL): string[] => new URLSearchParams(link.hash.slice(1)).getAll('url')

interface Answered {
  readonly status: number
  readonly bytes: Buffer
  readonly range: string | undefined
}

/** As sent: `fetch` would tidy the path and the host. */
function ask(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answered> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, method, headers, setHost: headers.host === undefined }, response => {
      const pieces: Buffer[] = []
      response.on('data', piece => pieces.push(piece))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          bytes: Buffer.concat(pieces),
          range: response.headers['content-range'],
        }),
      )
    }).on('error', reject)
  })
}

test('a request with two hosts or origins is refused, whichever is first', async () => {
  const { port } = await start(join(FIXTURES, 'sync-fua'))
  const answered = (...lines: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`GET / HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`))
      let text = ''
      socket.on('data', bytes => (text += bytes)).on('close', () => resolve(text.slice(9, 12)))
      socket.on('error', reject)
    })
  const [expected, other] = [`Host: 127.0.0.1:${port}`, 'Host: rebound.example']
  expect(await answered(expected, 'Connection: close')).toBe('200')
  for (const hosts of [
    [expected, other],
    [other, expected],
    [expected, expected],
  ])
    expect(['400', '421']).toContain(await answered(...hosts, 'Connection: close'))
  const origins = [`Origin: http://127.0.0.1:${port}`, 'Origin: https://elsewhere.example']
  expect(await answered(expected, ...origins, 'Connection: close')).toBe('403')
})

test('serves the page, and the traces as archives at a URL with a secret', async () => {
  const { link, port } = await start(join(FIXTURES, 'sync-fua'), join(FIXTURES, 'io-errors/trace'))
  expect(link.origin).toBe(`http://127.0.0.1:${port}`)
  expect((await ask(port, '/')).bytes.toString()).toContain('<title>Seekscope')
  expect((await ask(port, '/assets/a.js')).status).toBe(200)
  const urls = urlsIn(link)
  expect(urls).toHaveLength(2)
  expect(new URLSearchParams(link.hash.slice(1)).get('opened')).toBe('1,1')
  for (const url of urls) expect(new URL(url).pathname).toMatch(/^\/[\w-]{22}\/\d\//)
  // The archive opens like the files in it.
  const tar = join(scratch, 'served.tar')
  writeFileSync(tar, (await ask(port, new URL(urls[0] ?? '').pathname)).bytes)
  const [[served], [read]] = await Promise.all([traces([tar], { bundle }), traces([join(FIXTURES, 'sync-fua')])])
  expect(served?.devices).toEqual(read?.devices)
  expect(served?.label).toBe('sync-fua')
})

test('serves listed files only, to its own page only', async () => {
  const { link, port } = await start(join(FIXTURES, 'sync-fua'))
  const trace = new URL(urlsIn(link)[0] ?? '').pathname
  const secret = trace.split('/')[1]
  const hosts = { host: `127.0.0.1:${port}` }
  const status = async (...args: Parameters<typeof ask>) => (await ask(...args)).status
  expect(await status(port, trace, { ...hosts, origin: `http://127.0.0.1:${port}` })).toBe(200)
  expect(await status(port, trace, { host: `localhost:${port}` })).toBe(200)
  expect(await status(port, trace, { host: 'rebound.example' })).toBe(421)
  expect(await status(port, trace, { host: `rebound.example:${port}` })).toBe(421)
  expect(await status(port, '/', { host: 'rebound.example' })).toBe(421)
  expect(await status(port, trace, { ...hosts, origin: 'https://elsewhere.example' })).toBe(403)
  expect(await status(port, trace, { ...hosts, origin: 'null' })).toBe(403)
  expect(await status(port, trace, { ...hosts, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(403)
  expect(await status(port, '/', { ...hosts, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toBe(200)
  expect(await status(port, trace, hosts, 'POST')).toBe(405)
  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/out.json',
    '/assets',
    '/%',
    '//etc/passwd',
    `/${secret}/`,
    `/${secret}/1/../../package.json`,
    `/${'A'.repeat(22)}/1/sync-fua.tar`,
    '/toString',
  ])
    expect(await status(port, path, hosts), path).toBe(404)
})

test('serves documents as they are, and traces as archives', async () => {
  const table = join(scratch, 'digests.jsonl')
  const other = join(scratch, 'other.jsonl')
  writeFileSync(table, (await run(['digest', join(FIXTURES, 'sync-fua')])).stdout)
  cpSync(table, other)
  const { link, port } = await start(table, other, join(FIXTURES, 'sync-fua'))
  const urls = urlsIn(link).map(url => new URL(url).pathname)
  expect(urls.map(path => path.split('/').at(-1))).toEqual(['digests.jsonl', 'other.jsonl', 'sync-fua.tar'])
  expect(new URLSearchParams(link.hash.slice(1)).get('opened')).toBe('2,1')
  expect((await ask(port, urls[1] ?? '')).bytes).toEqual(readFileSync(table))
  expect((await ask(port, urls[1] ?? '', { range: 'bytes=10-19' })).bytes).toEqual(readFileSync(table).subarray(10, 20))
})

test('skips and reports a symbolic link out of a directory', async () => {
  const folder = join(scratch, 'linked')
  cpSync(join(FIXTURES, 'sync-fua'), folder, { recursive: true })
  writeFileSync(join(scratch, 'secret.txt'), 'secret')
  symlinkSync(join(scratch, 'secret.txt'), join(folder, 'innocent.txt'))
  // A name that is not UTF-8 is inside all the same.
  writeFileSync(Buffer.concat([Buffer.from(join(folder, 'caf')), Buffer.from([0xe9]), Buffer.from('.txt')]), 'a note')
  const { link, port, messages } = await start(folder)
  const { bytes } = await ask(port, new URL(urlsIn(link)[0] ?? '').pathname)
  expect(bytes.includes('blktrace')).toBe(true)
  expect(bytes.includes('innocent')).toBe(false)
  expect(bytes.includes('caf\\xe9.txt')).toBe(true)
  expect(messages()).toMatch(/innocent\.txt: outside: /)
})

test('keeps long and non-ASCII names; uses the given port; stops at SIGINT', async () => {
  const folder = join(scratch, `müde ${'x'.repeat(120)}`)
  cpSync(join(FIXTURES, 'sync-fua'), folder, { recursive: true })
  const first = await start(folder)
  const tar = join(scratch, 'long.tar')
  writeFileSync(tar, (await ask(first.port, new URL(urlsIn(first.link)[0] ?? '').pathname)).bytes)
  expect((await traces([tar]))[0]?.label).toContain('müde')
  const ended = once(first.child, 'exit')
  first.child.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
  const { port } = await start('--port', String(first.port), folder)
  expect(port).toBe(first.port)
  await expect(start('--port', String(first.port), folder)).rejects.toThrow(/ended with 1: seekscope: .*EADDRINUSE/)
})

test('answers ranges', async () => {
  const { link, port } = await start(join(FIXTURES, 'sync-fua'))
  const archive = new URL(urlsIn(link)[0] ?? '').pathname
  const whole = (await ask(port, archive)).bytes
  const size = whole.length
  for (const [range, from, to] of [
    ['bytes=0-0', 0, 1],
    ['bytes=500-1600', 500, 1601],
    [`bytes=${size - 700}-`, size - 700, size],
    ['bytes=-1300', size - 1300, size],
    [`bytes=-${size + 1}`, 0, size],
    [`bytes=1000-${size + 99}`, 1000, size],
  ] as const) {
    const { status, bytes, range: sent } = await ask(port, archive, { range })
    expect([status, sent, bytes.equals(whole.subarray(from, to))], range).toEqual([
      206,
      `bytes ${from}-${to - 1}/${size}`,
      true,
    ])
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0'])
    expect(await ask(port, archive, { range })).toMatchObject({ status: 416, range: `bytes */${size}` })
  for (const headers of [
    { range: 'bytes=0-1,4-5' },
    { range: 'lines=1-2' },
    { range: 'bytes=5-2' },
    { range: 'bytes=0-1', 'if-range': '"x"' },
  ])
    expect([(await ask(port, archive, headers as Record<string, string>)).bytes.length]).toEqual([size])
  expect((await ask(port, '/assets/a.js', { range: 'bytes=2-4' })).bytes.toString()).toBe('234')
  expect((await ask(port, '/assets/a.js', { range: 'bytes=2-4' }, 'HEAD')).status).toBe(200)
})

test('a range of an archive is those bytes of it, and of other files nothing is read', () => {
  const read: string[] = []
  const entry = (name: string, size: number) => ({
    name,
    size,
    read(offset: number, length: number) {
      read.push(name)
      return Buffer.from(Array.from({ length }, (_, i) => (offset + i + name.length) & 0xff))
    },
  })
  const entries = [entry('a', 700), entry('empty', 0), entry('ä'.repeat(60), 513), entry('last', 512)]
  const whole = Buffer.concat([...tar(entries)])
  for (let from = 0; from < whole.length; from += 113)
    for (const to of [from + 1, from + 512, whole.length]) {
      const [begin, end] = [from, Math.min(to, whole.length)]
      expect(Buffer.concat([...tar(entries, begin, end)]).equals(whole.subarray(begin, end))).toBe(true)
    }
  read.length = 0
  expect(Buffer.concat([...tar(entries, 512, 522)])).toHaveLength(10)
  expect(read).toEqual(['a'])
})

test('downloads that are given up leave no file open', async () => {
  const { child, port } = await start(join(FIXTURES, 'sync-fua'))
  const openFiles = () =>
    readdirSync(`/proc/${child.pid}/fd`).filter(fd => {
      try {
        return readlinkSync(`/proc/${child.pid}/fd/${fd}`).endsWith('large.bin')
      } catch {
        return false
      }
    }).length
  for (let i = 0; i < 20; i++) {
    const request = get({ host: '127.0.0.1', port, path: '/assets/large.bin' })
    const [response] = await once(request, 'response')
    await once(response, 'readable')
    request.destroy()
  }
  for (let tries = 0; openFiles() > 0 && tries < 200; tries++) await ask(port, '/')
  expect(openFiles()).toBe(0)
})

test('closes connections without traffic', async () => {
  const server = await serve(new Map([['/', { size: 2, bytes: () => [Buffer.from('hi')] }]]), 0, 100)
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'close')
  server.close()
})

test('the browser is given a file that only this user can read, not the URL with its secret', async () => {
  const bin = join(scratch, 'bin')
  mkdirSync(bin)
  const temporary = join(scratch, 'tmp')
  mkdirSync(temporary)
  // Stands for the browser: writes what the process list shows of it, and the mode and contents of the file.
  const fifo = join(scratch, 'told')
  spawnSync('mkfifo', [fifo])
  const script = `#!/bin/sh\n{ tr '\\0' ' ' < /proc/$$/cmdline; echo; stat -c %a "$1"; cat "$1"; } > ${fifo}\n`
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(bin, name), script)
    chmodSync(join(bin, name), 0o755)
  }
  const { child, link } = await started([join(FIXTURES, 'sync-fua')], {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    TMPDIR: temporary,
  })
  const [shown = '', mode, ...html] = readFileSync(fifo, 'utf8').split('\n')
  const secret = new URL(urlsIn(link)[0] ?? '').pathname.split('/')[1] ?? ''
  expect(secret).toHaveLength(22)
  expect(shown).toContain('open.html')
  expect(shown).not.toContain(secret)
  expect(mode).toBe('600')
  expect(html.join('\n')).toContain(`0;url=${link.href.replaceAll('&', '&amp;')}"`)
  const file = shown.trim().split(' ').at(-1) ?? ''
  expect(statSync(file).isFile()).toBe(true)
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(readdirSync(temporary)).toEqual([])
})

test('a missing trace is an error, and so is a missing page', async () => {
  const fixture = join(FIXTURES, 'sync-fua')
  const open = (...args: string[]) => run(['open', '--no-browser', ...args], { bundle })
  expect(await open('no/such/trace')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/no\/such\/trace: not-found/),
  })
  rmSync(join(app, 'dist'), { recursive: true })
  const missing = await Promise.all([
    open(fixture),
    run(['summary', fixture], { bundle }),
    run(['report', fixture, '-o', join(scratch, 'r.html')], { bundle }),
  ])
  for (const { status, stderr } of missing)
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^seekscope: .*Run: npm run build\n$/),
    })
})
