import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FIXTURES = join(ROOT, 'tests/fixtures')
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-open-'))
/** The command line beside a page of two files: what is served is what lies there, whatever was built before. */
const app = join(scratch, 'app')
const running: ChildProcess[] = []

beforeAll(() => {
  for (const part of ['cli', 'web', 'package.json']) cpSync(join(ROOT, part), join(app, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'))
  mkdirSync(join(app, 'dist/assets'), { recursive: true })
  writeFileSync(join(app, 'dist/index.html'), '<title>Seekscope</title>')
  writeFileSync(join(app, 'dist/assets/a.js'), '0')
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
  /** What was said up to then and after. */
  readonly said: () => string
}

function start(...args: string[]): Promise<Started> {
  const child = spawn(process.execPath, [join(app, 'cli/seekscope.mjs'), 'open', '--no-browser', ...args])
  running.push(child)
  let [out, said] = ['', '']
  child.stderr.on('data', text => {
    said += text
  })
  return new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`ended with ${code}: ${said}`)))
    child.stdout.on('data', text => {
      out += text
      if (!out.includes('\n')) return
      const link = new URL(out.trim())
      resolve({ child, link, port: Number(link.port), said: () => said })
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

test('serves the page, and the traces as archives below an address that nobody guesses', async () => {
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
  const summary = (path: string) => {
    const { stdout } = spawnSync(process.execPath, [join(app, 'cli/seekscope.mjs'), 'summary', '--json', path], { encoding: 'utf8' })
    return JSON.parse(stdout).traces
  }
  expect(summary(tar)[0].devices).toEqual(summary(join(FIXTURES, 'sync-fua'))[0].devices)
  expect(summary(tar)[0].label).toBe('sync-fua')
})

test('gives nothing but what is listed, to nobody but this machine’s own page', async () => {
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

test('a symbolic link that leads out of a directory stays out, and is named', async () => {
  const folder = join(scratch, 'linked')
  cpSync(join(FIXTURES, 'sync-fua'), folder, { recursive: true })
  writeFileSync(join(scratch, 'secret.txt'), 'secret')
  symlinkSync(join(scratch, 'secret.txt'), join(folder, 'innocent.txt'))
  const { link, port, said } = await start(folder)
  const { bytes } = await ask(port, new URL(urlsIn(link)[0] ?? '').pathname)
  expect(bytes.includes('blktrace')).toBe(true)
  expect(bytes.includes('innocent')).toBe(false)
  expect(said()).toMatch(/innocent\.txt: outside: /)
})

test('long and foreign names survive; a named port is taken, Ctrl-C ends it', async () => {
  const folder = join(scratch, `müde ${'x'.repeat(120)}`)
  cpSync(join(FIXTURES, 'sync-fua'), folder, { recursive: true })
  const first = await start(folder)
  const tar = join(scratch, 'long.tar')
  writeFileSync(tar, (await ask(first.port, new URL(urlsIn(first.link)[0] ?? '').pathname)).bytes)
  const { stdout } = spawnSync(process.execPath, [join(app, 'cli/seekscope.mjs'), 'summary', '--json', tar], { encoding: 'utf8' })
  expect(JSON.parse(stdout).traces[0].label).toContain('müde')
  const ended = new Promise(resolve => first.child.once('exit', resolve))
  first.child.kill('SIGINT')
  expect(await ended).toBe(0)
  const { port } = await start('--port', String(first.port), folder)
  expect(port).toBe(first.port)
  await expect(start('--port', String(first.port), folder)).rejects.toThrow(/ended with 1: seekscope: .*EADDRINUSE/)
})

test('without a page, without traces and with a wrong port it says so', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(app, 'cli/seekscope.mjs'), 'open', '--no-browser', ...args], { encoding: 'utf8' })
  expect(run('no/such/trace')).toMatchObject({ status: 1, stderr: expect.stringMatching(/no\/such\/trace: not-found/) })
  expect(run('--port', '99999', FIXTURES).status).toBe(2)
  expect(run('--json', FIXTURES).status).toBe(2)
  rmSync(join(app, 'dist/index.html'))
  expect(run(join(FIXTURES, 'sync-fua'))).toMatchObject({ status: 1, stderr: 'seekscope: the page is not built, run npm run build first\n' })
})
