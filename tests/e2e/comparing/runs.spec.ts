import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, drop, recording, violations, waitForRuns, waitUntilKept } from '../support/page'
import { test } from '../support/recorded'

const heads = (page: Page) =>
  page
    .locator('.chip')
    .evaluateAll(chips =>
      chips.map(c => `${c.getAttribute('data-run')} ${c.querySelector('.editable-text')?.textContent}`),
    )
const link = (page: Page) => page.evaluate(() => decodeURIComponent(location.hash))

async function choose(page: Page, letter: string, item: string) {
  await chip(page, letter)
    .getByRole('button', { name: NAMES.runMenu(letter) })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Files of three runs with different names. */
const three = () => [
  ...recording('partitions-bfq-1w', 'bfq'),
  ...recording('partitions-deadline-1w', 'deadline'),
  ...recording('sync-fua', 'fua'),
]

test('an array and its member recorded together are one run, and can be compared as two', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('raid5-aligned'))
  await waitForRuns(page, 1)
  await expect(chip(page, 'A')).toContainText('md0 + vda')
  // The array first; the member is one switch away.
  await expect(page.getByRole('radio', { name: /^md0 array/ })).toBeChecked()
  await expect(page.getByRole('img', { name: /Seek map of A: 48 requests/ })).toBeVisible()
  await page.getByRole('radio', { name: /^vda/ }).check()
  await expect(page.getByRole('img', { name: /Seek map of A: 54 requests/ })).toBeVisible()
  await expect.poll(() => link(page)).toContain('dev=vda')

  await choose(page, 'A', NAMES.splitDevices)
  await waitForRuns(page, 2)
  await expect(page.getByRole('img', { name: /Seek map of A: 48 requests/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /Seek map of B: 54 requests/ })).toBeVisible()
  await page.keyboard.press('2')
  await expect(page.getByRole('table', { name: NAMES.mainFigures }).last()).toContainText('Throughput, write')
  await expect.poll(() => link(page)).toContain('run=1:md0&run=1:vda')
  // Whoever opens the link and drops the same files sees the same.
  await waitUntilKept(page)
  await page.reload()
  await waitForRuns(page, 2)
  await expect(page.getByRole('img', { name: /Seek map of B: 54 requests/ })).toBeVisible()

  await choose(page, 'B', NAMES.joinDevices)
  await waitForRuns(page, 1)
  await expect(page.getByRole('img', { name: /Seek map of A: 48 requests/ })).toBeVisible()
  await expect.poll(() => link(page)).not.toContain('run=')
})

test('order, baseline, labels, hidden runs and groups come back with the link', async ({ page }) => {
  await page.goto('./')
  await drop(page, three())
  await waitForRuns(page, 3)
  expect(await heads(page)).toEqual(['A bfq', 'B deadline', 'C fua'])

  // Moved by keyboard, then by dragging.
  await chip(page, 'C')
    .getByRole('button', { name: /^C: hide/ })
    .focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(() => heads(page)).toEqual(['A bfq', 'B fua', 'C deadline'])
  const [from, to] = [await chip(page, 'A').boundingBox(), await chip(page, 'C').boundingBox()]
  if (!from || !to) throw new Error('the chips have no place')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height - 6)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height - 6, { steps: 8 })
  await expect(chip(page, 'C')).toHaveAttribute('data-over', 'true')
  await page.mouse.up()
  await expect.poll(() => heads(page)).toEqual(['A fua', 'B deadline', 'C bfq'])

  await choose(page, 'B', NAMES.makeBaseline)
  await choose(page, 'A', 'Group…')
  // One list of all runs with check boxes, by keyboard.
  const dialog = page.getByRole('dialog', { name: 'Groups' })
  await expect(dialog.getByRole('checkbox', { name: /fua/ })).toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: /bfq/ })).not.toBeChecked()
  await dialog.getByRole('checkbox', { name: /bfq/ }).focus()
  await page.keyboard.press('Space')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('mine')
  expect(await violations(page, { within: 'dialog' })).toEqual([])
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  // Runs of a group are next to each other.
  await expect.poll(() => heads(page)).toEqual(['A1 fua', 'A2 bfq', 'B deadline'])
  await chip(page, 'A2')
    .getByRole('button', { name: NAMES.renameRun('A2') })
    .click()
  await page.getByRole('textbox', { name: NAMES.runName('A2') }).fill('idle 8')
  await page.keyboard.press('Enter')
  await chip(page, 'A1')
    .getByRole('button', { name: /^A1: hide/ })
    .click()
  await expect.poll(() => heads(page)).toEqual(['A2 idle 8', 'B deadline'])
  await expect
    .poll(() => link(page))
    .toBe('#v=1&run=3&run=1&run=2&base=C&off=A&label.B=idle 8&group.A=mine&group.B=mine')

  await waitUntilKept(page)
  await page.reload()
  await waitForRuns(page, 2)
  expect(await heads(page)).toEqual(['A2 idle 8', 'B deadline'])
  await expect(chip(page, 'B')).toContainText('baseline')
  await expect(chip(page, 'A2')).toHaveAttribute('data-group', 'mine')
  await page.getByRole('button', { name: 'A1: show fua' }).first().click()
  await expect.poll(() => heads(page)).toEqual(['A1 fua', 'A2 idle 8', 'B deadline'])
})

test('twenty runs stand in lines, each chart names its run, and the page has no more than it shows', async ({
  page,
}) => {
  await page.goto('./')
  await drop(
    page,
    Array.from({ length: 20 }, (_, i) => recording('requeue', `run-${String(i + 1).padStart(2, '0')}`)).flat(),
  )
  await waitForRuns(page, 20)
  await expect(page.locator('.chart-row').first().locator('.badge')).toHaveCount(20)
  await expect(page.getByRole('heading', { level: 2, name: /No significant difference/ })).toBeVisible()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide).toBe(0)
})
