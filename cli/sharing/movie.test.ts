import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readFilm } from '../commands/movie'
import { parse } from '../program/program'
import { SetupError, UsageError } from '../program/usage'
import { FIXTURES } from '../testing/run'
import { findBrowser } from './browsers'
import { movie } from './movie'
import { serve } from './serve'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-movie-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** A folder with programs of these names. */
function bin(name: string, programs: readonly string[], script = '#!/bin/sh\nexit 7\n'): string {
  const folder = join(scratch, name)
  mkdirSync(folder)
  for (const program of programs) {
    writeFileSync(join(folder, program), script)
    chmodSync(join(folder, program), 0o755)
  }
  return folder
}

test('the first browser in PATH is taken, or the one that is named', () => {
  const [both, fox] = [bin('both', ['firefox', 'google-chrome']), bin('fox', ['firefox-esr'])]
  expect(findBrowser(undefined, `${fox}:${both}`).file).toBe(join(both, 'google-chrome'))
  expect(findBrowser('firefox', `${fox}:${both}`).file).toBe(join(both, 'firefox'))
  expect(findBrowser(join(fox, 'firefox-esr'), '').file).toBe(join(fox, 'firefox-esr'))
  expect(findBrowser(undefined, fox).args('/p', '/page.html')).toEqual([
    '--headless',
    '--no-remote',
    '--profile',
    '/p',
    '/page.html',
  ])
  const chrome = findBrowser(undefined, both).args('/p', '/page.html')
  expect(chrome).toEqual(expect.arrayContaining(['--headless=new', '--user-data-dir=/p']))
  expect([chrome.at(-1), chrome.includes('--no-sandbox')]).toEqual(['/page.html', process.getuid?.() === 0])
  expect(() => findBrowser('opera', both)).toThrow(SetupError)
  expect(() => findBrowser(undefined, scratch)).toThrow(/no browser found: .*--browser/)
})

test('options become the format and the address of the film', () => {
  const filmOf = (...args: string[]) => {
    const invocation = parse(['movie', '-o', 'x.webm', ...args, 'a'])
    return 'values' in invocation ? readFilm(invocation.values) : undefined
  }
  expect(filmOf()?.format).toEqual({
    kind: 'webm',
    width: 1280,
    height: 720,
    framesPerSecond: 30,
    seconds: 25,
    theme: 'light',
  })
  expect(filmOf('-o', 'x.GIF')?.format).toEqual({
    kind: 'gif',
    width: 960,
    height: 540,
    framesPerSecond: 10,
    seconds: 25,
    theme: 'light',
  })
  expect(filmOf('--resolution', '1920x1080', '--fps', '24', '--duration', '2.5', '--dark')?.format).toEqual({
    kind: 'webm',
    width: 1920,
    height: 1080,
    framesPerSecond: 24,
    seconds: 2.5,
    theme: 'dark',
  })
  expect(filmOf('--title', 'a & b', '--label', 'old', '--label', 'new')?.view).toBe(
    '&title=a%20%26%20b&label.A=old&label.B=new',
  )
  for (const wrong of [
    ['--resolution', '1281x720'],
    ['--resolution', 'large'],
    ['--fps', '0'],
    ['--fps', '61'],
    ['--duration', '301'],
    ['--duration', '1e2'],
    ['-o', 'x.mp4'],
    ['-o', 'x.gif', '--fps', '30'],
    ['-o', 'x.gif', '--duration', '61'],
    ['-o', 'x.gif', '--resolution', '2560x1440'],
  ])
    expect(() => filmOf(...wrong), wrong.join(' ')).toThrow(UsageError)
})

