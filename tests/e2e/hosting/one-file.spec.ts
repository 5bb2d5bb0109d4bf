import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { attemptRequests, REFUSED, willingHost } from '../support/attempts'
import { compareRows, digests } from '../support/digests'
import { NAMES, SAMPLES } from '../support/names'
import { chart, drop, issues, maps, press, recording, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const APP = pathOf('../../../dist/seekscope.html')

/** The file alone in a folder: nothing beside it can help. */
let folder = ''
let address = ''
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'seekscope one file '))
  copyFileSync(APP, join(folder, 'seekscope.html'))
  address = pathToFileURL(join(folder, 'seekscope.html')).href
})
test.afterAll(() => rmSync(folder, { recursive: true }))

/** Opens it from the disk, without a network. What is asked for beyond the file itself is collected. */
async function openFile(page: Page) {
  const requested: string[] = []
  page.context().on('request', request => {
    if (!/^(?:blob|data):/.test(request.url())) requested.push(request.url())
  })
  await page.context().setOffline(true)
  await page.goto(address)
  return requested
}

test('from a disk, without a network: dropped traces are read and drawn, and nothing is asked for', async ({
  page,
}) => {
  const { errors } = watch(page)
  const requested = await openFile(page)
  const files = recording('io-errors')
  await drop(page, files)
  await waitForRuns(page, 1)
  await maps(page, [issues(files)])
  expect(errors).toEqual([])
  expect(requested).toEqual([address])
})

test('the comparisons that come with the page are in the file', async ({ page }) => {
  const { errors } = watch(page)
  const requested = await openFile(page)
  await page.getByRole('button', { name: SAMPLES.osync }).click()
  await waitForRuns(page, 2)
  await expect(page.getByRole('region', { name: NAMES.verdict })).toBeVisible()
  expect({ errors, asked: requested }).toEqual({ errors: [], asked: [address] })
})

test('a table of digests opens as a fleet, and its rows are compared', async ({ page }) => {
  const { errors } = watch(page)
  const requested = await openFile(page)
  await drop(page, [digests('ext4-buffered-6.1', 'ext4-buffered-6.12')])
  await compareRows(page)
  expect({ errors, asked: requested }).toEqual({ errors: [], asked: [address] })
})

test('an archive is unpacked', async ({ page }) => {
  await openFile(page)
  await drop(page, [{ name: 'run.tar.xz', bytes: readFileSync(pathOf('../../containers/run.tar.xz')) }])
  await waitForRuns(page, 1)
})

test('addresses are not asked for: the policy of the file forbids it, and the page says so', async ({
  page,
  requests,
}) => {
  const { heard, host, close } = await willingHost()
  const requested = await openFile(page)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: NAMES.openUrl }).click()
  await page.getByLabel(NAMES.urls).fill(host)
  await page.getByRole('button', { name: NAMES.fetch }).click()
  await expect(page.getByRole('dialog').locator('[data-code=one-file]')).toBeVisible()
  expect(requested).toEqual([address])
  // What the browser refuses below is recorded as asked for.
  requests.confirm(host)
  expect(await attemptRequests(page, host)).toEqual(REFUSED)
  expect(heard).toEqual([])
  await close()
})

test('the documents are in the file, and charts lead to their places in them', async ({ page }) => {
  const requested = await openFile(page)
  await page.getByRole('button', { name: NAMES.dark }).click()
  const guide = page.waitForEvent('popup')
  await page.getByRole('link', { name: NAMES.userGuide }).click()
  const { errors } = watch(await guide)
  await expect((await guide).getByRole('heading', { level: 1, name: NAMES.userGuide })).toBeInViewport()
  await expect((await guide).locator('html')).toHaveAttribute('data-theme', 'dark')
  expect(await (await guide).evaluate(() => getComputedStyle(document.body).marginTop), 'its style is there').toBe(
    '0px',
  )
  await (await guide)
    .getByRole('navigation', { name: NAMES.documents })
    .getByRole('link', { name: NAMES.findings })
    .click()
  await expect((await guide).getByRole('heading', { level: 1, name: NAMES.findings })).toBeInViewport()

  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  const row = chart(page, 'Queue depth').first()
  await row.hover()
  await press(row.getByRole('button', { name: NAMES.chartMenu('Queue depth') }))
  const measures = page.waitForEvent('popup')
  await row.getByRole('link', { name: NAMES.howMeasured }).click()
  await expect((await measures).locator('[id="measures.html/depth-series"]')).toBeInViewport()
  expect({ errors, asked: requested }).toEqual({ errors: [], asked: [address] })
})
