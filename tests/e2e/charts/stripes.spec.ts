/** Stripes: where requests lie in them over time, how many were written in part, and what that costs. */
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { drop, press, recording, setGeometry, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const plot = (page: Page, letter: string) =>
  page.getByRole('group', { name: new RegExp(`^Position in stripe, ${letter}`) })
const picture = (page: Page, letter: string) =>
  plot(page, letter)
    .locator('canvas')
    .first()
    .evaluate(c => (c as HTMLCanvasElement).toDataURL())

test('48 writes from the start of the array, and from sector 63', async ({ page }) => {
  await page.goto('./')
  const array = (name: string) =>
    recording(name)
      .filter(file => file.name.startsWith('md0'))
      .map(f => ({ ...f, name: f.name.replace('md0', name) }))
  await drop(page, [...array('raid5-aligned'), ...array('raid5-misaligned')])
  await waitForRuns(page, 2)
  await expect(plot(page, 'A')).toHaveCount(0)
  await setGeometry(page)
  await expect(plot(page, 'A').getByRole('img')).toHaveAttribute('aria-label', /48 of 48 requests.*\b0 of 48 stripes/)
  await expect(plot(page, 'B').getByRole('img')).toHaveAttribute('aria-label', /\b0 of 48 requests.*96 of 96 stripes/)
  await expect.poll(async () => (await picture(page, 'A')) === (await picture(page, 'B'))).toBe(false)

  await plot(page, 'B').focus()
  await page.keyboard.press('ArrowRight')
  await expect(plot(page, 'B')).toBeFocused()

  await press(page.getByRole('button', { name: NAMES.chartMenu('Position in stripe') }))
  const menu = page.locator('.chart-menu-panel')
  await expect(menu).toContainText('96 of 96 stripes')
  const [csv] = await Promise.all([page.waitForEvent('download'), menu.getByRole('button', { name: 'CSV' }).click()])
  const rows = readFileSync(await csv.path(), 'utf8')
    .trim()
    .split('\r\n')
    .slice(1)
    .map(line => line.split(','))
  const sum = (letter: string, column: number) =>
    rows.filter(row => row[0] === letter).reduce((n, row) => n + Number(row[column]), 0)
  expect([sum('A', 3), sum('A', 4), sum('A', 5)]).toEqual([48, 48, 0])
  expect([sum('B', 3), sum('B', 4), sum('B', 5)]).toEqual([48, 0, 96])
  for (const kind of ['PNG', 'SVG']) {
    const [saved] = await Promise.all([page.waitForEvent('download'), menu.getByRole('button', { name: kind }).click()])
    expect(saved.suggestedFilename()).toMatch(new RegExp(`-position-in-stripe.${kind.toLowerCase()}$`))
  }
  await menu.getByRole('button', { name: NAMES.dataTable }).click()
  await expect(page.getByRole('dialog', { name: /stripes.*over time/ })).toBeVisible()
})

test('a member counts what the array estimates', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('raid5-misaligned'))
  await waitForRuns(page, 1)
  await setGeometry(page)
  const alignment = page.locator('section').filter({ has: page.getByRole('heading', { name: NAMES.stripeAlignment }) })
  await expect(alignment).toContainText(/\b99 .*device reads.*\b98 .*device writes/)
  await expect(alignment).toContainText(/1 of 5 disks.*576 KiB/)
})
