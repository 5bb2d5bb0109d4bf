/** A small table of digests, and a comparison of its rows: what the page must do anywhere. */
import { execFileSync } from 'node:child_process'
import { expect, type Page } from '@playwright/test'
import { type Dropped, waitForRuns } from './page'

/** The digests of recordings in tests/fixtures, as `seekscope digest` prints them. */
export const digests = (...recordings: readonly string[]): Dropped => ({
  name: 'digests.jsonl',
  bytes: execFileSync(process.execPath, [
    'cli/seekscope.mjs',
    'digest',
    ...recordings.map(name => `tests/fixtures/${name}`),
  ]),
})

/** Compares the two rows of the open fleet. */
export async function compareRows(page: Page) {
  const rows = page.locator('.fleet-row')
  await expect(rows).toHaveCount(2)
  for (const index of [0, 1]) await rows.nth(index).click()
  await page.getByRole('button', { name: 'Compare 2 runs' }).click()
  await waitForRuns(page, 2)
  await expect(page.locator('.differences tbody tr').first()).toBeVisible()
}
