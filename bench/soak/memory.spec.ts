/** What a day of work leaves in one tab: nothing. */
import { expect, type Page, test } from '@playwright/test'
import { NAMES } from '../../tests/e2e/support/names'
import { type Dropped, drop, recording, waitForRuns } from '../../tests/e2e/support/page'
import { expectBack, inWords, meterOf, note, type TabMemory } from './figures'
import { workInPage } from './inPage'

const TIMES = Number(process.env.SOAK_TIMES ?? 500)
/** Until everything that is loaded and compiled once is there. */
const FIRST = Math.ceil(TIMES / 5)

const PAIR = [...recording('partitions-deadline-1w', 'deadline'), ...recording('partitions-bfq-1w', 'bfq')]

async function close(page: Page) {
  await page.getByRole('button', { name: NAMES.home, exact: true }).click()
  await expect(page.locator('.drop-zone')).toBeVisible()
}

/** How often memory is measured. */
const EVERY = 25

/** Works so many times, and compares the memory after all times with that after the first ones. */
async function soak(
  page: Page,
  measure: () => Promise<TabMemory>,
  times: number,
  first: number,
  work: (times: number) => Promise<void>,
) {
  const places = new Set([
    first,
    times,
    ...Array.from({ length: Math.floor(times / EVERY) }, (_, i) => (i + 1) * EVERY),
  ])
  let start: TabMemory | undefined
  let done = 0
  for (const place of [...places].sort((a, b) => a - b)) {
    await work(place - done)
    done = place
    const now = await measure()
    if (place === first || place === times || place % 100 === 0) note(inWords(`after ${place}`, now))
    if (place === first) start = now
    if (place === times && start) expectBack(start, now)
  }
  await expect(page.locator('.drop-zone')).toBeVisible()
}

test('open, zoom, compare, share, close', async ({ page, browser }) => {
  const { measure } = await meterOf(page, browser)
  await page.goto('./')
  await soak(page, measure, TIMES, FIRST, await workInPage(page, PAIR, 'compare'))
})

test('open a snapshot link, drop its traces, close', async ({ page, browser }) => {
  const { measure } = await meterOf(page, browser)
  await page.goto('./')
  await soak(page, measure, Math.ceil(TIMES / 5), Math.ceil(FIRST / 2), await workInPage(page, PAIR, 'link'))
})

test('20 runs at once', async ({ page, browser }) => {
  const { measure } = await meterOf(page, browser)
  await page.goto('./')
  const names = ['partitions-deadline-1w', 'partitions-bfq-1w', 'sync-fua', 'requeue', 'io-errors']
  const files: Dropped[] = Array.from({ length: 20 }, (_, i) =>
    recording(names[i % names.length] ?? '', `run${i}`),
  ).flat()
  const all = async () => {
    await drop(page, files)
    await waitForRuns(page, 20)
    await expect(page.locator('.verdict-sentence')).toBeVisible()
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
