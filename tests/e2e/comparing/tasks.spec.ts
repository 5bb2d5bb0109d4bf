/**
 * What people come for, done from the landing page. Each task counts the actions that it takes: a drop, a click, a key,
 * a text that is typed. More than today is a step back.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import {
  chart,
  chip,
  type Dropped,
  drop,
  recording,
  verdictSentence,
  violations,
  waitForRuns,
  waitUntilKept,
} from '../support/page'
import { test } from '../support/recorded'
import { temporaryFolder } from '../support/temporary'

const scratch = temporaryFolder('tasks')

/** A recording as an archive with this name. */
function archive(fixture: string, name: string): Dropped {
  const file = join(scratch, name)
  execFileSync('tar', ['-czf', file, '-C', join('tests/fixtures', fixture), '.'])
  return { name, bytes: readFileSync(file) }
}

/** A hand that counts what it does. */
function createHand(page: Page) {
  let count = 0
  const act = async (action: Promise<unknown>) => {
    count += 1
    await action
  }
  return {
    drop: (files: readonly Dropped[]) => act(drop(page, files)),
    click: (target: Locator) => act(target.click()),
    press: (key: string) => act(page.keyboard.press(key)),
    type: (text: string) => act(page.keyboard.type(text)),
    actions: () => count,
  }
}

test('two archives with long names are compared: one action, and the names say what differs', async ({ page }) => {
  await page.goto('./')
  const hand = createHand(page)
  const name = (kernel: string) => `fio-ext4-data-ordered-buffered-randwrite-4k-qd32-linux-${kernel}-x86_64.tar.gz`
  await hand.drop([archive('ext4-buffered-6.1', name('6.1.0')), archive('ext4-buffered-6.12', name('6.12.0'))])
  await waitForRuns(page, 2)
  await expect(verdictSentence(page)).toBeVisible()
  await expect(chip(page, 'A')).toContainText(/6\.1\b/)
  await expect(chip(page, 'B')).toContainText(/6\.12\b/)
  const isCut = await page
    .locator('.chip .editable-text')
    .evaluateAll(all => all.some(e => e.scrollWidth > e.clientWidth))
  expect(isCut, 'a name is cut').toBe(false)
  expect(hand.actions()).toBe(1)
})

test('the evidence of the second finding: two keys after the drop', async ({ page }) => {
  await page.goto('./')
  const hand = createHand(page)
  const names = ['partitions-deadline-1w', 'sync-fua'] as const
  await hand.drop(names.flatMap(fixture => recording(fixture, fixture)))
  await waitForRuns(page, 2)
  const second = page.locator('.finding-row').nth(1)
  await expect(second).toBeVisible()
  await hand.press('n')
  await hand.press('e')
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await expect(evidence.locator('.finding-rank')).toHaveText('2')
  await expect(evidence).toBeInViewport()
  expect(hand.actions()).toBe(3)
})

test('six runs are grouped by their names: one action', async ({ page }) => {
  await page.goto('./')
  const hand = createHand(page)
  const runs = [1, 2, 3].flatMap(n => [
    ...recording('partitions-deadline-1w', `deadline-${n}`),
    ...recording('partitions-bfq-1w', `bfq-${n}`),
  ])
  await hand.drop(runs)
  await waitForRuns(page, 6)
  await expect(page.locator('.grouped')).toContainText(/Grouped by name:.*\(3\) against .*\(3\)/)
  await expect(verdictSentence(page)).toBeVisible()
  expect(hand.actions()).toBe(1)
})

test('the slowest request of one process: found by name', async ({ page }) => {
  await page.goto('./')
  const hand = createHand(page)
  await hand.click(page.getByRole('button', { name: /Open sample|idle/i }).first())
  await waitForRuns(page, 2)
  await hand.press('Control+k')
  await hand.type('only dd on vda2')
  await hand.press('Enter')
  const slowest = chart(page, 'Slowest requests')
  await expect(slowest).toContainText(/without what is hidden|filters|hidden/i)
  await hand.click(slowest.getByRole('listitem').getByRole('button').first())
  await expect(page.getByRole('dialog', { name: /write by dd/ })).toContainText(/slowest of the 1,280/)
  expect(hand.actions()).toBeLessThanOrEqual(5)
})

test('shared with a phone, and continued tomorrow', async ({ page, browser, requests }) => {
  await page.goto('./')
  const hand = createHand(page)
  await hand.drop([...recording('partitions-deadline-1w', 'deadline'), ...recording('partitions-bfq-1w', 'bfq')])
  await waitForRuns(page, 2)
  const words = await verdictSentence(page).textContent()
  await waitUntilKept(page)
  await hand.click(page.getByRole('button', { name: 'Share' }))
  const field = page.getByRole('dialog').getByRole('textbox')
  await expect(field).toHaveValue(/#v=/)
  const link = await field.inputValue()
  await hand.press('Escape')

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
  requests.follow(phone)
  const reader = await phone.newPage()
  await reader.goto(link)
  await waitForRuns(reader, 2)
  await expect(verdictSentence(reader)).toHaveText(words ?? '')
  await expect(verdictSentence(reader)).toBeInViewport()
  expect(await violations(reader)).toEqual([])
  await phone.close()

  // The next day begins with the landing page.
  await page.goto('about:blank')
  await page.goto('./')
  await hand.click(page.getByRole('region', { name: NAMES.continue }).getByRole('button').first())
  await waitForRuns(page, 2)
  await expect(verdictSentence(page)).toHaveText(words ?? '')
  expect(hand.actions()).toBe(4)
})
