import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { type Dropped, drop, violations, watch } from '../support/page'
import { test } from '../support/recorded'

const TESTS = join(fileURLToPath(new URL('.', import.meta.url)), '../..')
const text = (path: string, name = basename(path)): Dropped => ({ name, bytes: readFileSync(join(TESTS, path)) })

const picture = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: true })

const showCharts = (page: Page) => page.getByRole('button', { name: 'Chart', exact: true }).click()

async function saved(page: Page, region: ReturnType<typeof picture>, button: string): Promise<string> {
  await region.getByRole('button', { name: /summary and data/ }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    region.getByRole('button', { name: button, exact: true }).click(),
  ])
  await page.keyboard.press('Escape')
  return readFileSync(await download.path(), button === 'PNG' ? 'latin1' : 'utf8')
}

test('a table over a count is lines, and bars on request; keyboard, tooltip and files have its values', async ({
  page,
}) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await drop(page, [text('tables/iostest.txt')])
  await showCharts(page)
  const lines = picture(page, 'ReadBW over NR')
  await expect(lines.getByRole('img')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await lines.getByRole('img').focus()
  await page.keyboard.press('End')
  const tip = page.locator('.chart-tip')
  await expect(tip).toContainText('NR 16')
  await expect(tip.getByRole('row').nth(1)).toContainText('349 MB/s')
  await expect(tip.getByRole('row').nth(1)).toContainText('n 1')
  // Nothing of it is cut: its cells are inside.
  expect(await tip.evaluate(box => box.scrollWidth - box.clientWidth)).toBe(0)
  await page.keyboard.press('Home')
  await expect(tip).toContainText('NR 1')
  await page.keyboard.press('Escape')
  await expect(tip).toHaveCount(0)
  const csv = await saved(page, lines, 'CSV')
  expect(csv).toContain('B noop,16,1,348.564,')
  const svg = await saved(page, lines, 'SVG')
  expect(svg).toMatch(/^<svg/)
  expect(svg).toContain('ReadBW over NR')
  expect(svg).not.toContain('var(')
  expect((await saved(page, lines, 'PNG')).slice(1, 4)).toBe('PNG')
  await lines.getByRole('button', { name: 'Bars', exact: true }).click()
  const bars = picture(page, 'ReadBW')
  const first = bars.getByRole('img')
  await first.hover({ position: { x: 300, y: 70 } })
  await expect(tip).toContainText('MB/s')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Share' }).click()
  const address = page.getByRole('textbox', { name: 'Link' })
  await expect(address).toHaveValue(/&s=/)
  const link = await address.inputValue()
  await page.goto('about:blank')
  await page.goto(link)
  await expect(bars.getByRole('img'), 'the form is in the link').toBeVisible()
  await bars.getByRole('button', { name: 'Over NR', exact: true }).click()
  await expect(lines.getByRole('img')).toHaveAccessibleName(/16: 349/)
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('counted latencies are a histogram of both sides, and cumulative', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [text('reports/histograms/biolatency-two-headings/b.txt')])
  const histogram = picture(page, /^Latency, /)
  await expect(histogram.getByRole('img')).toHaveAccessibleName(/A 6\.1: 329,393 I\/Os.*B 6\.12: 240,600 I\/Os/)
  await histogram.getByRole('button', { name: 'Cumulative' }).click()
  await histogram.getByRole('img').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('.chart-tip').getByRole('row').first()).toContainText('81.6% within')
  const metrics = picture(page, 'Metrics side by side')
  await expect(metrics.getByRole('img')).toHaveAccessibleName(/p99 at most, ms: A 6\.1 0\.51; B 6\.12 1\.02/)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Share' }).click()
  const address = page.getByRole('textbox', { name: 'Link' })
  await expect(address).toHaveValue(/&s=/)
  const link = await address.inputValue()
  await page.goto('about:blank')
  await page.goto(link)
  await expect(histogram.getByRole('button', { name: 'Cumulative' })).toHaveAttribute('aria-pressed', 'true')
  expect(errors).toEqual([])
})

test('averaged logs of fio are lines over time', async ({ page }) => {
  const { errors } = watch(page)
  const log = (rate: number) =>
    Array.from({ length: 60 }, (_, i) => `${(i + 1) * 500}, ${rate + ((i * 37) % 11) * 100}, 0, 0\n`).join('')
  await page.goto('./')
  await drop(page, [
    { name: 'bfq_iops.log', bytes: Buffer.from(log(9000)) },
    { name: 'none_iops.log', bytes: Buffer.from(log(16_000)) },
  ])
  const lines = picture(page, /over time$/)
  await expect(lines.getByRole('img')).toHaveAccessibleName(/60 intervals from 500 ms to 30000 ms/)
  const verdict = page.getByRole('region', { name: 'Verdict' })
  await expect(verdict.getByRole('status')).toHaveText(/^B none .*; A bfq .*\.$/)
  await expect(verdict, 'two measurements, however many lines they have').toContainText('unsure: more runs would tell')
  await expect(verdict).toContainText('up to 60 intervals per cell, which are no repeats')
  await lines.getByRole('img').focus()
  await page.keyboard.press('End')
  await expect(page.locator('.chart-tip')).toContainText('30000 ms')
  expect(await violations(page)).toEqual([])
  expect(errors).toEqual([])
})

test('two outputs of fio on a phone: nothing is wider than the screen', async ({ page }) => {
  const { errors } = watch(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('./')
  const runs = ['patched-1', 'patched-2', 'vanilla-1', 'vanilla-2']
  await drop(
    page,
    runs.map(name => text(`reports/fio-text/three-runs-each-files/${name}.txt`)),
  )
  await showCharts(page)
  const metrics = picture(page, 'Metrics side by side')
  await expect(metrics).toContainText('whiskers')
  const box = await metrics.getByRole('img').boundingBox()
  expect(box?.width).toBeLessThanOrEqual(390)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  expect(await violations(page)).toEqual([])
  expect(errors).toEqual([])
})

test('metrics with long names scroll on a phone, and the page does not', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('./')
  await drop(page, [text('reports/lkp/three-commits/m.txt')])
  await showCharts(page)
  await expect(picture(page, 'Metrics side by side').getByRole('img')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
})

test('a single number has no picture', async ({ page }) => {
  await page.goto('./')
  await drop(page, [text('tables/fio.txt')])
  await showCharts(page)
  await expect(page.getByRole('region', { name: 'As text' })).toBeVisible()
  await expect(page.locator('.result-picture')).toHaveCount(0)
})
