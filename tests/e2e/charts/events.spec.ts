import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { drop, recording, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const list = (page: Page, letter = 'A') =>
  page.getByRole('grid', { name: `Events of ${letter} as blkparse prints them` })
const rows = (page: Page) => list(page).locator('.events-seen [role="row"]')
const filter = (page: Page) => page.getByLabel(NAMES.eventFilter)
const lines = (page: Page) => page.locator('.events-count').first()

const LIST = {
  async open(page: Page) {
    await page.goto('./')
    await drop(page, recording('partitions-bfq-1w'))
    await waitForRuns(page, 1)
    await page.keyboard.press('v')
    await expect(lines(page)).toHaveText(/lines$/)
    await expect(page).toHaveURL(/layout=events/)
  },
}

const total = async (page: Page) => Number((await lines(page).textContent())?.replace(/\D/g, ''))

test.describe('one run', () => {
  test.use({ topic: LIST })

  test('the list reaches from the first to the last event', async ({ page }) => {
    const { errors } = watch(page)
    await expect(rows(page).first()).toContainText('0.000000000')
    const n = await total(page)
    expect(n).toBeGreaterThan(1000)
    await expect(list(page)).toHaveAttribute('aria-rowcount', String(n + 1))
    await list(page).focus()
    await page.keyboard.press('End')
    await expect(list(page).locator(`[aria-rowindex="${n + 1}"]`)).toContainText(/\d\.\d{9}/)
    expect(await rows(page).count()).toBeLessThan(100)
    await page.keyboard.press('Home')
    await expect(list(page).locator('[aria-rowindex="2"]')).toContainText('0.000000000')
    await page.keyboard.press('PageDown')
    await expect(list(page).locator('[data-active="true"]')).not.toHaveAttribute('aria-rowindex', '2')
    await list(page).evaluate(e => e.scrollTo(0, e.scrollHeight))
    await expect(list(page).locator(`[aria-rowindex="${n + 1}"]`)).toContainText(/\d\.\d{9}/)
    expect(errors).toEqual([])
  })

  test('a filter line narrows the list, and says what it does not understand', async ({ page }) => {
    const all = await total(page)
    await page.keyboard.press('/')
    await expect(filter(page)).toBeFocused()
    await filter(page).fill('act:D')
    await expect.poll(() => total(page)).toBeLessThan(all / 2)
    const sector = Number(/^(\d+)/.exec((await rows(page).nth(5).locator('.ev-tail').textContent()) ?? '')?.[1])
    await filter(page).fill(`sector:${sector}..${sector + 1}`)
    await expect.poll(() => total(page)).toBeLessThan(all / 20)
    for (const tail of await rows(page).locator('.ev-tail').allTextContents()) {
      const [, from, n] = /^(\d+) \+ (\d+)/.exec(tail) ?? []
      expect(Number(from) <= sector && sector < Number(from) + Number(n), tail).toBe(true)
    }
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('events=sector')
    await filter(page).fill('lat:5 act:C')
    await expect(page.locator('.events-problems')).toContainText('lat:')
    await filter(page).fill('nowhere-to-be-found')
    await expect(page.locator('.events-none')).toBeVisible()
  })

  test('from a line to its request in the charts, and from the request to the list', async ({ page }) => {
    await filter(page).fill('act:D')
    await expect(rows(page).nth(3)).toContainText('+')
    const time = await rows(page).nth(3).locator('.ev-time').textContent()
    await rows(page).nth(3).click()
    await expect(rows(page).nth(3)).toHaveAttribute('aria-selected', 'true')
    await page.getByRole('button', { name: NAMES.showInCharts }).click()
    const life = page.getByRole('dialog')
    await expect(life).toContainText(time?.slice(0, -3) ?? 'a time')
    await life.getByRole('button', { name: NAMES.showInList }).click()
    await filter(page).fill('')
    await expect(list(page).locator('[data-active="true"]')).toContainText(/Q|A|G/)
  })

  test('lines in sight, chosen lines and all lines as text', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await expect(rows(page).nth(3)).toContainText(/\d/)
    await list(page).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('button', { name: NAMES.copyLines }).click()
    await expect(page.locator('.events-said')).toContainText('2')
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text).toMatch(/^ *\d+,\d+ +\d+ +0\.000000000 +\d+ +\w+ +\w+ .*\n.*\n$/)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: NAMES.saveAllText }).click(),
    ])
    const saved = readFileSync(await download.path(), 'utf8')
    expect(saved.split('\n').length - 1).toBe(await total(page))
    expect(saved.startsWith(text)).toBe(true)
  })
})

test('two runs stand beside each other, on a phone one after the other; axe finds nothing', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('./#v=1&sample=idling&layout=events')
  await waitForRuns(page, 2)
  await expect(list(page, 'B')).toBeVisible()
  await expect(rows(page).first()).toContainText(/\d\.\d{9}/)
  expect(await violations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(list(page, 'B')).toHaveCount(0)
  await page.getByRole('group', { name: 'Run' }).getByRole('button', { name: 'B' }).click()
  await expect(list(page, 'B')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('navigation', { name: NAMES.pageParts }).getByRole('button', { name: NAMES.charts }).click()
  await expect(list(page, 'B')).toHaveCount(0)
})
