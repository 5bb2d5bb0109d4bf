/**
 * The first visit with an empty cache on a phone: how long until the page takes a drop, until the engine is
 * compiled, and until a trace that is dropped at once is drawn. The CPU is slowed for the page, not for its workers
 * and the compiler of WebAssembly, which browsers run in other threads.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, say } from '../../scripts/lib/run.mjs'
import { everything } from '../../scripts/lib/setup.mjs'
import { RUNS, readNumber } from '../lib/bench.mjs'
import { launchChromium } from '../lib/chromium.mjs'
import { traceFiles } from '../lib/recordings.mjs'
import { createTable } from '../lib/report.mjs'
import { median } from '../lib/statistics.mjs'
import { packedFiles, serveSlowly } from './slowHost.mjs'

const MBIT = 10
const ROUND_TRIP_MS = 40
const SLOWER = 4
const TRACE = 'tests/fixtures/sync-fua'
/** Name of the mark that `watch` sets. */
const TAKES_DROP = 'takes a drop'

/**
 * @typedef {{ painted: number, drop: number, engine: number, script: number, drawn: number, shift: number }} StartTimes
 * all but the last in ms since navigation
 */

/** Runs in the page before its scripts; fills `window.benchStart`. */
function watch() {
  /** @type {Partial<StartTimes>} */
  const start = {}
  Reflect.set(window, 'benchStart', start)
  start.shift = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) start.shift = (start.shift ?? 0) + Reflect.get(entry, 'value')
  }).observe({ type: 'layout-shift', buffered: true })
  const listen = window.addEventListener.bind(window)
  window.addEventListener = (/** @type {Parameters<typeof listen>} */ ...parameters) => {
    listen(...parameters)
    if (parameters[0] === 'drop') start.drop ??= performance.mark('takes a drop').startTime
  }
  const compile = WebAssembly.compileStreaming.bind(WebAssembly)
  WebAssembly.compileStreaming = async source => {
    const module = await compile(source)
    start.engine = performance.now()
    return module
  }
}

/**
 * Drops files as soon as the page takes them; resolves when they are drawn. @param {readonly { name: string, text:
 * string }[]} files base64
 */
async function dropAtOnce(files) {
  const start = /** @type {Partial<StartTimes>} */ (Reflect.get(window, 'benchStart'))
  const until = (/** @type {() => unknown} */ done) =>
    new Promise(resolve => {
      const check = () => (done() ? resolve(undefined) : setTimeout(check, 5))
      check()
    })
  await until(() => start.drop !== undefined)
  const dataTransfer = new DataTransfer()
  for (const { name, text } of files)
    dataTransfer.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name))
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  await until(() => document.querySelector('.chip .chip-quality'))
  start.drawn = performance.now()
}

/** @param {import('@playwright/test').Browser} browser @param {number} slower */
async function firstVisitor(browser, slower) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: ROUND_TRIP_MS,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower })
  await page.addInitScript(watch)
  return { context, page }
}

/**
 * @param {import('@playwright/test').Browser} browser @param {string} url @param {readonly { name: string, text: string
 * }[]} [files] @returns {Promise<StartTimes>}
 */
async function visit(browser, url, files) {
  const { context, page } = await firstVisitor(browser, SLOWER)
  await page.goto(url, { waitUntil: 'commit' })
  if (files) await page.evaluate(dropAtOnce, files)
  await page.waitForFunction(() => Reflect.get(Reflect.get(window, 'benchStart'), 'engine') !== undefined)
  await page.waitForLoadState('load')
  const start = await page.evaluate(() => ({
    ...Reflect.get(window, 'benchStart'),
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    script: Math.max(
      ...performance
        .getEntriesByType('resource')
        .flatMap(e => (e.name.endsWith('.js') ? [Reflect.get(e, 'responseEnd')] : [])),
    ),
  }))
  await context.close()
  return start
}

/**
 * Until the page takes a drop, ms: the CPU time of the main thread at full speed counts as often as it would be
 * slowed, waiting counts once. Other programs that run meanwhile do not lengthen it.
 * @param {import('@playwright/test').Browser} browser @param {string} url
 */
