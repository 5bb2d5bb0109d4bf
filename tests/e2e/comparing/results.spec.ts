import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { type Dropped, drop, recording, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const table = (name: string): Dropped => ({
  name,
  bytes: readFileSync(join(fileURLToPath(new URL('.', import.meta.url)), '../../tables', name)),
})

test('a mail with tables and no trace opens as matrices', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await drop(page, [table('iostest.txt')])
  const matrix = page.getByRole('region', { name: 'Matrix' })
  await expect(matrix.getByRole('row')).toHaveCount(3)
  await expect(matrix.getByRole('columnheader')).toHaveCount(6)
  await expect(matrix.getByRole('row').last().getByRole('cell').last()).toContainText('349')
  const heading = matrix.getByRole('columnheader').last()
  await heading.getByRole('button').click()
  await expect(heading).toHaveAttribute('aria-sort', 'descending')
  await expect(matrix.getByRole('row').nth(1).getByRole('cell').last()).toContainText('349')
  for (let press = 0; press < 2; press += 1) await heading.getByRole('button').click()
  await expect(heading).toHaveAttribute('aria-sort', 'none')
  await expect(matrix.getByRole('row').last().getByRole('cell').last()).toContainText('349')
  await expect(page.locator('.results-missing')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Matched cells' })).toContainText('5')
  await expect(page.locator('canvas')).toHaveCount(0)
  await page.getByLabel('Table').selectOption('1')
  await expect(matrix.getByRole('row').last()).toContainText('59.9')
  const choice = page.getByRole('combobox', { name: 'Any figure' })
  await choice.selectOption(await choice.locator('option', { hasText: /max latency/ }).getAttribute('value'))
  await expect(matrix.getByRole('row').last()).toContainText('562')
  expect(await violations(page)).toEqual([])
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('reports of fio that are dropped one after the other are compared, and next to a trace they are its notes', async ({
  page,
}) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [table('fio.json')])
  await page.getByRole('button', { name: 'Matrix', exact: true }).click()
  const matrix = page.getByRole('region', { name: 'Matrix' })
  await expect(matrix.getByRole('row')).toHaveCount(2)
  await drop(page, [table('fio-plus.json')])
  await expect(matrix.getByRole('row')).toHaveCount(3)
  await expect(matrix.getByRole('row').last()).toContainText('1.68')
  await drop(page, recording('sync-fua'))
  await waitForRuns(page, 1)
  await expect(page.locator('.results-missing')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('a mail with events and tables opens as a run, and its tables on request', async ({ page }) => {
  const { errors } = watch(page)
  const events = [
    '> 8,0 0 1 0.000000000 100 Q WS 2048 + 8 [dd]',
    '> 8,0 0 2 0.000010000 100 D WS 2048 + 8 [dd]',
    '> 8,0 0 3 0.000500000 0 C WS 2048 + 8 [0]',
  ]
  const mail = [...events, '', 'threads, KB, MB/s', '1, 4, 23.5', '2, 4, 19.25', ''].join('\n')
  await page.goto('./')
  await drop(page, [{ name: 'mail.txt', bytes: Buffer.from(mail) }])
  await waitForRuns(page, 1)
  const entry = page.getByRole('button', { name: 'Benchmark results in the same file (1 table)' })
  await expect(entry).toBeVisible()
  await expect(page.getByRole('dialog'), 'nothing covers the charts unasked').toHaveCount(0)
  await entry.click()
  const matrix = page.getByRole('dialog').getByRole('region', { name: 'Matrix' })
  await expect(matrix.getByRole('row')).toHaveCount(3)
  await expect(matrix.getByRole('row').last()).toContainText('19.3')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  expect(errors).toEqual([])
})

test('axes and base of results can be changed, and a snapshot link opens with them', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await drop(page, [table('dds.txt')])
  const matrix = page.getByRole('region', { name: 'Matrix' })
  await page.getByLabel('Table').selectOption('1')
  await expect(matrix.getByRole('columnheader')).toHaveCount(4)
  await page.getByRole('combobox', { name: 'number of dds' }).selectOption('rows')
  await page.getByRole('combobox', { name: /^kernel/ }).selectOption('columns')
  await expect(matrix.getByRole('columnheader', { name: /2\.6\.18-193/ })).toBeVisible()
  await page.getByLabel('Baseline of changes').selectOption({ label: '2.6.18-193' })
  await expect(matrix.locator('th[data-base=true]')).toContainText('2.6.18-193')
  await expect(matrix.getByRole('row').last()).toContainText('4.7 MB')
  await expect.poll(() => new URL(page.url()).hash).toContain('rows=number-of-dds')
  await page.getByRole('button', { name: 'Share' }).click()
  const address = page.getByRole('textbox', { name: 'Link' })
  await expect(address).toHaveValue(/&s=/)
  const link = await address.inputValue()
  await page.goto('about:blank')
  await page.goto(link)
  await expect(matrix.getByRole('row')).toHaveCount(4)
  await expect(matrix.locator('th[data-base=true]')).toContainText('2.6.18-193')
  await expect(page.getByRole('region', { name: 'Where the figures are from' })).toContainText('text 1')
  await page.reload()
  await expect(matrix.getByRole('row').last()).toContainText('4.7 MB')
  const tables = page.getByLabel('Table').getByRole('option')
  const before = await tables.count()
  await drop(page, [table('fio.txt')])
  await expect(tables).toHaveCount(before + 1)
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('a text without results is refused for what it resembles, and a picture beside results is only listed', async ({
  page,
}) => {
  const { errors } = watch(page)
  const file = (name: string, content: string | Buffer): Dropped => ({ name, bytes: Buffer.from(content) })
  await page.goto('./')
  await drop(page, [file('rows.txt', 'On 6.12:\n> sda 12.00 0.50 48.0 2.00 0.00\n')])
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('output of iostat, but has no line of column headings')
  await expect(dialog).not.toContainText('JSON')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  await drop(page, [table('fio.txt'), file('plot.png', png), file('README.md', 'Setup notes: host A\n')])
  await expect(page.getByRole('region', { name: 'Verdict' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: '2 files skipped' })).toBeVisible()
  expect(errors).toEqual([])
})
