import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { type BadInput, TABLE } from '../../bad-inputs/table'
import { NAMES } from '../support/names'
import { chart, drop, recording, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'
import { temporaryFolder } from '../support/temporary'

const scratch = temporaryFolder('bad')

/** Bytes up to which a file is dropped; larger ones are picked, because dropping them in a test is slow. */
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

interface Shown {
  readonly codes: readonly string[]
  readonly text: string
}

/** Reads the texts of the dialog, and closes it. */
async function read(page: Page, dialog: Locator): Promise<Shown> {
  await expect(dialog).toBeVisible()
  const shown = {
    codes: await dialog
      .locator('[data-code]')
      .evaluateAll((all: Element[]) => all.map(e => e.getAttribute('data-code') ?? '')),
    text: await dialog.innerText(),
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  return shown
}

/** All dialogs about an input; a run that opened is removed again. */
async function dialogs(page: Page, { codes, events }: BadInput): Promise<readonly Shown[]> {
  const dialog = page.getByRole('dialog')
  // Until it is clear that nothing opens, the dialog shows how far reading is.
  if (events === undefined) return [await read(page, dialog.filter({ has: page.locator('[data-code]') }))]
  await waitForRuns(page, 1)
  const shown: Shown[] = []
  if (await dialog.isVisible()) shown.push(await read(page, dialog))
  await expect(chart(page, /Seek map/).first()).toBeVisible()
  if (codes.length > 0) {
    const aside = page.locator('.not-read')
    await page.locator('.chip .chip-quality').click()
    shown.push(await read(page, dialog))
    if (await aside.isVisible()) {
      await aside.click()
      shown.push(await read(page, dialog))
    }
  }
  await page.getByRole('button', { name: NAMES.runMenu() }).click()
  await page.getByRole('menuitem', { name: NAMES.remove }).click()
  await expect(page.locator('.chip')).toHaveCount(0)
  return shown
}

/**
 * One input of each set of codes, read in part or not at all: the page does the same with the others, and the engine's
 * tests read them all.
 */
const DIFFERENT = TABLE.filter((input, i) => {
  const caseKey = ({ codes, events, page }: BadInput) => JSON.stringify([codes, events !== undefined, page])
  // What opens as results has no code and no run.
  const isResults = input.codes.length === 0 && input.events === undefined
  return (
    input.range === undefined && !isResults && TABLE.findIndex(candidate => caseKey(candidate) === caseKey(input)) === i
  )
})

test('the page shows the code of every bad input, and still opens a good trace', async ({ page }) => {
  test.setTimeout(600_000)
  const { errors, foreign } = watch(page)
  expect(DIFFERENT.length).toBeGreaterThan(20)
  await page.goto('./')
  for (const [i, input] of DIFFERENT.entries()) {
    await test.step(input.fault, async () => {
      await give(page, input, i)
      const shown = await dialogs(page, input)
      const { codes, files = [] } = { files: undefined, ...(input.page ?? input) }
      for (const code of codes)
        expect
          .soft(
            shown.flatMap(s => s.codes),
            input.fault,
          )
          .toContain(code)
      for (const file of files) expect.soft(shown.map(s => s.text).join('\n'), input.fault).toContain(file)
    })
  }
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  await expect(chart(page, /Seek map/).getByRole('img')).toHaveAttribute('aria-label', /\b38 requests/)
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})
