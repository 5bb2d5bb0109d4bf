/**
 * How fast the page answers: pointer, zoom, filter, colour, event list, comparison, links and exports, in Chromium,
 * in the page as it is shipped. Frames are those from the first to the last input of a gesture; times are ms from
 * its last input to the frame with the answer.
 */
import { join } from 'node:path'
import { ROOT, say } from '../../scripts/lib/run.mjs'
import { serve } from '../../scripts/lib/server.mjs'
import { everything } from '../../scripts/lib/setup.mjs'
import { launchChromium } from '../lib/chromium.mjs'
import { eachRecording, FOLDER, traceFiles } from '../lib/recordings.mjs'
import { createTable, inMs } from '../lib/report.mjs'
import { median, quantile } from '../lib/statistics.mjs'
import { installWatch } from './pageWatch.mjs'
import { AT_ONCE, answeredAfter, REST, watch, watched } from './watched.mjs'

/** @typedef {import('@playwright/test').Page} Page */
const STEPS = 60
const MINUTES = 60_000

const printRow = createTable({ first: 34, width: 10 })

/** @param {Page} page @param {string} name @param {() => Promise<void>} gesture */
async function gestured(page, name, gesture) {
  const found = await watched(page, gesture)
  const { frames, input, queries, shown } = found
  /** @type {Map<string, number>} */
  const busy = new Map()
  for (const q of queries) busy.set(q.kind, (busy.get(q.kind) ?? 0) + q.busy)
  const costly = [...busy]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([kind, sum]) => `${kind} ${sum.toFixed(0)}`)
  const many = frames.length > 5
  const cells = [
    many ? median(frames) : undefined,
    many ? quantile(frames, 0.95) : undefined,
    answeredAfter(found, ['seekMap']),
    answeredAfter(found, AT_ONCE),
    queries.length > 0 ? shown - input : undefined,
  ]
  printRow(name, cells.map(inMs), costly.join(', '))
}

/**
 * Opens a folder as one more run; resolves when its figures are shown. @param {Page} page @param {string} folder @param
 * {number} runs so many in all
 */
async function openFolder(page, folder, runs) {
  const files = traceFiles(folder)
  const chooser = page.waitForEvent('filechooser')
  await page
    .getByRole('button', { name: runs === 1 ? 'Open files' : 'Add files' })
    .first()
    .click()
  await (await chooser).setFiles(files.map(name => join(folder, name)))
  await page.locator('section[aria-label="Summary"]').waitFor({ timeout: 10 * MINUTES })
}

/** @param {Page} page */
async function gestures(page) {
  const map = page.getByRole('group', { name: /^Seek map, A/ })
  await map.scrollIntoViewIfNeeded()
  const box = await map.boundingBox()
  if (!box) throw new Error('no seek map')
  const [middle, top] = [box.x + box.width / 2, box.y + box.height / 2]
  const sweep = async (/** @type {number} */ from, /** @type {number} */ to) => {
    for (let i = 0; i <= STEPS; i++)
      await page.mouse.move(box.x + box.width * (from + ((to - from) * i) / STEPS), top + Math.sin(i / 5) * 40)
  }
  const wheel = async (/** @type {number} */ notches, /** @type {number} */ delta) => {
    await page.mouse.move(middle, top)
    await page.keyboard.down('Control')
    for (let i = 0; i < notches; i++) await page.mouse.wheel(0, delta)
    await page.keyboard.up('Control')
  }
  const toggle = (/** @type {string} */ facet) =>
    page.locator('.facet', { hasText: facet }).getByRole('checkbox').first().click()
  const colour = (/** @type {string} */ layer) => page.locator('.chart-tools select').first().selectOption(layer)

  printRow('ms', ['frame', 'p95', 'map', 'over time', 'all'], 'engine, ms: the costliest')
  await gestured(page, 'hover', () => sweep(0.1, 0.9))
  await gestured(page, 'wheel: zoom in to 1/10', () => wheel(30, -17))
  await gestured(page, 'wheel: zoom out', () => wheel(29, 17))
  await gestured(page, 'drag: mark a range', async () => {
    await page.mouse.move(box.x + box.width * 0.3, top)
    await page.mouse.down()
    await sweep(0.3, 0.8)
    await page.mouse.up()
  })
  await gestured(page, 'drag: zoom to it', () => page.locator('.plot-commit:visible').first().click())
  await gestured(page, 'back to everything', () => wheel(3, 60))
  for (const layer of ['process', 'latency', 'density'])
    await gestured(page, `colour: ${layer}`, async () => void (await colour(layer)))
  for (const facet of ['Operation', 'Process', 'CPU']) {
    await gestured(page, `filter: ${facet.toLowerCase()} off`, () => toggle(facet))
    await gestured(page, `filter: ${facet.toLowerCase()} on`, () => toggle(facet))
  }
  const devices = page.locator('input[name="device"]')
  if ((await devices.count()) > 1) {
    await gestured(page, 'filter: device', () => devices.nth(1).click())
    await gestured(page, 'filter: device back', () => devices.first().click())
  }
}

