import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, drop, layout, recording, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const link = (page: Page) => page.evaluate(() => decodeURIComponent(location.hash))
const panel = (page: Page, name: string) =>
  page.locator('section.chart-row').filter({ has: page.getByRole('heading', { name, exact: true }) })

test('overlay: depth, throughput, sizes and latencies of all runs in one picture each', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(
    page,
    [...recording('raid5-aligned', undefined)]
      .filter(f => f.name.startsWith('vda'))
      .map(f => ({ ...f, name: f.name.replace('vda', 'aligned') })),
  )
  await waitForRuns(page, 1)
  await drop(
    page,
    [...recording('raid5-misaligned', undefined)]
      .filter(f => f.name.startsWith('vda'))
      .map(f => ({ ...f, name: f.name.replace('vda', 'shifted') })),
  )
  await waitForRuns(page, 2)
  await layout(page, 'Overlay').click()
  for (const name of ['Queue depth', 'Throughput'])
    await expect(page.getByRole('group', { name: NAMES.plot(name, 'all runs') })).toBeVisible()
  await expect(
    panel(page, 'Request size, all runs').getByRole('img', {
      name: /Request size of A: 50 requests.*Request size of B: 293 requests/,
    }),
  ).toBeVisible()
  await expect(
    panel(page, 'Latency, all runs').getByRole('img', {
      name: /Latency of A: 50 requests.*Latency of B: 293 requests/,
    }),
  ).toBeVisible()
  const unit = panel(page, 'Request size, all runs').getByLabel('unit')
  await unit.selectOption('requests')
  await expect(unit).toHaveValue('requests')
  expect(await violations(page)).toEqual([])
  expect(errors).toEqual([])
})

test('difference: map and histograms of a run minus the baseline; a sentence for different devices', async ({
  page,
}) => {
  const { errors } = watch(page)
  await page.goto('./#v=1&sample=raid5')
  await waitForRuns(page, 2)
  await layout(page, 'Difference').click()
  await expect.poll(() => link(page)).toContain('layout=difference')
  const map = page.getByRole('group', { name: /^Difference map, B − A/ }).getByRole('img')
  await expect(map).toHaveAttribute('aria-label', /\b48 requests minus 48\b/)
  await expect(panel(page, 'Request size, B − A')).toContainText('1 MiB')
  // An array has no queue depth: a sentence takes the place of the chart.
  await expect(page.locator('[data-chart=depth]').getByRole('group')).toHaveCount(0)

  // The member disks: other requests, and a queue depth.
  await page.getByRole('radio', { name: /^vda/ }).check()
  await expect(map).toHaveAttribute('aria-label', /\b293 requests minus 50\b/)
  await expect(page.getByRole('group', { name: /^Queue depth difference/ }).getByRole('img')).toHaveAttribute(
    'aria-label',
    /[+−]\d/,
  )
  await expect(panel(page, 'Request size, B − A').getByRole('img', { name: /256 KiB −9\d\.\d/ })).toBeVisible()
  await expect(panel(page, 'Latency, B − A').getByRole('img', { name: /Latency.*[+−]\d/ })).toBeVisible()
  // Colours of both sides are on the map.
  const colours = await page
    .getByRole('group', { name: /^Difference map/ })
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
      const pixels = { warm: 0, cold: 0 }
      for (let i = 0; i < data.length; i += 4) {
        const [red = 0, , blue = 0, alpha = 0] = data.slice(i, i + 4)
        if (alpha > 0 && red - blue > 40) pixels.warm += 1
        if (alpha > 0 && blue - red > 40) pixels.cold += 1
      }
      return pixels
    })
  expect(colours.warm).toBeGreaterThan(100)
  expect(colours.cold).toBeGreaterThan(100)
  expect(await violations(page)).toEqual([])

  // The other way round, when the baseline is the other one.
  await chip(page, 'B')
    .getByRole('button', { name: NAMES.runMenu('B') })
    .click()
  await page.getByRole('menuitem', { name: NAMES.makeBaseline }).click()
  await expect(page.getByRole('group', { name: /^Difference map, A − B/ }).getByRole('img')).toHaveAttribute(
    'aria-label',
    /\b50 requests minus 293\b/,
  )

  // Three runs: a choice. The array and its member are not the same device.
  await chip(page, 'A')
    .getByRole('button', { name: NAMES.runMenu('A') })
    .click()
  await page.getByRole('menuitem', { name: NAMES.splitDevices }).click()
  await waitForRuns(page, 3)
  await chip(page, 'A')
    .getByRole('button', { name: NAMES.runMenu('A') })
    .click()
  await page.getByRole('menuitem', { name: NAMES.makeBaseline }).click()
  const choice = page.getByRole('combobox', { name: NAMES.comparedRun })
  await expect(page.getByText(/A shows md0, B shows vda/)).toBeVisible()
  await choice.selectOption({ index: 1 })
  await expect.poll(() => link(page)).toContain('diff=C')
  await expect(page.getByRole('heading', { name: 'Seek map, C − A' })).toBeVisible()
  expect(errors).toEqual([])
})

