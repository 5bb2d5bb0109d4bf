/** Stalls of a recording: their tab, their marks, and the comparison with a quiet stretch of the same recording. */
import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { chart, chip, drop, verdictSentence, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const archive = (name: string) => ({ name, bytes: readFileSync(new URL(`../../stalls/${name}`, import.meta.url)) })

test('a stall is listed, marked and compared with a quiet stretch', async ({ page }) => {
  await page.goto('./')
  await drop(page, [archive('freeze-6.12.tar.xz')])
  await waitForRuns(page, 1)
  await page.getByRole('tab', { name: 'Moments 3' }).click()
  const rows = page.getByRole('list', { name: 'Moments at which a device stalled' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(2)).toContainText(/16\.128 to 17\.082 s.*completed nothing for 954 ms with 3 requests/)
  for (const title of ['Seek map', 'Queue depth', 'Latency'])
    await expect(chart(page, title).locator('[data-stall]')).toHaveCount(3)
  await expect(page.locator('.minimap [data-stall]')).toHaveCount(3)
  await rows.nth(2).getByRole('button', { name: 'Show moment 3' }).click()
  const stall = chart(page, 'Queue depth').locator('[data-stall]')
  await expect(stall).toHaveCount(1)
  await stall.hover({ force: true })
  await expect(page.locator('.chart-tip')).toContainText(/stall.*16\.128 to 17\.082 s.*frozen/)
  expect(await violations(page)).toEqual([])
  await rows.nth(2).getByRole('button', { name: 'Compare with quiet' }).click()
  await waitForRuns(page, 2)
  await expect(chip(page, 'A')).toContainText('quiet stretch')
  await expect(chip(page, 'B')).toContainText('moment 3')
  await expect(verdictSentence(page)).toContainText(
    /completed nothing for 954 ms with 3 requests outstanding;.*did not stall/,
  )
  await expect(chart(page, 'Queue depth').locator('.plot').nth(0).locator('[data-stall]')).toHaveCount(0)
  await expect(chart(page, 'Queue depth').locator('.plot').nth(1).locator('[data-stall]')).toHaveCount(1)
  expect(await violations(page)).toEqual([])
})

test('a recording without a stall has no such tab', async ({ page }) => {
  await page.goto('./')
  await drop(page, [archive('none-6.12.tar.xz')])
  await waitForRuns(page, 1)
  await expect(page.getByRole('tab', { name: 'Where the time went' })).toBeVisible()
  await expect(page.getByRole('tab', { name: /^Moments/ })).toHaveCount(0)
})
