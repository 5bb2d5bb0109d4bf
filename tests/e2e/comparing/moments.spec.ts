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

test('the moments of an armed recorder are in the rail, and each is compared with the quiet recording', async ({
  page,
}) => {
  await page.goto('./')
  await drop(page, [archive('armed-6.12.tar.xz')])
  await waitForRuns(page, 4)
  await expect(chip(page, 'A')).toContainText('stall-quiet')
  await expect(chip(page, 'A')).toContainText('baseline')
  const rail = page.getByRole('region', { name: 'Moments' })
  const rows = rail.getByRole('button', { name: /frozen/ })
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText(/1\.631 s.*641 ms.*frozen · 2 requests.*trigger 1\.998 s/)
  await expect(rows.nth(2)).toContainText(/1\.651 s.*954 ms.*frozen · 3 requests.*trigger 1\.999 s/)
  await expect(rail).toContainText('Trigger: iops<10 for 300ms')
  const shown = page.getByRole('region', { name: 'Shown moment' })
  await page.keyboard.press('j')
  await expect(shown).toContainText('Moment 1 of 3')
  await expect(rows.nth(0)).toHaveAttribute('aria-current', 'true')
  await expect(page.locator('.chip')).toHaveCount(2)
  await page.keyboard.press('Shift+J')
  await expect(shown).toContainText('Moment 3 of 3')
  await expect(verdictSentence(page)).toContainText(/B3.*completed nothing for 954 ms.*did not stall/)
  await rows.nth(0).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(rows.nth(1)).toHaveAttribute('aria-current', 'true')
  expect(await violations(page)).toEqual([])
  await rail.getByRole('button', { name: 'show all' }).click()
  await expect(page.locator('.chip')).toHaveCount(4)
  await expect(shown).toHaveCount(0)
})

test('on a phone, a moment of the list opens the charts, and its buttons go to the others', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('./')
  await drop(page, [archive('freeze-6.12.tar.xz')])
  await waitForRuns(page, 1)
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('button', { name: 'Filter' }).click()
  await page
    .getByRole('region', { name: 'Moments' })
    .getByRole('button', { name: /16\.128 s/ })
    .click()
  await expect(sections.getByRole('button', { name: 'Charts' })).toHaveAttribute('aria-current', 'true')
  const shown = page.getByRole('region', { name: 'Shown moment' })
  await expect(shown).toContainText('Moment 3 of 3')
  await expect(chart(page, 'Queue depth').locator('[data-stall]')).toHaveCount(1)
  await shown.getByRole('button', { name: 'Previous moment' }).click()
  await expect(shown).toContainText(/Moment 2 of 3.*11\.624 s/)
  expect(await violations(page)).toEqual([])
})
