import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, type Dropped, drop, recording, violations, waitForRuns, waitUntilKept, watch } from '../support/page'
import { test } from '../support/recorded'

const file = (folder: string, name: string): Dropped => ({
  name,
  bytes: readFileSync(join(fileURLToPath(new URL('.', import.meta.url)), '../..', folder, name)),
})

/** mq-deadline and none with one and two writers, bfq with two. */
const PARTITIONS = {
  async open(page: Page) {
    await page.goto('./')
    await drop(page, [file('runs', 'partitions.tar.xz')])
    await waitForRuns(page, 5)
    await page.keyboard.press('m')
    await expect(page.locator('.matrix tbody tr')).toHaveCount(3)
    await expect(page).toHaveURL(/layout=matrix/)
  },
}

/** Texts of the rows of the matrix, as it is copied. */
const text = async (page: Page) => (await page.locator('.matrix pre').textContent()) ?? ''
const rowOf = async (page: Page, name: string) =>
  (await text(page))
    .split('\n')
    .find(line => line.startsWith(name))
    ?.replace(/\s+/g, ' ')
const part = (page: Page, name: string) => page.locator('.axes-part', { hasText: name }).getByRole('combobox')

test.describe('five runs', () => {
  test.use({ topic: PARTITIONS })

  test('the matrix has schedulers in rows and writers in columns, as btt’s figures are', async ({ page }) => {
    const { errors, foreign } = watch(page)
    await expect(page.getByRole('columnheader', { name: 'writers 2' })).toBeVisible()
    await expect(page.locator('.matrix pre')).toContainText('none')
    // From btt's counts and times, with 320 writes per writer: 193, 295, 209, 308.
    expect([await rowOf(page, 'bfq'), await rowOf(page, 'mq-deadline'), await rowOf(page, 'none')]).toEqual([
      'bfq idle8 ll0 (base) - 144',
      'mq-deadline 193 295',
      'none 209 308',
    ])
    await expect(page.locator('.matrix-none')).toHaveCount(1)
    await page.getByLabel(NAMES.matrixBase).selectOption({ label: 'none' })
    const cell = page.getByRole('button', { name: /^bfq idle8 ll0, writers 2:/ })
    await expect(cell).toHaveAccessibleName(/: 144 1\/s −53% worse worst Open A next to E$/)
    await page.getByLabel(NAMES.matrixBase).selectOption({ label: 'writers 1' })
    await expect(page.getByRole('button', { name: /^none, writers 2:/ })).toHaveAccessibleName(
      /: 308 1\/s \+48% better best/,
    )
    expect(await violations(page)).toEqual([])
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
  })

  test('runs that only an averaged part tells apart share a cell; a cell opens its runs', async ({ page }) => {
    for (const name of ['idle', 'low_latency']) await part(page, name).selectOption('averaged')
    await expect(page.locator('.matrix tbody tr')).toHaveCount(3)
    await part(page, 'writers').selectOption('averaged')
    await expect.poll(() => rowOf(page, 'none')).toBe('none 259 +-70')
    await expect(page.locator('.matrix tbody tr').filter({ hasText: 'none' })).toContainText('n 2')
    await part(page, 'writers').selectOption('rows')
    await part(page, 'scheduler').selectOption('columns')
    // Schedulers in columns are what is compared.
    await expect.poll(() => rowOf(page, 'writers 2')).toBe('writers 2 144 295 308')
    await expect(page.locator('.matrix thead')).toContainText('bfqbase')
    await page.getByLabel(NAMES.matrixBase).selectOption({ label: 'mq-deadline' })
    // The cells open what they show: they follow once all runs are compared with the new base.
    await page.getByRole('button', { name: /^writers 2, none.* Open E next to C$/ }).click()
    await expect(page.locator('.chip')).toHaveCount(2)
    await expect(chip(page, 'C')).toContainText('baseline')
    await expect(chip(page, 'E')).toContainText('none-2w')
    await page.keyboard.press('m')
    await expect.poll(() => rowOf(page, 'writers 2')).toBe('writers 2 144 295 308')
  })

  test('what dd said is a figure of its run, in the matrix and in the table of differences', async ({ page }) => {
    await page.getByLabel(NAMES.anyFigure).selectOption({ label: 'dd rate' })
    // 1310720 bytes by 1.54115 s. Two writers have a figure each: nothing says that they ran together.
    await expect.poll(() => rowOf(page, 'none')).toMatch(/^none 0\.85/)
    await expect(page.locator('.matrix a[href$="#what-the-application-saw"]')).toBeVisible()
    await expect(page.locator('.matrix h2')).toContainText(/MB\/s/)
    await page.keyboard.press('m')
    const row = page.locator('.differences tr', { has: page.getByRole('rowheader', { name: 'dd rate' }) })
    await expect(row).toContainText('0.85')
    await expect(page.getByRole('rowheader', { name: NAMES.diskFigures })).toBeVisible()
  })

  test('labels are edited in a table, by keyboard and by paste', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: NAMES.editLabels }).first().click()
    const dialog = page.getByRole('dialog', { name: NAMES.labels })
    const field = (run: string, column: string) => dialog.getByLabel(`${run}, ${column}`)
    await expect(field('A', 'scheduler')).toHaveValue('bfq')
    await expect(field('C', 'writers')).toHaveValue('2')
    await expect(field('D', 'low_latency')).toHaveValue('')
    expect(await violations(page)).toEqual([])

    await dialog.getByLabel(NAMES.columnName('scheduler')).fill('elevator')
    await field('D', 'elevator').or(field('D', 'scheduler')).first().fill('noop')
    await page.keyboard.press('ArrowDown')
    await expect(field('E', 'elevator')).toBeFocused()
    await page.keyboard.type('noop')
    await dialog.getByRole('button', { name: NAMES.removeColumn('idle') }).click()
    await dialog.getByRole('button', { name: NAMES.addColumn }).click()
    await page.evaluate(() => navigator.clipboard.writeText('slow\nfast\nfast\nfast\nfast\n'))
    await field('A', 'part 1').focus()
    await page.keyboard.press('Control+v')
    await expect(field('E', 'part 1')).toHaveValue('fast')
    await dialog.getByRole('button', { name: NAMES.done }).click()
    await expect(dialog).toHaveCount(0)
    await part(page, 'part 1').selectOption('rows')
    await expect.poll(() => rowOf(page, 'noop')).toBe('noop fast 209 308')
    await page.getByRole('button', { name: NAMES.editLabels }).first().click()
    await dialog.getByRole('button', { name: NAMES.guessLabels }).click()
    await expect(field('E', 'scheduler')).toHaveValue('none')
  })
})

