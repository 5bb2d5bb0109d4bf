/**
 * Follows a made stream with the real command and the page in Chromium: time from an event to its picture, frames,
 * memory.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, Stop, say } from '../../scripts/lib/run.mjs'
import { everything } from '../../scripts/lib/setup.mjs'
import { readNumber, readNumbers } from '../lib/bench.mjs'
import { launchChromium } from '../lib/chromium.mjs'
import { familyOf } from '../lib/measure.mjs'
import { memoryOf } from '../lib/memory.mjs'
import { createTable, inMB } from '../lib/report.mjs'
import { quantile } from '../lib/statistics.mjs'

const STREAM = join(ROOT, 'bench/page/stream.mjs')

/** Runs inside the page before its scripts: times of pictures of the seek map, and frames. */
function installLiveWatch() {
  /** @type {{ at: number, end: number }[]} wall clock in ms, end of the picture in ns since the first event */
  const pictures = []
  /** @type {number[]} */
  const frames = []
  /** @typedef {{ iops: number, d2c?: { p99: number }, depth?: { mean: number } }} LiveFigures */
  /**
   * @type {{ status?: { shownFrom?: number, recent: readonly LiveFigures[], engine: { origin: string, shown_ns: number,
   * late: number } } }}
   */
  const last = {}
  /** The status before the charts began later, and the one after. @type {unknown[]} */
  const switches = []
  const Own = window.Worker
  window.Worker = class extends Own {
    /** @param {string | URL} url @param {WorkerOptions} [options] */
    constructor(url, options) {
      super(url, options)
      this.addEventListener('message', ({ data }) => {
        if (data?.type === 'stream') {
          if (last.status && last.status.shownFrom !== data.status.shownFrom) switches.push([last.status, data.status])
          last.status = data.status
        }
        const end = asked.get(data?.id)
        if (data?.type === 'answer' && end !== undefined)
          requestAnimationFrame(() => pictures.push({ at: performance.timeOrigin + performance.now(), end }))
        asked.delete(data?.id)
      })
    }
    /** @override @param {any} message @param {any} [more] */
    postMessage(message, more) {
      if (message?.type === 'query' && message.kind === 'seekMap') asked.set(message.id, message.ask.range.t1)
      super.postMessage(message, more)
    }
  }
  /** @type {Map<number, number>} */
  const asked = new Map()
  let before = performance.now()
  const frame = () => {
    const now = performance.now()
    frames.push(now - before)
    before = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  Object.assign(window, {
    liveWatch: {
      take: () => ({
        pictures: pictures.splice(0),
        frames: frames.splice(0),
        switches: switches.splice(0),
        status: last.status,
      }),
    },
  })
}

/** Figures of the last 10 s around a switch to another trace of the engine. @param {readonly any[]} pair */
function saySwitch([before, after]) {
  const figures = (/** @type {any} */ { recent: [device] }) =>
    `${device.iops.toFixed(0)} IOPS, ${device.depth?.mean.toFixed(2)} in flight, D2C p99 ${(device.d2c?.p99 / 1e6).toFixed(2)} ms`
  const secondsText = (/** @type {number} */ ns) => `${(ns / 1e9).toFixed(1)} s`
  say(
    `      at ${secondsText(after.engine.shown_ns)} charts begin at ${secondsText(after.shownFrom)}: before ${figures(before)}; after ${figures(after)}`,
  )
}

/** @param {number} rate events per second @param {number} seconds */
async function printLive(rate, seconds) {
  const args = [STREAM, '--rate', String(rate), '--seconds', String(seconds)]
  const maker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const command = spawn(process.execPath, [join(ROOT, 'dist-cli/seekscope.mjs'), 'open', '--no-browser', '-'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  maker.stdout.pipe(command.stdin)
  const url = await new Promise(resolve => command.stdout.once('data', bytes => resolve(String(bytes).trim())))
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript(installLiveWatch)
    await page.goto(url)
    // The clock of events is monotonic, that of the page is not.
    const clock = Date.now() * 1e6 - Number(process.hrtime.bigint())
    say(`${rate.toLocaleString('en')} events/s`)
    const printRow = createTable({ first: 5 })
    printRow('s', ['lag p50', 'lag p99', 'pictures', 'frame p50', 'frame p99', 'longest', 'late', 'page', 'command'])
    const began = performance.now()
    for (let done = false; !done; ) {
      const ended = await Promise.race([
        page.waitForSelector('.streamed', { timeout: 0 }).then(() => true),
        new Promise(resolve => setTimeout(resolve, 30_000, false)),
      ])
      done = ended === true
      /** @type {any} */
      const { pictures, frames, switches, status } = await page.evaluate('liveWatch.take()')
      const origin = Number(status?.engine.origin ?? 0)
      const lags = pictures.map((/** @type {any} */ { at: time, end }) => (time * 1e6 - clock - origin - end) / 1e6)
      const sizes = familyOf(process.pid)
        .filter(pid => pid !== process.pid && pid !== maker.pid && pid !== command.pid)
        .map(pid => memoryOf(pid, 'VmRSS') ?? 0)
      const cells = [
        `${quantile(lags, 0.5).toFixed(0)} ms`,
        `${quantile(lags, 0.99).toFixed(0)} ms`,
        pictures.length,
        `${quantile(frames, 0.5).toFixed(0)} ms`,
        `${quantile(frames, 0.99).toFixed(0)} ms`,
        `${Math.max(...frames).toFixed(0)} ms`,
        status?.engine.late ?? '',
        inMB(Math.max(...sizes)),
        inMB(memoryOf(command.pid ?? 0, 'VmRSS')),
      ]
      for (const pair of switches) saySwitch(pair)
      printRow(((performance.now() - began) / 1000).toFixed(0), cells)
    }
    const ended = performance.now()
    await page.waitForSelector('section[aria-label="Summary"]', { timeout: 0 })
    say(
      `the run at the end: complete after ${((performance.now() - ended) / 1000).toFixed(1)} s; ${(await page.textContent('.streamed'))?.trim()}`,
    )
  } finally {
    await browser.close()
    maker.kill()
    command.kill()
  }
}

/** @type {import('../lib/bench.mjs').Bench} */
export const live = {
  summary: 'a made stream that the page follows: lag, frames, memory',
  options: {
    rates: { type: 'string', default: '20000,100000', help: 'events per second, one stream each' },
    seconds: { type: 'string', default: '300', help: 'length of each stream' },
  },
  async run({ values: { rates, seconds } }) {
    const length = readNumber(seconds)
    const each = readNumbers(rates)
    await everything()
    for (const rate of each) await printLive(rate, length)
  },
}

/** @type {import('../lib/bench.mjs').Bench} */
export const stream = {
  summary: 'writes the stream of `live` to standard output, as `blktrace -o -` does (options: `bench/page/stream.mjs`)',
  passes: true,
  prints: true,
  run: ({ operands }) =>
    new Promise((resolve, reject) => {
      const maker = spawn(process.execPath, [STREAM, ...operands], { stdio: 'inherit' })
      maker.on('error', reject)
      maker.on('close', code => (code === 0 ? resolve() : reject(new Stop(`The stream ended with exit ${code}`))))
    }),
}
