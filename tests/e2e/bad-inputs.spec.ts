import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { type BadInput, TABLE } from '../bad-inputs/table'
import { NAMES } from './names'
import { test } from './recorded'
import { chart, drop, recording, watch, whole } from './support'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-bad-'))
test.afterAll(() => rmSync(scratch, { recursive: true }))

/** More than this is slow to drop; it is picked. */
const DROPPED = 4 << 20

async function give(page: Page, { name, make }: BadInput, i: number) {
  const bytes = make()
  if (bytes.length <= DROPPED) return drop(page, [{ name, bytes }])
  const folder = join(scratch, String(i))
  mkdirSync(folder)
  writeFileSync(join(folder, name), bytes)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: NAMES.openFiles }).first().click()
  await (await chooser).setFiles(join(folder, name))
}

/** The words of the dialog, which is closed. */
async function read(page: Page, dialog: Locator): Promise<string> {
  await expect(dialog).toBeVisible()
  const words = await dialog.innerText()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  return words
}

/** All that is said of an input; a run that opened is removed again. */
async function said(page: Page, { codes, events }: BadInput): Promise<string> {
  const dialog = page.getByRole('dialog')
  if (events === undefined) return read(page, dialog)
  await whole(page, 1)
  const words: string[] = []
  if (await dialog.isVisible()) words.push(await read(page, dialog))
  await expect(chart(page, /Seek map/).first()).toBeVisible()
  if (codes.length > 0) {
    const aside = page.locator('.not-read')
    await page.locator('.chip .chip-quality').click()
    words.push(await read(page, dialog))
    if (await aside.isVisible()) {
      await aside.click()
      words.push(await read(page, dialog))
    }
  }
  await page.getByRole('button', { name: NAMES.runMenu() }).click()
  await page.getByRole('menuitem', { name: NAMES.remove }).click()
  await expect(page.locator('.chip')).toHaveCount(0)
  return words.join('\n')
}

test('every bad input says what is wrong with it, and the page still opens a good trace', async ({ page }) => {
  test.setTimeout(600_000)
  const { errors, foreign } = watch(page)
  await page.goto('./')
  for (const [i, input] of TABLE.entries()) {
    await test.step(input.what, async () => {
      await give(page, input, i)
      const words = await said(page, input)
      const { codes, says = [] } = input.page ?? input
      for (const code of codes) expect.soft(words, input.what).toContain(code)
      for (const part of says) expect.soft(words.replaceAll(',', ''), input.what).toContain(part.replaceAll(',', ''))
    })
  }
  await drop(page, recording('io-errors'))
  await whole(page, 1)
  await expect(chart(page, /Seek map/).getByRole('img')).toHaveAttribute('aria-label', /\b38 requests/)
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})