test('what a benchmark’s text says that comes later is of the one open run', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('partitions-bfq-1w', '2.6.6'))
  await waitForRuns(page, 1)
  await drop(page, [file('notes', 'tiotest.txt')])
  await page.getByRole('dialog').press('Escape')
  await drop(page, [...recording('partitions-deadline-1w', '2.6.6-hackedup')])
  await waitForRuns(page, 2)
  const row = page.locator('.differences tr', { hasText: 'tiotest random write, threads 4: throughput' })
  await expect(row).toContainText('0.84')
})

test('repeats are seen by their names, averaged, and grouped at once, which can be undone', async ({ page }) => {
  await page.goto('./')
  const repeats = ['ext4-buffered-6.1', 'io-errors', 'ext4-buffered-6.12', 'write-zeroes']
  const names = ['k6.1-run1', 'k6.1-run2', 'k6.12-run1', 'k6.12-run2']
  await drop(
    page,
    repeats.flatMap((name, i) => recording(name, names[i])),
  )
  await waitForRuns(page, 4)
  const link = () => page.evaluate(() => decodeURIComponent(location.hash))
  const strip = page.locator('.grouped')
  await expect(strip).toContainText(/6\.1 \(2\)\s*against\s*B\s*6\.12 \(2\)/)
  await expect(page.locator('.finding-head .badge').first()).toHaveText('A')
  await expect.poll(link).toMatch(/group\.A=6\.1&.*group\.D=6\.12&group=name/)
  await strip.getByRole('button', { name: 'Undo' }).click()
  await expect(strip).toHaveCount(0)
  await expect(page.locator('.chip[data-group]')).toHaveCount(0)
  await expect.poll(link).toContain('group=none')
  // The link keeps the labels, so that a reload shows the same.
  await waitUntilKept(page)
  await page.reload()
  await waitForRuns(page, 4)
  await expect(page.locator('.finding-head .badge').first()).toHaveText('A')
  await expect(strip).toHaveCount(0)
  await page.keyboard.press('m')
  await expect(page.locator('.matrix tbody tr')).toHaveCount(2)
  await expect(page.locator('.matrix tbody tr').first()).toContainText('n 2')
  await page.getByRole('button', { name: NAMES.editLabels }).first().click()
  const dialog = page.getByRole('dialog', { name: NAMES.labels })
  await expect(dialog).toContainText('6.1 (A, B); 6.12 (C, D)')
  await dialog.getByRole('button', { name: NAMES.groupRepeats }).click()
  await dialog.getByRole('button', { name: NAMES.done }).click()
  await page.keyboard.press('m')
  await expect(chip(page, 'A2')).toContainText('6.1')
  await expect.poll(link).toMatch(/group\.A=6\.1&.*group\.D=6\.12/)
})
