import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { FIXTURES, ROOT, run, traces } from './testing'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-open-'))
/** The command line as it is installed, with a page of two files and the engine among them. */
const app = join(scratch, 'app')
const bundle = join(app, 'dist-cli/seekscope.mjs')
const running: ChildProcess[] = []

beforeAll(() => {
  for (const part of ['dist-cli', 'package.json']) cpSync(join(ROOT, part), join(app, part), { recursive: true })
  mkdirSync(join(app, 'dist/assets'), { recursive: true })
  writeFileSync(join(app, 'dist/index.html'), '<title>Seekscope</title>')
  writeFileSync(join(app, 'dist/assets/a.js'), '0')
  cpSync(join(ROOT, 'web/engine/generated/seekscope_bg.wasm'), join(app, 'dist/assets/seekscope_bg-hash.wasm'))
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

function start(...args: string[]): Promise<Started> {
  const child = spawn(process.execPath, [bundle, 'open', '--no-browser', ...args])
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

/** As sent: `fetch` would tidy the path and the host. */
function ask(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<{ status: number; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, method, headers, setHost: headers.host === undefined }, response => {
      const pieces: Buffer[] = []
      response.on('data', piece => pieces.push(piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(pieces) }))
    }).on('error', reject)
  })
}

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
  const [[served], [own]] = await Promise.all([traces([tar], { bundle }), traces([join(FIXTURES, 'sync-fua')])])
  expect(served?.devices).toEqual(own?.devices)
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

test('skips and reports a symbolic link out of a directory', async () => {
  const folder = join(scratch, 'linked')
  cpSync(join(FIXTURES, 'sync-fua'), folder, { recursive: true })
  writeFileSync(join(scratch, 'secret.txt'), 'secret')
  symlinkSync(join(scratch, 'secret.txt'), join(folder, 'innocent.txt'))
  const { link, port, messages } = await start(folder)
  const { bytes } = await ask(port, new URL(urlsIn(link)[0] ?? '').pathname)
  expect(bytes.includes('blktrace')).toBe(true)
  expect(bytes.includes('innocent')).toBe(false)
  expect(messages()).toMatch(/innocent\.txt: outside: /)
})

test('keeps long and non-ASCII names; uses the given port; stops at SIGINT', async () => {
  const folder = join(scratch, `müde ${'x'.repeat(120)}`)
  cpSync(join(FIXTURES, 'sync-fua'), folder, { recursive: true })
  const first = await start(folder)
  const tar = join(scratch, 'long.tar')
  writeFileSync(tar, (await ask(first.port, new URL(urlsIn(first.link)[0] ?? '').pathname)).bytes)
  expect((await traces([tar]))[0]?.label).toContain('müde')
  const ended = new Promise(resolve => first.child.once('exit', resolve))
  first.child.kill('SIGINT')
  expect(await ended).toBe(0)
  const { port } = await start('--port', String(first.port), folder)
  expect(port).toBe(first.port)
  await expect(start('--port', String(first.port), folder)).rejects.toThrow(/ended with 1: seekscope: .*EADDRINUSE/)
})

test('a missing trace is an error, and so is a missing page', async () => {
  const fixture = join(FIXTURES, 'sync-fua')
  const open = (...args: string[]) => run(['open', '--no-browser', ...args], { bundle })
  expect(await open('no/such/trace')).toMatchObject({ status: 1, stderr: expect.stringMatching(/no\/such\/trace: not-found/) })
  rmSync(join(app, 'dist'), { recursive: true })
  const missing = await Promise.all([
    open(fixture),
    run(['summary', fixture], { bundle }),
    run(['report', fixture, '-o', join(scratch, 'r.html')], { bundle }),
  ])
  for (const { status, stderr } of missing)
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^seekscope: .*Run: npm run build\n$/) })
})
