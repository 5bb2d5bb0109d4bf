/** Failed requests: findings, figures, marks of the seek map and their words. */
import { expect, type Locator, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, drop, layout, recording, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const map = (page: Page) => chart(page, /^Seek map/)

/** The first red point of a chart, CSS px: marks of failed requests are the only red. */
const firstMark = (canvas: Locator) =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const probe = document.createElement('i')
    probe.style.color = 'var(--bad)'
    document.body.append(probe)
    const [r, g, b] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number)
    probe.remove()
    const { width, height } = element
    const data = element.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    const ratio = element.getBoundingClientRect().width / width
    for (let i = 0; i < width * height; i += 1)
      if (data[4 * i] === r && data[4 * i + 1] === g && data[4 * i + 2] === b)
        return { x: (i % width) * ratio, y: Math.floor(i / width) * ratio }
    return undefined
  })

test('one run: the first finding, marks and words', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  await expect(page.locator('.findings li').first()).toContainText('6 of 38 requests failed: 6 EIO (I/O error)')
  await expect(map(page).locator('.legend')).toContainText(['failed 6'])
  await expect(map(page).getByRole('img').first()).toHaveAttribute('aria-label', /6 requests failed: EIO/)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('v')
  await page.getByLabel(NAMES.eventFilter).fill('error:any')
  await expect(page.locator('.ev-failed')).toHaveText(Array<string>(6).fill('EIO (I/O error)'))
  expect(errors).toEqual([])
})

test('the chart of latency has marks with a legend, a tip, words and a column of its table', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  const latency = chart(page, /^Latency$/)
  await expect(latency.locator('.legend')).toContainText(['failed 6'])
  await expect(latency.locator('.legend-triangle')).toBeVisible()
  await expect(latency.getByRole('img').first()).toHaveAttribute('aria-label', /6 requests failed: EIO/)
  const canvas = latency.locator('canvas').first()
  const place = await firstMark(canvas)
  expect(place).toBeDefined()
  if (place) await canvas.hover({ position: place, force: true })
  await expect(page.locator('.chart-tip')).toContainText('EIO (I/O error)')
})

test('two runs: a finding, a row of the main figures, and marks of the one that fails', async ({ page }) => {
  await page.goto('./')
  await drop(page, [...recording('requeue', 'requeue'), ...recording('io-errors', 'io-errors')])
  await waitForRuns(page, 2)
  await expect(page.locator('.finding-row', { hasText: 'Requests failed' })).toContainText('6')
  await expect(map(page)).toContainText(/failed A \d, B \d/)
})

test('the difference of two runs has the marks of both, with a legend, a tip and words', async ({ page }) => {
  await page.goto('./')
  await drop(page, [...recording('io-errors', 'one'), ...recording('io-errors', 'two')])
  await waitForRuns(page, 2)
  await layout(page, 'Difference').click()
  const difference = map(page)
  await expect(difference.locator('.legend')).toContainText(['failed A 6, B 6'])
  await expect(difference.getByRole('img').first()).toHaveAttribute(
    'aria-label',
    /A: 6 requests failed: EIO.* B: 6 requests failed: EIO/,
  )
  const canvas = difference.locator('canvas').first()
  await expect.poll(() => firstMark(canvas)).toBeDefined()
  const place = await firstMark(canvas)
  if (place) await canvas.hover({ position: place, force: true })
  await expect(page.locator('.chart-tip')).toContainText('EIO (I/O error)')
})

test('a run without failures has no word of them', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('requeue'))
  await waitForRuns(page, 1)
  await expect(map(page).getByRole('img').first()).toHaveAttribute('aria-label', /Seek map of A/)
  await expect(page.getByText(/fail/i)).toHaveCount(0)
})
