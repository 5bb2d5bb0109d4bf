import { expect } from '@playwright/test'
import { chart, chip, drop, recording, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

test('loss intervals are shaded and listed, and mark unreliable figures', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('partitions-bfq-1w'))
  await waitForRuns(page, 1)
  await expect(page.locator('[data-lost]')).toHaveCount(0)
  await drop(page, recording('dropped', 'lossy'))
  await waitForRuns(page, 2)
  await expect(chip(page, 'B').locator('.chip-quality')).toHaveAttribute('data-lost-events', /[1-9]|some/)
  for (const title of ['Queue depth', 'Throughput', 'Latency', 'Seek map']) {
    const plots = chart(page, title).locator('.plot')
    await expect(plots.nth(0).locator('[data-lost]'), `${title} of A`).toHaveCount(0)
    expect(await plots.nth(1).locator('[data-lost]').count(), `${title} of B`).toBeGreaterThanOrEqual(2)
    await expect(chart(page, title).locator('.legend .legend-hatch')).toBeVisible()
  }
  expect(await page.locator('.minimap [data-lost]').count()).toBeGreaterThanOrEqual(2)
  const plot = chart(page, 'Queue depth').locator('.plot').nth(1)
  await expect(plot.getByRole('img')).toHaveAccessibleName(/lost in \d /)
  const longest = plot.locator('[data-lost]').nth(2)
  await longest.scrollIntoViewIfNeeded()
  await longest.hover({ force: true })
  await expect(page.locator('.chart-tip')).toContainText(/lost.*0\.245 to 0\.896 s.*cpus 0, 1/i)
  const row = page
    .getByRole('table')
    .last()
    .getByRole('row', { name: /^Queue depth, mean/ })
  await expect(row.getByRole('img')).toHaveCount(1)
  await expect(row.locator('[data-verdict=unreliable]')).toBeVisible()
  await expect(page.locator('.differences-zero').filter({ hasText: '†' })).toBeVisible()
  await expect(page.locator('.verdict-caveats [data-lost]')).toBeVisible()
  expect(await violations(page)).toEqual([])
})

/** Every second 200 events of each CPU 3 ms earlier: a clock that steps back. */
function stepClockBack(bytes: Buffer): Buffer {
  const turned = Buffer.from(bytes)
  let events = 0
  for (let offset = 0; offset + 48 <= turned.length; offset += 48 + turned.readUInt16LE(offset + 46)) {
    if (turned.readUInt32LE(offset + 28) & (1 << 26)) continue
    events += 1
    if (Math.floor(events / 200) % 2 === 1)
      turned.writeBigUInt64LE(turned.readBigUInt64LE(offset + 8) - 3_000_000n, offset + 8)
  }
  return turned
}

test('a clock that steps back marks the figures of time, wherever they are', async ({ page }) => {
  await page.goto('./')
  await drop(
    page,
    recording('partitions-bfq-1w').map(({ name, bytes }) => ({ name, bytes: stepClockBack(bytes) })),
  )
  await waitForRuns(page, 1)
  await expect(page.locator('.verdict-caveats [data-unsteady]')).toBeVisible()
  const mark = (part: string) => page.locator(part).getByRole('img', { name: /^Unreliable/ })
  await expect(mark('.findings-part').first()).toBeVisible()
  await page.keyboard.press('3')
  await expect(mark('.bars-lead')).toHaveCount(1)
  const marks = { 'Queue depth': 2, Throughput: 1, Latency: 1 }
  for (const [title, n] of Object.entries(marks))
    await expect(chart(page, title).getByRole('img', { name: /^Unreliable/ })).toHaveCount(n)
  expect(await violations(page)).toEqual([])
})
