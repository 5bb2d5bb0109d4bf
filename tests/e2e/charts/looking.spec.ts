import { expect, type Page } from '@playwright/test'
import { NAMES, SAMPLES } from '../support/names'
import { drop, maps, recording, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const IDLING = './#v=1&sample=idling'

const PAIR = {
  async open(page: Page) {
    await page.goto('./')
    await page.getByRole('button', { name: SAMPLES.idling }).click()
    await waitForRuns(page, 2)
  },
}

const timeTicks = (page: Page) =>
  page
    .locator('.time-axis')
    .first()
    .evaluate(e => e.textContent ?? '')

test.describe('two runs', () => {
  test.use({ topic: PAIR })

  test('zoom, pan and cursor are linked', async ({ page }) => {
    const { errors } = watch(page)
    const [left, right] = [
      page.getByRole('group', { name: NAMES.plot('Seek map', 'A') }),
      page.getByRole('group', { name: NAMES.plot('Seek map', 'B') }),
    ]
    const words = () => Promise.all([left, right].map(p => p.getByRole('img').getAttribute('aria-label')))
    const requestCount = (label: string | null) =>
      Number(/([\d,]+) requests/.exec(label ?? '')?.[1]?.replaceAll(',', ''))
    await expect
      .poll(async () => (await words()).map(requestCount), { message: 'both maps are drawn' })
      .toEqual([1280, 1280])
    // What is said above the maps moves them.
    await expect(page.locator('.finding-rows').first()).toBeVisible()
    const box = await left.boundingBox()
    if (!box) throw new Error('the seek map has no place')
    await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2)
    await page.keyboard.down('Control')
    for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -240)
    await page.keyboard.up('Control')
    // Both maps ask anew: fewer requests are in view in both.
    await expect
      .poll(async () => (await words()).every(w => requestCount(w) < 1000), { message: 'both runs zoom' })
      .toBe(true)
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('t=')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await expect(page.locator('.plot-cursor, .cursor').nth(1)).toBeAttached()
    expect(errors).toEqual([])
  })

  test('a drag is kept by Enter; the back button and Backspace undo it', async ({ page }) => {
    const plot = page.getByRole('group', { name: /^Queue depth, A/ })
    await plot.scrollIntoViewIfNeeded()
    const box = await plot.boundingBox()
    if (!box) throw new Error('the chart has no place')
    const drag = async (from: number, to: number) => {
      await page.mouse.move(box.x + box.width * from, box.y + 40)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * to, box.y + 40, { steps: 5 })
      await page.mouse.up()
      await page.keyboard.press('Enter')
    }
    const range = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('t'))
    expect(await range()).toBeNull()
    await drag(0.2, 0.6)
    await expect.poll(range).not.toBeNull()
    const first = await range()
    await drag(0.3, 0.5)
    await expect.poll(range).not.toBe(first)
    await page.goBack()
    await expect.poll(range).toBe(first)
    await page.goForward()
    await expect.poll(range).not.toBe(first)
    await page.keyboard.press('Backspace')
    await expect.poll(range).toBe(first)
    await page.keyboard.press('0')
    await expect.poll(range).toBeNull()
  })

  test('the time axis names seconds', async ({ page }) => {
    expect(await timeTicks(page)).toMatch(/time, s/)
  })
})

test('a reload of a sample shows the same part', async ({ page }) => {
  await page.goto(`${IDLING}&t=1..2`)
  await waitForRuns(page, 2)
  // The figures of the range follow the maps.
  const inRange = [/99\.0% of the requests switch process/, /4\.85% of the requests switch process/]
  const shown = () => maps(page, [410, 170])
  await expect.poll(shown).toEqual(inRange.map(figure => expect.stringMatching(figure)))
  const before = await shown()
  await page.reload()
  await waitForRuns(page, 2)
  await expect.poll(shown).toEqual(before)
})

test('alignment colours follow the geometry', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('raid5-misaligned'))
  await waitForRuns(page, 1)
  const map = page.getByRole('group', { name: /^Seek map.*A/ })
  const pixels = () =>
    map
      .locator('canvas')
      .first()
      .evaluate(c => (c as HTMLCanvasElement).toDataURL())
  const set = async (unit: string, start: string) => {
    await page.keyboard.press('g')
    const dialog = page.getByRole('dialog', { name: NAMES.geometry })
    await dialog.getByLabel(NAMES.level).selectOption('raid5')
    await dialog.getByLabel(NAMES.stripeUnit).fill(unit)
    await dialog.getByLabel(NAMES.dataDisks).fill('4')
    await dialog.getByLabel(NAMES.start).fill(start)
    await dialog.getByRole('button', { name: NAMES.apply }).click()
  }
  const straddles = page.getByRole('checkbox', { name: NAMES.straddles })
  const full = page.getByRole('checkbox', { name: NAMES.fullStripe })
  await set('256KiB', '0')
  await expect(map.getByRole('img')).toHaveAttribute('aria-label', /alignment/)
  await expect(page.locator('label').filter({ has: straddles })).toContainText('48')
  const withoutLines = await pixels()
  await set('256KiB', '63s')
  await expect(page.locator('label').filter({ has: full })).toContainText('48')
  await expect.poll(pixels).not.toBe(withoutLines)
  const bad = page.getByRole('dialog', { name: NAMES.geometry })
  await page.keyboard.press('g')
  await bad.getByLabel(NAMES.stripeUnit).fill('a lot')
  await bad.getByRole('button', { name: NAMES.apply }).click()
  await expect(bad.getByRole('alert')).toBeVisible()
})

test('a click on a request shows its life', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  const plot = page.getByRole('group', { name: /^Seek map, A/ })
  await plot.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const life = page.getByRole('dialog')
  await expect(life).toContainText(/queued/i)
  await expect(life).toContainText(/completed/i)
  await page.keyboard.press('Escape')
  await expect(life).toHaveCount(0)
})

test('everything by keyboard: open a sample, zoom, toggle a run, switch the layout, read the keys', async ({
  page,
}) => {
  await page.goto('./')
  const sample = page.getByRole('button', { name: SAMPLES.idling })
  for (let i = 0; i < 20 && !(await sample.evaluate(e => e === document.activeElement)); i++)
    await page.keyboard.press('Tab')
  await expect(sample).toBeFocused()
  await page.keyboard.press('Enter')
  await waitForRuns(page, 2)
  await page.keyboard.press('w')
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('t=')
  await page.keyboard.press('Shift+Digit2')
  await expect(page.getByRole('group', { name: /^Seek map, B/ })).toHaveCount(0)
  await page.keyboard.press('Shift+Digit2')
  await expect(page.getByRole('group', { name: /^Seek map, B/ })).toHaveCount(1)
  await page.keyboard.press('l')
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('layout=overlay')
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog')
  await expect(keys.locator('kbd', { hasText: 'W' }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
})
