/** The menu at the pointer of a chart. */
import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, drop, recording, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const DISCARD = {
  async open(page: Page) {
    await page.goto('./')
    await drop(page, recording('discard'))
    await waitForRuns(page, 1)
  },
}

const map = (page: Page) => page.getByRole('group', { name: NAMES.plot('Seek map', 'A') })
const menu = (page: Page) => page.getByRole('menu', { name: 'Seek map: menu' })
const entry = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })
const hash = (page: Page) => page.evaluate(() => location.hash)

/** Brings a plot into sight; its scrolling, which closes menus, is over by then. */
async function bringIntoSight(page: Page, plot: Locator) {
  await plot.scrollIntoViewIfNeeded()
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Opens the menu of a request of the seek map by keyboard. */
async function openAtRequest(page: Page) {
  await bringIntoSight(page, map(page))
  await map(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+F10')
  await expect(menu(page)).toBeVisible()
}

/** Whether the page leaves a right click to the browser. */
const isLeftToBrowser = (target: Locator, shiftKey: boolean) =>
  target.evaluate(
    (element, shift) =>
      element.dispatchEvent(
        new MouseEvent('contextmenu', { bubbles: true, cancelable: true, button: 2, shiftKey: shift }),
      ),
    shiftKey,
  )

test.describe('the menu of a chart', () => {
  test.use({ topic: DISCARD })

  test('opens at the pointer within the window, and closes by Esc, a press elsewhere and scrolling', async ({
    page,
  }) => {
    const box = await map(page).boundingBox()
    if (!box) throw new Error('the seek map has no place')
    const corner = { x: box.width - 3, y: box.height - 3 }
    await map(page).click({ button: 'right', position: corner })
    await expect(menu(page)).toBeVisible()
    const place = await menu(page).boundingBox()
    const window = page.viewportSize()
    expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(window?.width ?? 0)
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(window?.height ?? 0)
    await page.keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
    await expect(map(page)).toBeFocused()
    await map(page).click({ button: 'right', position: corner })
    await page.getByRole('heading', { name: 'Seek map' }).click()
    await expect(menu(page)).toHaveCount(0)
    await map(page).click({ button: 'right', position: corner })
    await expect(menu(page)).toBeVisible()
    await page.locator('.body').evaluate(body => body.scrollBy(0, 100))
    await expect(menu(page)).toHaveCount(0)
    await page.locator('.body').evaluate(body => body.scrollTo(0, 0))
  })

  test('by keyboard: entries, arrows, the filter to the operation of a request', async ({ page }) => {
    await openAtRequest(page)
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await expect(page.getByRole('menuitem').first()).toHaveText(NAMES.showOnly('write'))
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('ArrowUp')
    await expect(entry(page, 'Copy data as CSV')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(menu(page)).toHaveCount(0)
    await expect.poll(() => hash(page)).toContain('hide=op:read')
    await openAtRequest(page)
    // What is shown alone already is offered no more.
    await expect(entry(page, NAMES.showOnly('write'))).toHaveCount(0)
    await entry(page, 'Clear filters').click()
    await expect.poll(() => hash(page)).not.toContain('hide=')
  })

  test('zooms to a request, and back', async ({ page }) => {
    await openAtRequest(page)
    await expect(entry(page, 'Full run')).toHaveCount(0)
    await entry(page, 'Zoom to this request').click()
    await expect.poll(() => hash(page)).toContain('t=')
    await map(page).click({ button: 'right' })
    await entry(page, 'Full run').click()
    await expect.poll(() => hash(page)).not.toContain('t=')
  })

  test('saves and copies what the data menu does', async ({ page }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const depth = page.getByRole('group', { name: NAMES.plot('Queue depth', 'A') })
    await bringIntoSight(page, depth)
    await depth.click({ button: 'right' })
    // Nothing in this chart is a request.
    await expect(entry(page, /^Show only/)).toHaveCount(0)
    const [download] = await Promise.all([page.waitForEvent('download'), entry(page, 'Save as SVG').click()])
    expect(download.suggestedFilename()).toMatch(/queue-depth\.svg$/)
    const svg = readFileSync(await download.path(), 'utf8')
    expect(svg).toContain('Queue depth')
    expect(svg).not.toContain('Save as')
    await depth.click({ button: 'right' })
    await entry(page, 'Copy data as CSV').click()
    await expect(page.locator('.menu-notice')).toHaveText(NAMES.copied)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^run,/)
    await depth.click({ button: 'right' })
    await entry(page, 'Copy as image').click()
    const types = () => page.evaluate(async () => (await navigator.clipboard.read()).flatMap(item => item.types))
    await expect.poll(types).toEqual(['image/png'])
  })

  test('other drawings have it; texts, and a press of Shift, have that of the browser', async ({ page }) => {
    const sizes = chart(page, 'Request size')
    await bringIntoSight(page, sizes.locator('canvas').first())
    await sizes.locator('canvas').first().click({ button: 'right' })
    await expect(page.getByRole('menu', { name: 'Request size: menu' })).toBeVisible()
    await page.keyboard.press('Escape')
    expect(await isLeftToBrowser(sizes.locator('pre'), false)).toBe(true)
    expect(await isLeftToBrowser(map(page), true)).toBe(true)
    await expect(page.getByRole('menu')).toHaveCount(0)
  })
})
