/** Zoned disks: ruler and symbols in the seek map, names in the event list. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, type Dropped, drop, recording, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const ZONED = fileURLToPath(new URL('../../zones', import.meta.url))

/** Recordings with their notes in one archive, each in its folder. */
function packRuns(...runs: readonly string[]): Dropped {
  const folder = mkdtempSync(join(tmpdir(), 'zones-'))
  const file = join(folder, 'runs.tar')
  execFileSync('tar', ['cf', file, '--exclude=ftrace.txt.xz', '-C', ZONED, ...runs])
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true })
  return { name: 'runs.tar', bytes }
}

const map = (page: Page) => chart(page, /^Seek map/)
const symbols = (page: Page) => map(page).locator('[data-zone]')

test('a zoned disk has a ruler, symbols, and names of its actions in the event list', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [packRuns('mgmt')])
  await waitForRuns(page, 1)
  await expect(symbols(page)).toHaveCount(3)
  for (const [kind, n] of [
    ['refused', 1],
    ['reset-all', 1],
    ['action', 4],
  ] as const)
    await expect(map(page).locator(`[data-zone=${kind}]`)).toContainText(new RegExp(`\\b${n}$`))
  await expect(
    map(page)
      .locator('.zone-number')
      .filter({ hasText: /conventional/ }),
  ).not.toHaveCount(0)
  await expect(map(page).getByRole('img').first()).toHaveAttribute('aria-label', /16 MiB/)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('v')
  await page.getByLabel(NAMES.eventFilter).fill('proc:blkzone act:D')
  // Open, close, finish, reset and the reset of all: version 7 tells only what the last one is.
  await expect(page.locator('.ev-zone')).toHaveText([...Array<string>(4).fill('zone action'), 'reset of all zones'])
  expect(errors).toEqual([])
})

test('two zoned runs: counts per run, in the difference too', async ({ page }) => {
  await page.goto('./')
  await drop(page, [packRuns('mgmt', 'fio')])
  await waitForRuns(page, 2)
  await expect(map(page).locator('[data-zone=refused]')).toContainText(/A 1, B 0|A 0, B 1/)
  await page.getByText('Difference', { exact: true }).first().click()
  await expect(map(page).locator('[data-zone=refused]')).toContainText(/A 1, B 0|A 0, B 1/)
  await expect(map(page).locator('.zone-number')).not.toHaveCount(0)
})

test('a disk without zones has no ruler', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  await expect(map(page).getByRole('img').first()).not.toHaveAttribute('aria-label', /[Zz]one/)
  await expect(map(page).locator('[data-zone], .zone-number')).toHaveCount(0)
})
