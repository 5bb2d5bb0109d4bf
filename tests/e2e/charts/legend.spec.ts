/** Entries of legends that are filters: a click shows their requests alone. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, type Locator, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, drop, recording, setGeometry, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const OPERATIONS = {
  async open(page: Page) {
    await page.goto('./')
    await drop(page, recording('discard'))
    await waitForRuns(page, 1)
  },
}

const entry = (within: Locator | Page, name: string): Locator =>
  within.getByRole('button', { name: NAMES.showOnly(name), exact: true })

const operation = (page: Page, name: string): Locator =>
  page.locator('.facet', { hasText: 'Operation' }).getByRole('checkbox', { name: new RegExp(`^${name}`) })

test.describe('operations', () => {
  test.use({ topic: OPERATIONS })

  test('a click shows one operation alone, a second one all of them', async ({ page }) => {
    const rate = chart(page, 'Throughput')
    await expect(entry(rate, 'write')).toHaveAttribute('aria-pressed', 'false')
    await entry(rate, 'write').click()
    await expect(operation(page, 'write')).toBeChecked()
    for (const name of ['read', 'discard', 'flush']) await expect(operation(page, name)).not.toBeChecked()
    await expect(entry(rate, 'write')).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('hide=op:read')
    // The others are not drawn any more, so the way back is the same entry.
    await expect(entry(rate, 'read')).toHaveCount(0)
    await entry(rate, 'write').click()
    for (const name of ['read', 'write', 'discard', 'flush']) await expect(operation(page, name)).toBeChecked()
    await expect(entry(rate, 'read')).toBeVisible()
  })

  test('by keyboard; its term keeps its explanation, and Clear filters takes it back', async ({ page }) => {
    const discard = entry(chart(page, 'Throughput'), 'discard')
    await discard.focus()
    await expect(page.getByRole('tooltip')).toContainText('no longer needed')
    await page.keyboard.press('Space')
    await expect(discard).toHaveAttribute('aria-pressed', 'true')
    await expect(operation(page, 'write')).not.toBeChecked()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('c')
    await expect(discard).toHaveAttribute('aria-pressed', 'false')
    await expect(operation(page, 'write')).toBeChecked()
  })
})

test('classes of alignment, and entries that are no filter', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('raid5-misaligned'))
  await waitForRuns(page, 1)
  await setGeometry(page)
  const stripes = chart(page, /^Position in stripe/)
  await entry(stripes, 'straddles').click()
  await expect(page.getByRole('checkbox', { name: NAMES.straddles })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: NAMES.fullStripe })).not.toBeChecked()
  // All legends of the same filter show it.
  for (const pressed of await entry(page, 'straddles').all())
    await expect(pressed).toHaveAttribute('aria-pressed', 'true')
  await expect(stripes.locator('.legend-item', { hasText: 'request start' })).toHaveCount(1)
  await expect(entry(page, 'request start')).toHaveCount(0)
})

test('a snapshot has no other data, so its legends are no filters', async ({ page }) => {
  const { stdout } = spawnSync(
    process.execPath,
    ['cli/seekscope.mjs', 'link', '--base', 'http://x/', 'tests/fixtures/discard'],
    { cwd: ROOT, encoding: 'utf8' },
  )
  await page.goto(`./${new URL(stdout.trim()).hash}`)
  await page.reload()
  await expect(page.locator('.chip')).toHaveCount(1)
  await expect(chart(page, 'Throughput').locator('.legend-item', { hasText: 'discard' })).toBeVisible()
  await expect(page.locator('.legend-filter')).toHaveCount(0)
})
