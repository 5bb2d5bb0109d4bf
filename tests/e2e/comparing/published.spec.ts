/** The index of published runs, served as it is: it opens as a fleet, whose runs are compared and fetched. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { serve } from '../../../scripts/lib/server.mjs'
import { chart, chip, verdictSentence, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'
import { temporaryFolder } from '../support/temporary'

const HOSTILE = `<img src=x onerror="document.title='run'">`

const root = temporaryFolder('published')

/** Runs are published once per worker. */
let isPublished = false
function published(): string {
  const publish = (run: string, kernel: string, recording: string, ...more: readonly string[]) =>
    execFileSync(
      process.execPath,
      ['cli/seekscope.mjs', 'publish', '--into', root, '--run', run, '--label', `kernel=${kernel}`, ...more, recording],
      { stdio: 'ignore' },
    )
  if (!isPublished) {
    publish('buffered 6.1', '6.1', 'tests/fixtures/ext4-buffered-6.1', '--label', 'test=buffered')
    publish(
      'buffered 6.12',
      '6.12',
      'tests/fixtures/ext4-buffered-6.12',
      '--label',
      'test=buffered',
      '--baseline',
      'kernel=6.1',
    )
    publish(HOSTILE, '6.12', 'tests/fixtures/sync-fua')
  }
  isPublished = true
  return root
}

const rows = (page: Page) => page.locator('.fleet-row')
const row = (page: Page, run: string) => rows(page).filter({ has: page.getByTitle(run, { exact: true }) })

test('the index opens as a fleet; two runs are compared, and their recordings fetched', async ({ page, requests }) => {
  const { url, close } = await serve(published(), 0)
  requests.own(url)
  const { errors, foreign } = watch(page)
  await page.goto(url)
  await expect(rows(page)).toHaveCount(3)
  expect(new URL(page.url()).pathname).toBe('/page/')
  // The latest run is the first one, and its name is text.
  await expect(rows(page).first()).toContainText(HOSTILE)
  await page.getByRole('button', { name: 'More labels' }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Rows where').fill("test = 'buffered'")
  await expect(rows(page)).toHaveCount(2)
  for (const kernel of ['6.1', '6.12']) await row(page, `buffered ${kernel}`).click()
  await page.getByRole('button', { name: 'Compare 2 runs' }).click()
  await waitForRuns(page, 2)
  const verdict = await verdictSentence(page).textContent()
  await expect(chip(page, 'A')).toContainText('buffered 6.1')

  await page.getByText('Where the traces are').click()
  await page.getByRole('button', { name: 'Fetch the recordings' }).click()
  await expect(chart(page, /Seek map/).first()).toBeVisible()
  await expect(page.locator('[data-check="same"]')).toContainText('SHA-256 as in the table')
  expect(await verdictSentence(page).textContent()).toBe(verdict)
  expect([errors, foreign]).toEqual([[], []])
  await page.goto('about:blank')
  await close()
})

test('the plain table leads to the files of each run, and to the fleet', async ({ page, requests }) => {
  const { url, close } = await serve(published(), 0)
  requests.own(url)
  const { errors } = watch(page)
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto('about:blank')
    await page.goto(`${url}index.html#runs`)
    await expect(page.locator('tbody tr')).toHaveCount(3)
    await expect(page).toHaveTitle('Runs – Seekscope')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violations(page), colorScheme).toEqual([])
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wide).toBeLessThanOrEqual(0)
  }
  for (const link of await page.locator('tbody a').all()) {
    const href = new URL((await link.getAttribute('href')) ?? '', url).href
    expect((await page.request.get(href)).status(), href).toBe(200)
  }
  await page.getByRole('link', { name: 'Filter, sort and compare these runs' }).click()
  await expect(rows(page)).toHaveCount(3)
  expect(errors).toEqual([])
  await page.goto('about:blank')
  await close()
})

test('from disk, the index is the plain table', async ({ page }) => {
  await page.goto(pathToFileURL(join(published(), 'index.html')).href)
  await expect(page.getByRole('row')).toHaveCount(4)
  await expect(page.getByRole('rowheader', { name: HOSTILE })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Filter, sort and compare these runs' })).toBeHidden()
  await expect(page).toHaveTitle('Runs – Seekscope')
})
