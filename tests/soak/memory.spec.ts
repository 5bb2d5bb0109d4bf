/** What a day of work leaves in one tab: nothing. */
import { expect, type Page, test } from '@playwright/test'
import { NAMES } from '../e2e/names'
import { type Dropped, drop, recording, whole } from '../e2e/support'
import { expectBack, inWords, meterOf, note, type TabMemory } from './figures'

const TIMES = Number(process.env.SOAK_TIMES ?? 500)
/** Until everything that is loaded and compiled once is there. */
const FIRST = Math.ceil(TIMES / 5)

const PAIR = [...recording('partitions-deadline-1w', 'deadline'), ...recording('partitions-bfq-1w', 'bfq')]

const figures = (page: Page) => page.getByRole('table', { name: NAMES.mainFigures })

async function share(page: Page): Promise<string> {
  await page.getByRole('button', { name: NAMES.share, exact: true }).click()
  const link = page.getByRole('dialog').getByRole('textbox', { name: NAMES.link })
  await expect(link).toHaveValue(/&s=/)
  const value = await link.inputValue()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  return value
}

async function close(page: Page) {
  await page.getByRole('button', { name: NAMES.home, exact: true }).click()
  await expect(page.locator('.drop-zone')).toBeVisible()
  // The address follows a moment later; until then a link in it cannot be opened once more.
  await expect(page).toHaveURL(/\/#?$/)
}

/** Repeats `work`, and compares the memory after all times with that after the first ones. */
async function soak(page: Page, measure: () => Promise<TabMemory>, times: number, first: number, work: () => Promise<void>) {
  let start: TabMemory | undefined
  for (let i = 1; i <= times; i++) {
    await work()
    if (i === first || i === times || i % 100 === 0) {
      const now = await measure()
      note(inWords(`after ${i}`, now))
      start ??= now
      if (i === times) expectBack(start, now)
    }
  }
  await expect(page.locator('.drop-zone')).toBeVisible()
}

test('open, zoom, compare, share, close', async ({ page, browser }) => {
  const { measure } = await meterOf(page, browser)
  await page.goto('./')
  await soak(page, measure, TIMES, FIRST, async () => {
    await drop(page, PAIR)
    await whole(page, 2)
    await expect(figures(page)).toBeVisible()
    await page.keyboard.press('w')
    await expect(page).toHaveURL(/[#&]t=/)
    await page.keyboard.press('0')
    await share(page)
    await close(page)
  })
})

test('open a snapshot link, drop its traces, close', async ({ page, browser }) => {
  const { measure } = await meterOf(page, browser)
  await page.goto('./')
  await drop(page, PAIR)
  await whole(page, 2)
  await expect(figures(page)).toBeVisible()
  const { hash } = new URL(await share(page))
  await close(page)
  await soak(page, measure, Math.ceil(TIMES / 5), Math.ceil(FIRST / 2), async () => {
    await page.evaluate(hash => {
      location.hash = hash
    }, hash)
    await expect(page.locator('[data-quality=held]')).toHaveCount(2)
    await drop(page, PAIR)
    await expect(page.locator('[data-quality=held]')).toHaveCount(0)
    await whole(page, 2)
    await close(page)
  })
})

test('20 runs at once', async ({ page, browser }) => {
  const { measure } = await meterOf(page, browser)
  await page.goto('./')
  const names = ['partitions-deadline-1w', 'partitions-bfq-1w', 'sync-fua', 'requeue', 'io-errors']
  const files: Dropped[] = Array.from({ length: 20 }, (_, i) => recording(names[i % names.length] ?? '', `run${i}`)).flat()
  const all = async () => {
    await drop(page, files)
    await whole(page, 20)
    await expect(page.locator('.headline-sentence')).toBeVisible()
  }
  await all()
  await close(page)
  const start = await measure()
  note(inWords('before', start))
  await all()
  note(`${page.workers().length} workers with 20 runs open`)
  await close(page)
  const end = await measure()
  note(inWords('closed', end))
  expectBack(start, end)
})