async function takesDropByCpu(browser, url) {
  const { context, page } = await firstVisitor(browser, 1)
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] })
  await page.goto(url)
  await page.waitForFunction(() => Reflect.get(Reflect.get(window, 'benchStart'), 'drop') !== undefined)
  const { traceEvents: events } = JSON.parse((await browser.stopTracing()).toString())
  await context.close()
  const drop = events.find((/** @type {any} */ e) => e.name === TAKES_DROP)
  const ofPage = events.filter((/** @type {any} */ e) => e.pid === drop.pid && e.ts < drop.ts)
  const begin = Math.max(...ofPage.flatMap((/** @type {any} */ e) => (e.name === 'navigationStart' ? [e.ts] : [])))
  const tasks = ofPage.filter(
    (/** @type {any} */ e) => e.ph === 'X' && e.tid === drop.tid && e.name.endsWith('RunTask') && e.ts >= begin,
  )
  let [end, elapsed, cpu] = [begin, 0, 0]
  for (const task of tasks.sort((/** @type {any} */ a, /** @type {any} */ b) => a.ts - b.ts)) {
    // Tasks within another one are counted with it.
    if (task.ts < end) continue
    end = task.ts + task.dur
    elapsed += task.dur
    cpu += task.tdur ?? 0
  }
  return (drop.ts - begin - elapsed + SLOWER * cpu) / 1000
}

const printRow = createTable()

/** @param {number} runs */
async function printStart(runs) {
  const files = packedFiles(join(ROOT, 'dist'))
  printRow('bytes', ['raw', 'gzip -9', 'brotli 5'])
  const loaded = [...files].filter(([path]) => path === 'index.html' || path.startsWith('assets/'))
  for (const [path, { raw, gzip, br }] of loaded) printRow(path, [raw.length, gzip.length, br.length])
  const sum = (/** @type {'raw' | 'gzip' | 'br'} */ what) =>
    loaded.reduce((all, [, packed]) => all + packed[what].length, 0)
  printRow('all', [sum('raw'), sum('gzip'), sum('br')])

  const trace = traceFiles(join(ROOT, TRACE)).map(name => ({
    name,
    text: readFileSync(join(ROOT, TRACE, name)).toString('base64'),
  }))
  say(
    `\nempty cache, ${MBIT} Mbit/s, ${ROUND_TRIP_MS} ms round trip, CPU slowed ${SLOWER}x; median (fastest) of ${runs}, ms since navigation`,
  )
  printRow('', ['gzip', 'brotli'])
  const browser = await launchChromium()
  try {
    /** @type {Map<string, string[]>} */
    const table = new Map()
    for (const encoding of /** @type {const} */ (['gzip', 'br'])) {
      const host = await serveSlowly(files, { bytesPerSecond: (MBIT * 1e6) / 8, encoding })
      const idle = []
      const dropped = []
      const byCpu = []
      for (let i = 0; i < runs; i++) {
        byCpu.push(await takesDropByCpu(browser, host.url))
        idle.push(await visit(browser, host.url))
        dropped.push(await visit(browser, host.url, trace))
      }
      host.close()
      const timesOf = (/** @type {readonly StartTimes[]} */ visits, /** @type {keyof StartTimes} */ key) =>
        visits.map(start => start[key])
      /** @type {Readonly<Record<string, readonly number[]>>} */
      const rows = {
        painted: timesOf(idle, 'painted'),
        'takes a drop': timesOf(idle, 'drop'),
        'the same without other load, estimated': byCpu,
        'all scripts fetched': timesOf(idle, 'script'),
        'engine compiled': timesOf(idle, 'engine'),
        'trace dropped at once is read and drawn': timesOf(dropped, 'drawn'),
        'layout shift (score x 1,000)': timesOf(idle, 'shift').map(score => score * 1000),
      }
      for (const [name, values] of Object.entries(rows)) {
        table.set(name, [
          ...(table.get(name) ?? []),
          `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)})`,
        ])
      }
    }
    for (const [name, values] of table) printRow(name, values)
  } finally {
    await browser.close()
  }
}

/** @type {import('../lib/bench.mjs').Bench} */
export const start = {
  summary: 'bytes of the page, and the time of a first visit on a slow line with a slow CPU',
  options: { runs: RUNS },
  async run({ values }) {
    const runs = readNumber(values.runs)
    await everything()
    await printStart(runs)
  },
}