test('runs are aligned by first I/O, by hand and by dragging; the wall clock only where all have one', async ({
  page,
}) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [...recording('partitions-bfq-1w', 'bfq'), ...recording('partitions-deadline-1w', 'deadline')])
  await waitForRuns(page, 2)
  await page.getByRole('button', { name: NAMES.byFirstEvent }).click()
  const dialog = page.getByRole('dialog', { name: NAMES.align })
  const offset = dialog.getByRole('spinbutton', { name: NAMES.offset('B', 'A') })
  await expect(offset).toHaveValue('0')
  await expect(dialog.getByRole('radio', { name: NAMES.byWallClock })).toBeEnabled()
  await dialog.getByRole('radio', { name: NAMES.byFirstIo }).check()
  await expect.poll(() => link(page)).toContain('align=io')

  await offset.fill('2.5')
  await offset.press('Enter')
  await expect(dialog.getByRole('radio', { name: NAMES.byHand })).toBeChecked()
  await expect.poll(() => link(page)).toContain('align=hand&shift.B=2.5')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')

  // All charts follow: B begins 2.5 s later, and a range before it holds nothing of it.
  const requests = async (letter: string) => {
    const words = await page
      .getByRole('group', { name: NAMES.plot('Seek map', letter) })
      .getByRole('img')
      .getAttribute('aria-label')
    return Number(/([\d,]+) requests?/.exec(words ?? '')?.[1]?.replaceAll(',', ''))
  }
  await expect(page.locator('.plot-end-note').filter({ hasText: '2.50 s' }).first()).toBeVisible()
  const all = [await requests('A'), await requests('B')]
  expect(Math.min(...all)).toBeGreaterThan(100)
  const address = await link(page)
  await page.goto(`./#v=1&t=0..2.4&align=hand&shift.B=2.5`)
  await page.reload()
  await drop(page, [...recording('partitions-bfq-1w', 'bfq'), ...recording('partitions-deadline-1w', 'deadline')])
  await waitForRuns(page, 2)
  await expect.poll(() => requests('B')).toBe(0)
  expect(await requests('A')).toBeGreaterThan(100)
  await page.keyboard.press('0')
  await expect.poll(() => link(page)).toBe(address)
  await expect.poll(async () => [await requests('A'), await requests('B')]).toEqual(all)

  // Shifts the run by its letter in the timeline: with keys, then with the pointer.
  const letter = page.getByRole('slider', { name: NAMES.beginOf('B') })
  await expect(letter).toHaveAttribute('aria-valuenow', '2.5')
  await letter.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(async () => Number(await letter.getAttribute('aria-valuenow'))).toBeLessThan(2.5)
  const box = await letter.boundingBox()
  if (!box) throw new Error('the letter has no place')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x - 600, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await expect.poll(async () => Number(await letter.getAttribute('aria-valuenow'))).toBeLessThan(0)
  await expect.poll(() => link(page)).toContain('shift.A=')

  // A text of blkparse has no wall clock.
  const text =
    '  8,0    0        1     0.000000000   286  Q  RS 0 + 128 [dd]\n  8,0    0        2     0.000558791   286  C  RS 0 + 128 [0]\n'
  await drop(page, [{ name: 'mail.txt', bytes: Buffer.from(text) }])
  await waitForRuns(page, 3)
  await page.getByRole('button', { name: NAMES.byHandNotice }).click()
  await expect(dialog.getByRole('radio', { name: /TIMESTAMP/ })).toBeDisabled()
  expect(errors).toEqual([])
})
