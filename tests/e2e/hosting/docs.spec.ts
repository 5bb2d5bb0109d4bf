import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { serve } from '../../../scripts/lib/server.mjs'
import { MEASURED } from '../../../web/lib/docs'
import { NAMES } from '../support/names'
import { chart, press, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const DIST = join(dirname(fileURLToPath(import.meta.url)), '../../../dist')
const PAGES = [
  'user-guide',
  'guide/charts',
  'guide/command-line',
  'guide/playback',
  'measures',
  'formats',
  'hosting',
  'architecture',
  'decisions/index',
  'decisions/rows-and-kinds',
  'index',
]

test('guide and measures open from the landing page, and lead back', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await page.getByRole('button', { name: NAMES.dark }).click()
  await page.getByRole('link', { name: NAMES.userGuide }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('User guide')
  await expect(page.locator('html'), 'the colours chosen on the page').toHaveAttribute('data-theme', 'dark')
  await page.getByRole('navigation', { name: NAMES.documents }).getByRole('link', { name: NAMES.measures }).click()
  await expect(page).toHaveTitle('Measures – Seekscope')
  await page.getByRole('link', { name: NAMES.home, exact: true }).click()
  await expect(page.locator('.drop-zone')).toBeVisible()
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

/**
 * Places to which other layouts lead, disks (the sample shows an array), maps, stacks and calls, runs with a
 * benchmark's output, results without a trace, and counters next to a trace.
 */
const ELSEWHERE = new Set<string>([
  'difference',
  'why-requests-were-slow',
  'files-and-structures',
  'call-stacks',
  'calls',
  'histograms',
  'what-the-application-saw',
  'results-without-a-trace',
  'counters',
])

test('every chart leads to how it is measured, and the traces stay open', async ({ page }) => {
  await page.goto('./#v=1&sample=raid5')
  await waitForRuns(page, 2)
  // What follows the digests of both runs comes last.
  await expect(chart(page, 'Layers').first()).toBeVisible()
  const reached = new Set<string>()
  // An array issues no requests: what needs them has a reason instead, and no menu.
  const titles = await page
    .locator('section.chart-row')
    .filter({ has: page.getByRole('button', { name: NAMES.chartMenu('') }) })
    .locator('h3')
    .allTextContents()
  expect(titles.length).toBeGreaterThan(8)
  for (const title of titles) {
    const row = chart(page, title).first()
    await row.hover()
    await press(row.getByRole('button', { name: NAMES.chartMenu(title) }))
    const link = row.getByRole('link', { name: NAMES.howMeasured })
    reached.add(((await link.getAttribute('href')) ?? '').split('#')[1] ?? '')
    await page.keyboard.press('Escape')
  }
  const fromTable = page.locator('.differences').getByRole('link', { name: NAMES.howMeasured })
  reached.add(((await fromTable.getAttribute('href')) ?? '').split('#')[1] ?? '')
  await page.getByRole('button', { name: NAMES.runMenu('A') }).click()
  await page.getByRole('menuitem', { name: NAMES.nativeTables }).click()
  for (const tab of await page.getByRole('dialog').getByRole('tab').all()) {
    await tab.click()
    reached.add(((await page.getByRole('dialog').getByRole('link').getAttribute('href')) ?? '').split('#')[1] ?? '')
  }
  await page.keyboard.press('Escape')
  expect([...reached].sort()).toEqual(MEASURED.filter(place => !ELSEWHERE.has(place)).sort())

  const opened = page.waitForEvent('popup')
  await fromTable.click()
  const measures = await opened
  await expect(measures.locator('#figures')).toBeInViewport()
  await expect(page.locator('.chip')).toHaveCount(2)
})

test('the list of keys leads to the guide', async ({ page }) => {
  await page.goto('./')
  await expect(page.locator('.drop-zone')).toBeVisible()
  await page.keyboard.press('?')
  const opened = page.waitForEvent('popup')
  await page.getByRole('dialog').getByRole('link', { name: NAMES.userGuide }).click()
  await expect((await opened).getByRole('heading', { level: 1 })).toHaveText('User guide')
})

test('documents work from any folder of any static host', async ({ page, requests }) => {
  const root = mkdtempSync(join(tmpdir(), 'seekscope-docs-'))
  mkdirSync(join(root, 'some'))
  cpSync(DIST, join(root, 'some/of mine'), { recursive: true })
  const { url, close } = await serve(root, 0)
  requests.own(url)
  const { errors, foreign } = watch(page)
  for (const name of PAGES) {
    await page.goto(`${url}some/of%20mine/docs/${name}.html`)
    expect(await page.evaluate(() => getComputedStyle(document.body).marginTop), 'the stylesheet is there').toBe('0px')
    await page.getByRole('link', { name: NAMES.home, exact: true }).click()
    await expect(page).toHaveTitle(/^Seekscope/)
  }
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
  await page.goto('about:blank')
  await close()
  rmSync(root, { recursive: true })
})

test('axe finds nothing in the documents, and nothing sticks out sideways', async ({ page }) => {
  for (const path of PAGES) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`./docs/${path}.html`)
    expect([path, await violations(page)]).toEqual([path, []])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect([path, await violations(page, { rules: ['color-contrast'] })]).toEqual([path, []])
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([path, width, wide]).toEqual([path, width, 0])
    }
    expect([path, await violations(page)]).toEqual([path, []])
  }
})
