import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, type Dropped, drop, recording, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const text = (name: string): Dropped => ({
  name,
  bytes: readFileSync(join(fileURLToPath(new URL('.', import.meta.url)), '../../notes', name)),
})

test('a log with drops marks its run, though no sequence number shows a gap', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await drop(page, [text('dropped.tar.xz')])
  await waitForRuns(page, 1)
  await expect(chip(page, 'A').locator('.chip-quality')).toHaveAttribute('data-lost-events', '15,341')
  await expect(chip(page, 'A')).toContainText('6.12.113+deb12-amd64')
  const counted = /([\d,]+) records/.exec(await chip(page, 'A').locator('.chip-facts').innerText())?.[1]
  await chip(page, 'A').locator('.chip-quality').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(new RegExp(`Records\\s*${counted}`))
  await expect(dialog.locator('[data-code=tracer-dropped]')).toContainText('blktrace.log')
  await expect(dialog.locator('[data-code=tracer-dropped]')).toContainText(/15,?341/)
  await page.keyboard.press('Escape')
  await chip(page, 'A')
    .getByRole('button', { name: NAMES.notes(3) })
    .click()
  await expect(dialog.locator('[data-note=fio]').getByRole('heading', { name: /bench\.txt/ })).toBeInViewport()
  await expect(dialog.locator('[data-note=fio]')).toContainText(/IOPS\s*2,693\/s/)
  await expect(dialog.locator('[data-note=blktrace-log]')).toContainText('15,341')
  await dialog.locator('[data-note=blktrace-log] summary').click()
  await expect(dialog).toContainText('You have 15341 ( 62.4%) dropped events')
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('what is not understood is shown as it is, and only as text', async ({ page }) => {
  const { errors } = watch(page)
  const hostile = {
    name: 'notes.txt',
    bytes: Buffer.from('<img src=x onerror="document.title=1"><b>slow</b>\n'.repeat(30_000)),
  }
  await page.goto('./')
  await drop(page, [...recording('io-errors'), hostile])
  await waitForRuns(page, 1)
  await chip(page, 'A')
    .getByRole('button', { name: NAMES.notes(1) })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('.note-text')).toHaveText(/^<img src=x/)
  await dialog.locator('summary').click()
  await expect(dialog.locator('.note .caption').last()).toContainText('256 KiB')
  await expect(dialog.locator('b, img')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('a text that comes later is about the open run; its array is suggested, not applied', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('raid5-misaligned'))
  await waitForRuns(page, 1)
  await drop(page, [text('raid5-meta.json')])
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('[data-note=description]')).toBeVisible()
  await dialog.getByRole('button', { name: NAMES.geometry }).click()
  await expect(dialog).toContainText('raid5-meta.json')
  // What is known is filled in; a press on a suggestion does the same.
  await expect(dialog.getByLabel(NAMES.stripeUnit)).toHaveValue('256KiB')
  await dialog
    .getByRole('button', { name: NAMES.fillIn('256 KiB') })
    .first()
    .click()
  await expect(dialog.getByLabel(NAMES.stripeUnit)).toHaveValue('256KiB')
  await expect(dialog.getByLabel(NAMES.dataDisks)).toHaveValue('4')
  await expect(dialog.getByLabel(NAMES.level)).toHaveValue('raid5')
  await dialog.getByRole('button', { name: NAMES.apply }).click()
  await expect(page.getByText('4 of 5')).toBeVisible()
})
