/**
 * The speed of the hand: what the slowest keys and buttons of the page take, on a sample and on two recordings of
 * millions of events, in Chromium. `paint` is the time to the frame with the response, `charts` to the last answer of
 * the charts that follow at once: the larger one is to be at most 200 ms on samples, and 400 ms at 6 M events.
 */
import { join } from 'node:path'
import { ROOT, say } from '../../scripts/lib/run.mjs'
import { serve } from '../../scripts/lib/server.mjs'
import { everything } from '../../scripts/lib/setup.mjs'
import { RUNS, readNumber } from '../lib/bench.mjs'
import { launchChromium } from '../lib/chromium.mjs'
import { eachRecording, traceFiles } from '../lib/recordings.mjs'
import { createTable, inMs } from '../lib/report.mjs'
import { median } from '../lib/statistics.mjs'
import { installWatch } from './pageWatch.mjs'
import { AT_ONCE, answeredAfter, watched } from './watched.mjs'

/** @typedef {import('@playwright/test').Page} Page */

const MINUTES = 60_000
const MAX_FINDINGS = 5
/** What each round does, in this order: every step leaves the page as the next one needs it. */
const STEPS = /** @type {const} */ ([
  ['evidence', 'e'],
  ['full range after evidence', '0'],
  ['zoom in', 'w'],
  ['full range', '0'],
  ['next finding', 'n'],
  ['previous finding', 'Shift+N'],
  ['overlay', 'l'],
  ['difference', 'l'],
  ['columns', 'l'],
  ['hide a run', 'click:[aria-label^="A: "]'],
  ['show it again', 'click:[aria-label^="A: "]'],
  ['other theme', 'click:button[aria-label$="theme"]'],
])

/** @param {Page} page @param {string} input a key, or `click:` and a selector */
const press = (page, input) =>
  input.startsWith('click:') ? page.locator(input.slice(6)).first().click() : page.keyboard.press(input)

/** Goes to a finding whose evidence is in a chart. Whether there is one. @param {Page} page */
async function findEvidence(page) {
  for (let i = 0; i < MAX_FINDINGS; i++) {
    await page.keyboard.press('e')
    const isShown = await page.locator('.evidence-bar').isVisible()
    await page.keyboard.press(isShown ? '0' : 'Escape')
    if (isShown) return true
    await page.keyboard.press('n')
  }
  return false
}

/** @param {Page} page @param {string} title @param {number} rounds */
async function rounds(page, title, rounds) {
  const steps = (await findEvidence(page)) ? STEPS : STEPS.slice(2)
  const printRow = createTable({ first: 34, width: 10 })
  /** @type {Map<string, { paint: number, charts: number }[]>} */
  const found = new Map()
  // The first round compiles what it runs.
  for (let round = 0; round <= rounds; round++)
    for (const [name, input] of steps) {
      const step = await watched(page, () => press(page, input))
      const times = { paint: step.painted - step.input, charts: answeredAfter(step, AT_ONCE) ?? 0 }
      if (round > 0) found.set(name, [...(found.get(name) ?? []), times])
    }
  printRow(`${title}, ms`, ['paint', 'charts', 'slowest'])
  for (const [name, times] of found)
    printRow(name, [
      inMs(median(times.map(({ paint }) => paint))),
      inMs(median(times.map(({ charts }) => charts))),
      inMs(Math.max(...times.map(({ paint, charts }) => Math.max(paint, charts)))),
    ])
}

/** @param {string} app folder of a built page @param {(page: Page, url: string) => Promise<void>} work */
async function withPage(app, work) {
  const server = await serve(app, 0)
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(MINUTES)
    await page.addInitScript(installWatch)
    await work(page, server.url)
  } finally {
    await browser.close()
    await server.close()
  }
}

/** @param {Page} page @param {string} url @param {readonly string[]} folders */
async function openFolders(page, url, folders) {
  await page.goto(url)
  for (const [i, folder] of folders.entries()) {
    const chooser = page.waitForEvent('filechooser')
    await page
      .getByRole('button', { name: /^(Open files|Add files|Add trace)/ })
      .first()
      .click()
    await (await chooser).setFiles(traceFiles(folder).map(name => join(folder, name)))
    await page
      .locator('.chip .chip-quality')
      .nth(i)
      .waitFor({ timeout: 10 * MINUTES })
  }
}

/** @type {import('../lib/bench.mjs').Bench} */
export const hand = {
  summary: 'the slowest keys and buttons: evidence, full range, hide a run, theme, overlay, next finding',
  options: {
    runs: RUNS,
    events: { type: 'string', default: '6', help: 'of each of two generated recordings, in millions' },
    sample: { type: 'boolean', help: 'the sample only' },
    app: { type: 'string', help: 'a folder with another built page, to compare with' },
  },
  async run({ values: { runs, events, app }, flags }) {
    await everything()
    const folder = app ?? join(ROOT, 'dist')
    const count = readNumber(runs)
    await withPage(folder, async (page, url) => {
      await page.goto(`${url}#v=1&sample=idling`)
      await page.locator('.chip .chip-quality').nth(1).waitFor()
      await rounds(page, 'sample', count)
    })
    if (flags.has('sample')) return
    await eachRecording('disks', events, async (first, title) => {
      await eachRecording('deep', events, async second => {
        say(`\n${title}, and as many`)
        await withPage(folder, async (page, url) => {
          await openFolders(page, url, [first, second])
          await rounds(page, `2 x ${events} M events`, count)
        })
      })
    })
  },
}