/** The engine by itself. @param {Page} page @param {string} what */
async function alone(page, what) {
  await watch(page, 'idle', REST)
  const found = /** @type {Record<string, number>} */ (await watch(page, 'alone'))
  const words = Object.entries(found)
    .sort((a, b) => b[1] - a[1])
    .filter(([, time]) => time >= 1)
  say(`the engine alone, ${what}, ms: ${words.map(([kind, time]) => `${kind} ${time.toFixed(0)}`).join(', ')}`)
}

/** @param {Page} page */
async function eventFilters(page) {
  // A key of the page, not of the control that was used last.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.keyboard.press('v')
  const field = page.getByLabel('Event filter')
  await field.waitFor()
  for (const filter of ['act:D', 'op:write', 'fio', 'sector:1000..2000000', '']) {
    await gestured(page, `event list: ${filter || 'everything'}`, () => field.fill(filter))
  }
  await page.keyboard.press('Escape')
  await field.blur()
  await page.keyboard.press('v')
}

/**
 * Seconds from a click to a state of the page. @param {string} name @param {() => Promise<void>} click @param {() =>
 * Promise<unknown>} state
 */
async function timed(name, click, state) {
  const begin = performance.now()
  await click()
  await state()
  printRow(name, [inMs(performance.now() - begin)])
}

/** @param {Page} page */
async function sharing(page) {
  const share = page.getByRole('button', { name: 'Share', exact: true })
  const size = (/** @type {string} */ letter) => page.getByRole('button', { name: new RegExp(`^${letter} [\\d,]+`) })
  for (const letter of ['S', 'L']) {
    await timed(
      `share: ${letter}`,
      () => share.click(),
      () => size(letter).waitFor({ timeout: 10 * MINUTES }),
    )
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}

/** @param {Page} page */
async function exporting(page) {
  await page.keyboard.press('x')
  const save = page.getByRole('button', { name: 'Save Parquet' })
  await save.waitFor()
  const begin = performance.now()
  const download = page.waitForEvent('download', { timeout: 10 * MINUTES })
  await save.click()
  await download
  const time = performance.now() - begin
  const status = page.getByRole('dialog').getByRole('status')
  await status.filter({ hasText: 'saved' }).waitFor()
  const rows = Number((await status.textContent())?.replace(/\D/g, ''))
  printRow('Parquet', [inMs(time)], `${inMs((time / rows) * 1e6)} per 1 M of ${(rows / 1e6).toFixed(1)} M requests`)
  await page.keyboard.press('Escape')
}

/**
 * Runs everything on one recording, then compares it with itself. @param {string} folder @param {{ pair: boolean }} how
 */
async function printAnswers(folder, { pair }) {
  const server = await serve(join(ROOT, 'dist'), 0)
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(MINUTES / 4)
    await page.addInitScript(installWatch)
    await page.goto(server.url)
    await openFolder(page, folder, 1)
    await gestures(page)
    await alone(page, 'everything in view')
    await eventFilters(page)
    await sharing(page)
    await exporting(page)
    if (!pair) return
    await openFolder(page, folder, 2)
    await page
      .locator('.finding-rows')
      .first()
      .waitFor({ timeout: 10 * MINUTES })
    printRow('comparison', [inMs(Number(await watch(page, 'sinceRead')))])
    say('two runs')
    await gestures(page)
    await sharing(page)
  } finally {
    await browser.close()
    await server.close()
  }
}

/** @type {import('../lib/bench.mjs').Bench} */
export const answers = {
  summary: 'frames and answers of the page in use (pointer, zoom, filters, events, links, Parquet), of one run and two',
  options: {
    events: { type: 'string', default: '6,20', help: 'of generated recordings, in millions' },
    folder: FOLDER,
    'no-pair': { type: 'boolean', help: 'one run only' },
  },
  async run({ values: { folder, events }, flags }) {
    await everything()
    const how = { pair: !flags.has('no-pair') }
    if (folder !== undefined) return await printAnswers(folder, how)
    await eachRecording('disks', events, async (generated, title) => {
      say(`\n${title}`)
      await printAnswers(generated, how)
    })
  },
}
