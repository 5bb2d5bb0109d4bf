/** Repeats in groups: letters, one column per group, one run at a time, figures with a dot for each run. */
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { chart, chip, drop, verdictSentence, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

/** Three runs on one kernel against three on another. */
async function openGroups(page: Page) {
  await page.goto('./')
  await drop(page, [{ name: 'repeat.tar.xz', bytes: readFileSync('tests/stories/repeat.tar.xz') }])
  await waitForRuns(page, 6)
  await expect(page.locator('.grouped')).toBeVisible()
  // With the verdict come the marks of findings in the heads of charts, whose places a test compares.
  await expect(verdictSentence(page)).toBeVisible()
}

const plots = (page: Page, title: string) => chart(page, title).locator('.plot')

/** Places of the heads of charts and of their parts. */
const heads = (page: Page) =>
  page.locator('.charts').evaluate(charts =>
    [...charts.querySelectorAll('.chart-head, .chart-head > :not(.chart-figure)')].map(element => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [x, y, width, height].map(Math.round).join(' ')
    }),
  )

test('runs of a group share a letter and a colour, and have numbers', async ({ page }) => {
  await openGroups(page)
  const badges = page.locator('.chip .badge')
  await expect(badges).toHaveText(['A1', 'A2', 'A3', 'B1', 'B2', 'B3'])
  const colours = await badges.evaluateAll(all => all.map(badge => getComputedStyle(badge).backgroundColor))
  expect(new Set(colours.slice(0, 3)).size).toBe(1)
  expect(new Set(colours).size).toBe(2)
  await expect(page.locator('.grouped')).toContainText(/Grouped by name:\s*A\s*6\.1 \(3\)\s*against\s*B\s*6\.12 \(3\)/)
  expect(await page.locator('.grouped').evaluate(strip => strip.getBoundingClientRect().height)).toBe(32)
  // Links name runs by their places.
  await chip(page, 'B1')
    .getByRole('button', { name: /Actions for run B1/ })
    .click()
  await page.getByRole('menuitem', { name: 'Set as baseline' }).click()
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('base=D')
  await page.locator('.grouped').getByRole('button', { name: 'Undo' }).click()
  await expect(badges).toHaveText(['A', 'B', 'C', 'D', 'E', 'F'])
})

test('values over time are a median with a band, single marks are of one run at a time', async ({ page }) => {
  await openGroups(page)
  for (const title of ['Queue depth', 'Throughput']) {
    await expect(plots(page, title)).toHaveCount(2)
    await expect(chart(page, title).locator('.chart-what')).toContainText('median of 3, band least to most')
    await expect(plots(page, title).first().getByRole('img')).toHaveAttribute(
      'aria-label',
      new RegExp(`${title} of A, median of 3 runs`),
    )
    await expect(chart(page, title).locator('.chart-figure').first()).toContainText(/median [\d.]+.*–/)
  }
  const map = chart(page, 'Seek map')
  await expect(map.locator('.plot')).toHaveCount(2)
  await expect(map.locator('.run-step-name')).toHaveText(['A1 of 3', 'B1 of 3'])
  await expect(map.getByRole('img', { name: /Seek map of A1: 1,536 requests/ })).toBeVisible()
  const before = await heads(page)
  const next = map.getByRole('button', { name: 'Show A2, the next run of this group' })
  await next.focus()
  await page.keyboard.press('Enter')
  await expect(map.locator('.run-step-name')).toHaveText(['A2 of 3', 'B1 of 3'])
  await expect(map.getByRole('img', { name: /Seek map of A2: 1,536 requests/ })).toBeVisible()
  expect(await heads(page)).toEqual(before)
  // The focus stays, and the choice holds for all charts of single marks.
  await page.keyboard.press('Enter')
  await expect(map.locator('.run-step-name').first()).toHaveText('A3 of 3')
  await expect(chart(page, 'Latency').locator('.run-step-name').first()).toHaveText('A3 of 3')
  expect(await violations(page)).toEqual([])
})

test('figures of groups have median, range and a dot for each run', async ({ page }) => {
  await openGroups(page)
  await page.keyboard.press('2')
  const table = page.getByRole('table', { name: 'Main figures' })
  await expect(table.locator('thead')).toContainText('median of 3, range')
  const row = table.locator('tr[data-key="depth.mean"]')
  await expect(row.locator('circle')).toHaveCount(6)
  await expect(row.locator('.group-range')).toHaveText([/^[\d.]+–[\d.]+$/, /^[\d.]+–[\d.]+$/])
  expect(await violations(page)).toEqual([])
})
