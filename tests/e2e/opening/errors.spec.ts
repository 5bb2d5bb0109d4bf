import { expect } from '@playwright/test'
import { tar } from '../../../cli/sharing/tar'
import { NAMES } from '../support/names'
import { chip, drop, recording, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

test('a junk file says what it looks like and what to do', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [
    { name: 'holiday.jpg', bytes: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5000, 7)]) },
  ])
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('holiday.jpg')
  await expect(dialog).toContainText('JPEG')
  await expect(dialog.locator('[data-code=not-a-trace] .remedy')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('.drop-zone')).toBeVisible()
  expect(errors).toEqual([])
})

test('an empty file says so', async ({ page }) => {
  await page.goto('./')
  await drop(page, [{ name: 'sda.blktrace.0', bytes: Buffer.alloc(0) }])
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('sda.blktrace.0')
  await expect(dialog.locator('[data-code=empty-file]')).toBeVisible()
})

test('a truncated file shows what was kept, where it is cut, and stays marked', async ({ page }) => {
  const [cut, ...rest] = recording('requeue')
  if (!cut) throw new Error('the recording has no file')
  await page.goto('./')
  await drop(page, [{ name: cut.name, bytes: cut.bytes.subarray(0, cut.bytes.length - 30) }, ...rest])
  const dialog = page.getByRole('dialog')
  const found = dialog.locator('[data-code=truncated-tail]')
  await expect(found).toContainText(cut.name)
  await expect(found).toContainText(/\b18\b.*\b48\b/)
  await expect(found).toContainText(/169,832.*169,850/)
  await expect(dialog).toContainText(/Everything before the end of the file was read: \d.* m?s with [\d,]+ records\./)
  await page.getByRole('button', { name: NAMES.continuePartial }).click()
  await waitForRuns(page, 1)
  await expect(chip(page, 'A').locator('.chip-quality.warn')).toBeVisible()
})

test('a good trace is read although junk was dropped with it', async ({ page }) => {
  await page.goto('./')
  await drop(page, [...recording('io-errors'), { name: 'other.blktrace.0', bytes: Buffer.alloc(3000, 0x93) }])
  await waitForRuns(page, 1)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.locator('.not-read').click()
  await expect(page.getByRole('dialog').locator('[data-code=not-a-trace]')).toBeVisible()
})

test('of very many files that were skipped, the first are listed and the others counted', async ({ page }) => {
  const entry = (i: number) => ({ name: `${i}.blktrace.0`, size: 3000, read: () => Buffer.alloc(3000, 0x93) })
  await page.goto('./')
  await drop(page, [
    ...recording('io-errors'),
    { name: 'many.tar', bytes: Buffer.concat([...tar(Array.from({ length: 300 }, (_, i) => entry(i)))]) },
  ])
  await waitForRuns(page, 1)
  await page.locator('.not-read').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('[data-code=not-a-trace]')).toHaveCount(20)
  await expect(dialog.locator('[data-more="280"]')).toContainText('not-a-trace')
})

test('an unknown version names it', async ({ page }) => {
  const [file] = recording('io-errors').slice(-1)
  if (!file) throw new Error('the recording has no file')
  const bytes = Buffer.from(file.bytes)
  for (let offset = 0; offset + 48 <= bytes.length; offset += 48 + bytes.readUInt16LE(offset + 46)) bytes[offset] = 9
  await page.goto('./')
  await drop(page, [{ name: 'new.blktrace.0', bytes }])
  await expect(page.getByRole('dialog').locator('[data-code=unsupported-version]')).toContainText(/\b9\b/)
})