test('without a browser, or with one that ends, there is one error and no file', async () => {
  const [out, dist] = [join(scratch, 'out'), join(scratch, 'dist')]
  for (const folder of [out, dist]) mkdirSync(folder)
  writeFileSync(join(dist, 'index.html'), '<!doctype html><html><head><title>Seekscope</title></head></html>')
  const { format } = readFilm({ output: 'x.webm' })
  const film = (browser: string) =>
    movie([join(FIXTURES, 'sync-fua')], { output: join(out, 'x.webm'), format, browser, view: '' }, dist)
  await expect(film(join(scratch, 'no-such-browser'))).rejects.toThrow(
    /^cannot run the browser .*no-such-browser: no such program$/,
  )
  await expect(film(join(bin('ends', ['chromium']), 'chromium'))).rejects.toThrow(
    /chromium ended with 7: no movie was made$/,
  )
  // What the browser is given leads to the page with the order, which nobody else can find.
  const reports = join(scratch, 'told')
  const fetched = `const [html] = [require('node:fs').readFileSync(process.argv[1], 'utf8')]
    const page = new URL(/href="([^"#]*)/.exec(html)[1])
    const ask = async url => { const answer = await fetch(url); return [answer.status, (await answer.text()).includes('seekscope-movie')] }
    Promise.all([ask(page), ask(new URL('/', page)), ask(new URL('/index.html', page))]).then(all => {
      require('node:fs').writeFileSync('${reports}', JSON.stringify({ page: page.pathname, all }))
      process.exit(9)
    })`
  const asks = bin(
    'asks',
    ['chromium'],
    `#!/bin/sh\nfor last; do :; done\nexec ${process.execPath} -e "$(cat ${scratch}/ask.js)" "$last"\n`,
  )
  writeFileSync(join(scratch, 'ask.js'), fetched)
  await expect(film(join(asks, 'chromium'))).rejects.toThrow(/ended with 9/)
  expect(JSON.parse(readFileSync(reports, 'utf8'))).toEqual({
    page: expect.stringMatching(/^\/[\w-]{22}\/page\/$/),
    all: [
      [200, true],
      [404, false],
      [404, false],
    ],
  })
  expect(readdirSync(out)).toEqual([])
})

interface Sent {
  readonly status: number
  readonly text: string
}

function send(
  port: number,
  path: string,
  headers: Record<string, string>,
  body: Uint8Array,
  method = 'POST',
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port, path, method, headers }, response => {
      let text = ''
      response.on('data', piece => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    // A refused body may end the connection before all of it was sent: the answer came first.
    sending.on('error', error =>
      (error as NodeJS.ErrnoException).code === 'EPIPE' || (error as NodeJS.ErrnoException).code === 'ECONNRESET'
        ? undefined
        : reject(error),
    )
    sending.end(body)
  })
}

test('the server takes what its own page sends, up to a bound, and nothing from others', async () => {
  const taken: number[] = []
  let ends = 0
  const receiver = {
    maxBytes: 100_000,
    take: (bytes: Uint8Array) => {
      taken.push(bytes.length)
    },
    end: () => {
      ends++
    },
  }
  const server = await serve(
    new Map([['/', { size: 2, bytes: () => [Buffer.from('hi')] }]]),
    0,
    undefined,
    new Map([['/secret/movie', receiver]]),
  )
  const headers = { origin: `http://127.0.0.1:${server.port}` }
  try {
    const bytes = new Uint8Array(100_000)
    const statusOf = async (...args: Parameters<typeof send>) => (await send(...args)).status
    expect(await statusOf(server.port, '/secret/movie', {}, bytes)).toBe(405)
    expect(await statusOf(server.port, '/secret/movie', { origin: 'https://elsewhere.example' }, bytes)).toBe(403)
    expect(await statusOf(server.port, '/secret/movie', { ...headers, host: 'rebound.example' }, bytes)).toBe(421)
    expect(await statusOf(server.port, '/secret/movie', headers, new Uint8Array(), 'GET')).toBe(405)
    expect(await statusOf(server.port, '/guessed/movie', headers, bytes)).toBe(405)
    expect(await statusOf(server.port, '/', headers, bytes)).toBe(405)
    expect([taken, ends]).toEqual([[], 0])
    expect(await statusOf(server.port, '/secret/movie', headers, bytes)).toBe(200)
    expect([taken.reduce((a, b) => a + b, 0), ends]).toEqual([100_000, 1])
    expect(await statusOf(server.port, '/secret/movie', headers, new Uint8Array(100_001))).toBe(413)
    expect(ends).toBe(1)
  } finally {
    server.close()
  }
})
