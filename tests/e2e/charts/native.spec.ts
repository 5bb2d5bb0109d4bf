import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, drop, paths, recording, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const NAME = 'partitions-bfq-1w'

const dialog = (page: Page) => page.getByRole('dialog', { name: NAMES.nativeTablesOf('A') })
const panel = (page: Page) => dialog(page).getByRole('tabpanel')

async function open(page: Page) {
  await page.goto('./')
  await drop(page, recording(NAME))
  await waitForRuns(page, 1)
  await chip(page, 'A')
    .getByRole('button', { name: NAMES.runMenu('A') })
    .click()
  await page.getByRole('menuitem', { name: NAMES.nativeTables }).click()
}

const printed = (...args: string[]) =>
  execFileSync(process.execPath, ['cli/seekscope.mjs', ...args, ...paths(NAME)], { encoding: 'utf8' })

test('the tables are those of the command line; they can be copied and saved', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page)
  await expect(panel(page)).toContainText('Throughput (R/W)')
  expect(await panel(page).locator('pre').textContent()).toBe(printed('blkparse', '--summary-only'))
  await dialog(page).getByRole('tab', { name: NAMES.blkparseSummary }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(dialog(page).getByRole('tab', { name: 'btt' })).toBeFocused()
  await expect(panel(page)).toContainText('All Devices')
  const btt = printed('btt', '-A')
  expect(await panel(page).locator('pre').textContent()).toBe(btt)
  await dialog(page).getByRole('button', { name: NAMES.copyText }).click()
  await expect(dialog(page).getByText('Copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(btt)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: NAMES.saveText }).click(),
  ])
  expect(download.suggestedFilename()).toBe('trace-btt.txt')
  expect(readFileSync(await download.path(), 'utf8')).toBe(btt)
  const place = await dialog(page).getByRole('link', { name: NAMES.whereTheyDiffer }).getAttribute('href')
  await page.goto(`./${place}`)
  await expect(page.getByRole('heading', { name: NAMES.bttDifferences })).toBeInViewport()
})

test('on a phone the tables scroll inside; the event list leads to them; axe finds nothing', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('./')
  await drop(page, recording(NAME))
  await waitForRuns(page, 1)
  await page.getByRole('navigation', { name: NAMES.pageParts }).getByRole('button', { name: NAMES.events }).click()
  await page.getByRole('button', { name: NAMES.nativeTables }).click()
  await dialog(page).getByRole('tab', { name: 'btt' }).click()
  await expect(panel(page)).toContainText('All Devices')
  const { inside, page: beyond } = await panel(page).evaluate(e => ({
    inside: e.scrollWidth - e.clientWidth,
    page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }))
  expect(inside).toBeGreaterThan(0)
  expect(beyond).toBeLessThanOrEqual(0)
  expect(await violations(page, { within: 'dialog' })).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
})
