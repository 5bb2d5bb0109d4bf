/** Tables whose rows a reader ranks: a press of a heading sorts by its column. */
import { expect, type Locator, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const IDLING = {
  async open(page: Page) {
    await page.goto('./#v=1&sample=idling')
    await waitForRuns(page, 2)
  },
}

const head = (table: Locator, name: string | RegExp) => table.getByRole('columnheader', { name })
const column = (table: Locator, n: number) => table.locator(`tbody tr > :nth-child(${n})`).allTextContents()

test.describe('two runs', () => {
  test.use({ topic: IDLING })

  test('causes of slow requests: figures from the largest, names from A, then as before', async ({ page }) => {
    const table = chart(page, 'Slowest requests').locator('.tail-causes')
    await table.scrollIntoViewIfNeeded()
    const before = await column(table, 1)
    const cause = head(table, /^cause/i)
    await expect(cause).toHaveAttribute('aria-sort', 'none')
    await cause.getByRole('button').click()
    await expect(cause).toHaveAttribute('aria-sort', 'ascending')
    expect(await column(table, 1)).toEqual(before.toSorted())
    await page.keyboard.press('Enter')
    await expect(cause).toHaveAttribute('aria-sort', 'descending')
    expect(await column(table, 1)).toEqual(before.toSorted().toReversed())
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect(cause).toHaveAttribute('aria-sort', 'none')
    expect(await column(table, 1)).toEqual(before)
  })

  test('the data of a chart', async ({ page }) => {
    const depth = chart(page, 'Where the time goes')
    await depth.locator('.chart-menu-button').click()
    await depth.getByRole('button', { name: NAMES.dataTable }).click()
    const table = page.getByRole('dialog').getByRole('table')
    await head(table, 'mean').getByRole('button').click()
    const means = (await column(table, 4)).map(Number)
    expect(means.length).toBeGreaterThan(3)
    expect(means).toEqual(means.toSorted((a, b) => b - a))
    await page.keyboard.press('Escape')
  })
})
