import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { test } from './recorded'
import { chip, type Dropped, drop, recording, watch, whole } from './support'

const text = (name: string): Dropped => ({ name, bytes: readFileSync(join(fileURLToPath(new URL('.', import.meta.url)), '../notes', name)) })

test('a log with drops marks its run, though no sequence number shows a gap', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await drop(page, [text('dropped.tar.xz')])
  await whole(page, 1)
  await expect(chip(page, 'A')).toContainText('15,341 events lost')
  await expect(chip(page, 'A')).toContainText('6.12.113+deb12-amd64')
  await chip(page, 'A').locator('.chip-quality').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('blktrace itself reports 15341 dropped events.')
  await expect(dialog).toContainText('tracer-dropped')
  await expect(dialog).toContainText('blktrace.log')
  await page.keyboard.press('Escape')
  await chip(page, 'A').getByRole('button', { name: '3 notes' }).click()
  await expect(dialog.getByRole('heading', { name: /bench\.txt report of fio/ })).toBeInViewport()
  await expect(dialog.locator('.note', { hasText: 'report of fio' })).toContainText(/Read IOPS\s*2,693\/s/)
  await expect(dialog.locator('.note', { hasText: 'log of blktrace' })).toContainText(/Events dropped\s*15,341/)
  await dialog.locator('.note', { hasText: 'log of blktrace' }).locator('summary').click()
  await expect(dialog).toContainText('You have 15341 ( 62.4%) dropped events')
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('what is not understood is shown as it is, and only as text', async ({ page }) => {
  const { errors } = watch(page)
  const hostile = { name: 'notes.txt', bytes: Buffer.from('<img src=x onerror="document.title=1"><b>slow</b>\n'.repeat(30_000)) }
  await page.goto('./')
  await drop(page, [...recording('io-errors'), hostile])
  await whole(page, 1)
  await chip(page, 'A').getByRole('button', { name: '1 note' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('.note-text')).toHaveText(/^<img src=x/)
  await dialog.locator('summary').click()
  await expect(dialog).toContainText('The first 256 KiB of it.')
  await expect(dialog.locator('b, img')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('a text that comes later is about the open run; its array is suggested, not applied', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('raid5-misaligned'))
  await whole(page, 1)
  await drop(page, [text('raid5-meta.json')])
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('description of the run')
  await dialog.getByRole('button', { name: 'Storage geometry' }).click()
  await expect(dialog).toContainText('From raid5-meta.json')
  await expect(dialog.getByLabel('Stripe unit')).toHaveValue('')
  await dialog.getByRole('button', { name: 'Fill in 256 KiB' }).first().click()
  await expect(dialog.getByLabel('Stripe unit')).toHaveValue('256KiB')
  await expect(dialog.getByLabel('Data disks')).toHaveValue('4')
  await expect(dialog.getByLabel('Level')).toHaveValue('raid5')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('4 of 5')).toBeVisible()
})
