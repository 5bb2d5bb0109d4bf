import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { drop, issues, maps, recording, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

test.use({ fresh: true })

const VIEWS = /\/assets\/views-[^/]+\.js$/
/** The script of dialogs, events, the matrix and results. */
const LATER_VIEWS = /\/assets\/laterViews-[^/]+\.js$/
const ENGINE = /\.wasm$/
/** The parts of the engine that the first picture does not need. */
const LATER_PARTS = /seekscope_(compare|rest)_bg[^/]*\.wasm$/

/** Holds back what the page requests, until it is released. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(address, async route => {
    await gate
    await route.continue()
  })
  return release
}

test('a drop before the engine and the views have arrived is kept', async ({ page }) => {
  const { errors } = watch(page)
  const releaseEngine = await hold(page, ENGINE)
  const releaseViews = await hold(page, VIEWS)
  const files = recording('io-errors')
  await page.goto('./')
  await drop(page, files)
  const zone = page.locator('.drop-zone')
  await expect(zone.getByRole('heading')).toHaveText(NAMES.inspecting)
  releaseEngine()
  await expect(zone.getByRole('heading')).toHaveText(NAMES.loadingRest)
  releaseViews()
  await waitForRuns(page, 1)
  await maps(page, [issues(files)])
  expect(errors).toEqual([])
})

test('a key that was pressed before the views have arrived is kept', async ({ page }) => {
  const release = await hold(page, VIEWS)
  await page.goto('./')
  await expect(page.locator('.drop-zone')).toBeVisible()
  await page.keyboard.press('?')
  release()
  await expect(page.getByRole('dialog').getByRole('link', { name: NAMES.userGuide })).toBeVisible()
})

test('views that cannot be fetched are missed, and fetched again: what was dropped stays', async ({ page }) => {
  await page.route(VIEWS, route => route.abort())
  await page.goto('./')
  await page.getByRole('button', { name: NAMES.openUrl }).click()
  const dialog = page.getByRole('dialog', { name: NAMES.restFailed })
  await expect(dialog.getByRole('button', { name: NAMES.retry })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  const files = recording('io-errors')
  await drop(page, files)
  const zone = page.locator('.drop-zone')
  await expect(zone.getByRole('heading')).toHaveText(NAMES.restFailed)
  await zone.getByRole('button', { name: NAMES.retry }).click()
  await expect(zone.getByRole('heading')).toHaveText(NAMES.restFailed)
  await page.unroute(VIEWS)
  await zone.getByRole('button', { name: NAMES.retry }).click()
  await waitForRuns(page, 1)
  await maps(page, [issues(files)])
})

test('an engine that cannot be fetched is missed, and fetched again for the same files', async ({ page }) => {
  await page.route(ENGINE, route => route.abort())
  const files = recording('io-errors')
  await page.goto('./')
  await drop(page, files)
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('[data-code=engine-unavailable]')).toBeVisible()
  await page.unroute(ENGINE)
  await dialog.getByRole('button', { name: NAMES.retry }).click()
  await waitForRuns(page, 1)
  await maps(page, [issues(files)])
})

test('the first picture needs only the first part of the engine; findings come with the next', async ({ page }) => {
  const { errors } = watch(page)
  const release = await hold(page, LATER_PARTS)
  // One CPU has no event, so that its file is empty.
  const files = recording('partitions-bfq-1w')
  await page.goto('./')
  await drop(page, files)
  await waitForRuns(page, 1)
  await maps(page, [issues(files)])
  const finding = page.locator('.finding-rule, [href*="findings.html#"]')
  await expect(finding).toHaveCount(0)
  release()
  await expect(finding.first()).toBeVisible()
  expect(errors).toEqual([])
})

test('without the other parts of the engine the picture stays, and the page says what is missing', async ({ page }) => {
  await page.route(LATER_PARTS, route => route.abort())
  const files = recording('sync-fua')
  await page.goto('./')
  await drop(page, files)
  await waitForRuns(page, 1)
  await maps(page, [issues(files)])
  await expect(page.getByText('check that its .wasm files were uploaded')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the first picture needs no dialog; a view that cannot be fetched is missed, and fetched again', async ({
  page,
}) => {
  await page.route(LATER_VIEWS, route => route.abort())
  const files = recording('sync-fua')
  await page.goto('./')
  await drop(page, files)
  await waitForRuns(page, 1)
  await maps(page, [issues(files)])
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: NAMES.restFailed })
  await expect(dialog.getByRole('button', { name: NAMES.retry })).toBeVisible()
  await page.keyboard.press('Escape')
  // Keys of the page do nothing while a dialog is open.
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('v')
  const missing = page.locator('.body').getByRole('status').filter({ hasText: NAMES.restFailed })
  await expect(missing).toBeVisible()
  await page.unroute(LATER_VIEWS)
  await missing.getByRole('button', { name: NAMES.retry }).click()
  await expect(page.getByRole('grid').first()).toBeVisible()
})

test('what is typed into Find before its script has arrived is kept, with Enter', async ({ page }) => {
  const { errors } = watch(page)
  const release = await hold(page, LATER_VIEWS)
  await page.goto('./')
  await drop(page, recording('sync-fua'))
  await waitForRuns(page, 1)
  const field = page.getByRole('dialog').getByRole('textbox', { name: /^Find/ })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('storage geom')
  await expect(field).toHaveValue('storage geom')
  await page.keyboard.press('Enter')
  release()
  await expect(page.getByRole('dialog', { name: NAMES.geometry })).toBeVisible()
  expect(errors).toEqual([])
})

test('what is typed into Find while its script arrives goes on in the list', async ({ page }) => {
  const release = await hold(page, LATER_VIEWS)
  await page.goto('./')
  await drop(page, recording('sync-fua'))
  await waitForRuns(page, 1)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('storage ')
  release()
  const field = page.getByRole('combobox', { name: /^Find/ })
  await expect(field).toBeFocused()
  await page.keyboard.type('geom')
  await expect(field).toHaveValue('storage geom')
  await expect(page.getByRole('listbox', { name: 'Found' }).getByRole('option').first()).toContainText(NAMES.geometry)
})
