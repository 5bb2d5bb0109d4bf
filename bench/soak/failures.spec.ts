/** What happens to a tab in the course of a day: nothing is lost, nothing stays stuck. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, expect, type Page, test } from '@playwright/test'
import { serve } from '../../scripts/lib/server.mjs'
import { NAMES } from '../../tests/e2e/support/names'
import { chip, drop, recording, waitForRuns } from '../../tests/e2e/support/page'
import { generate } from '../lib/generate.mjs'
import { note } from './figures'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let scratch = ''
/** A recording that takes seconds to read. */
let large: readonly string[] = []
test.beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'seekscope-soak-'))
  large = generate(join(scratch, 'large'), 3_000_000, 'deep').files
})
test.afterAll(() => rmSync(scratch, { recursive: true }))

async function pick(page: Page, files: readonly string[]) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: NAMES.openFiles }).click()
  await (await chooser).setFiles([...files])
}

const reading = (page: Page, letter: string) => expect(chip(page, letter).getByRole('progressbar')).toBeVisible()
const events = (page: Page, letter: string) => chip(page, letter).locator('.chip-facts').innerText()

test('a tab that the browser freezes while it reads goes on where it was', async ({ page }) => {
  await page.goto('./')
  await pick(page, large)
  await reading(page, 'A')
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await waitForRuns(page, 1)
  note(await events(page, 'A'))
})

test('a storage quota of nothing: the page works, and keeps nothing', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ serviceWorkers: 'allow' })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(String(error)))
  const session = await context.newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(baseURL ?? '').origin, quotaSize: 1000 })
  await page.goto(baseURL ?? '')
  await drop(page, [...recording('partitions-deadline-1w', 'a'), ...recording('partitions-bfq-1w', 'b')])
  await waitForRuns(page, 2)
  const state = await page.evaluate(async () => {
    const { installing } = await navigator.serviceWorker.register('sw.js')
    if (!installing) return 'not installed'
    return new Promise<string>(done =>
      installing.addEventListener('statechange', () => installing.state !== 'installing' && done(installing.state)),
    )
  })
  expect(state).not.toBe('installed')
  await page.reload()
  await expect(page.locator('.drop-zone')).toBeVisible()
  expect(errors).toEqual([])
  const { usage } = await session.send('Storage.getUsageAndQuota', { origin: new URL(baseURL ?? '').origin })
  note(`service worker ${state}, ${usage} bytes kept`)
  await context.close()
})

test('the clock jumps while a trace is read: back ten years, and on by eleven', async ({ page }) => {
  await page.goto('./')
  await pick(page, large)
  await reading(page, 'A')
  await page.clock.setSystemTime(new Date('2016-01-01'))
  await drop(page, recording('io-errors'))
  await page.clock.setSystemTime(new Date('2037-01-01'))
  await waitForRuns(page, 2)
  await page.keyboard.press('w')
  await expect(page).toHaveURL(/[#&]t=/)
  note(await events(page, 'A'))
})

test('memory is full in one worker while another reads', async ({ baseURL }) => {
  const { executablePath } = test.info().project.use.launchOptions ?? {}
  // Of 64 KiB each: every engine has at most 32 MiB, into which the large recording does not fit.
  const args = ['--no-sandbox', '--js-flags=--wasm-max-mem-pages=512']
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args })
  const page = await browser.newPage()
  await page.goto(baseURL ?? '')
  await pick(page, large)
  await reading(page, 'A')
  await drop(page, [...recording('partitions-deadline-1w', 'deadline'), ...recording('partitions-bfq-1w', 'bfq')])
  await waitForRuns(page, 3)
  await expect(page.getByRole('dialog')).toBeVisible()
  note(`dialog: ${await page.getByRole('dialog').getByRole('heading').first().innerText()}`)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  for (const letter of ['A', 'B', 'C'])
    note(`${letter}: ${(await chip(page, letter).innerText()).replaceAll(/\s+/g, ' ')}`)
  await expect(chip(page, 'A').locator('.chip-quality.good')).toHaveCount(0)
  for (const letter of ['B', 'C']) await expect(chip(page, letter).locator('.chip-quality.good')).toHaveCount(1)
  // The page still opens traces, and shares.
  await drop(page, recording('sync-fua'))
  await waitForRuns(page, 4)
  await browser.close()
})

test('the network is lost in the middle of a reference link: said, and retried', async ({ page }) => {
  const bytes = readFileSync(join(ROOT, 'tests/stories/raid5.tar.xz'))
  let working = false
  let stalled: ServerResponse | undefined
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
    })
    if (working) return response.end(bytes)
    response.write(bytes.subarray(0, bytes.length >> 1))
    stalled = response
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/raid5.tar.xz`
  await page.goto(`./#v=1&url=${encodeURIComponent(url)}`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: NAMES.open, exact: true }).click()
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await expect.poll(() => stalled !== undefined).toBe(true)
  stalled?.destroy()
  await expect(dialog.locator('[data-code]')).toContainText('connection was lost')
  note(
    await dialog
      .locator('[data-code]')
      .innerText()
      .then(text => text.split('\n').find(line => line.includes('lost')) ?? ''),
  )
  working = true
  await dialog.getByRole('button', { name: NAMES.retry }).click()
  await expect(page.locator('.chip').first()).toBeVisible()
  const runs = await page.locator('.chip').count()
  await waitForRuns(page, runs)
  note(`${runs} runs after a retry`)
  server.closeAllConnections()
  server.close()
})

test('two tabs update the app at the same time', async ({ browser }) => {
  const folder = join(scratch, 'app')
  cpSync(join(ROOT, 'dist'), folder, { recursive: true })
  const host = await serve(folder, 0)
  const context = await browser.newContext({ serviceWorkers: 'allow' })
  const pages = [await context.newPage(), await context.newPage()]
  const [first] = pages
  if (!first) throw new Error('no page')
  await first.goto(host.url)
  await first.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    await new Promise<void>(done => {
      const look = () => active?.state === 'activated' && done()
      active?.addEventListener('statechange', look)
      look()
    })
  })
  for (const page of pages) {
    await page.goto('about:blank')
    await page.goto(`${host.url}#v=1&sample=osync`)
    await waitForRuns(page, 2)
  }
  const index = join(folder, 'index.html')
  writeFileSync(index, readFileSync(index, 'utf8').replace('<html lang="en">', '<html lang="en" data-version="2">'))
  const worker = join(folder, 'sw.js')
  writeFileSync(
    worker,
    readFileSync(worker, 'utf8').replace(/("url":"index\.html","revision":")\w{16}/, '$10123456789abcdef'),
  )
  await first.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  for (const page of pages) await expect(page.locator('.update')).toBeVisible()
  await Promise.all(pages.map(page => page.getByRole('button', { name: NAMES.reload }).click()))
  for (const page of pages) {
    await expect(page.locator('html')).toHaveAttribute('data-version', '2')
    await waitForRuns(page, 2)
    await expect(page.locator('.update')).toHaveCount(0)
  }
  note(`both have version 2 and their runs; ${readdirSync(folder).length} entries in dist/`)
  await context.close()
  await host.close()
})
