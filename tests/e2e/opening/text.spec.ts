import { spawnSync } from 'node:child_process'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, drop, recording, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const NAME = 'partitions-deadline-1w'

/** What blkparse prints of the recording. */
const printText = (...options: string[]) => {
  const { status, stdout, stderr } = spawnSync('blkparse', ['-i', 'trace', ...options], {
    cwd: `tests/fixtures/${NAME}`,
  })
  if (status !== 0) throw new Error(String(stderr))
  return stdout
}

/** btt's tables of a run, as the page shows them. */
async function tables(page: Page, letter: string): Promise<string> {
  await chip(page, letter)
    .getByRole('button', { name: NAMES.runMenu(letter) })
    .click()
  await page.getByRole('menuitem', { name: NAMES.nativeTables }).click()
  const dialog = page.getByRole('dialog', { name: NAMES.nativeTablesOf(letter) })
  await dialog.getByRole('tab', { name: 'btt' }).click()
  await expect(dialog.getByRole('tabpanel')).toContainText('All Devices')
  const text = await dialog.getByRole('tabpanel').locator('pre').textContent()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  return text ?? ''
}

for (const name of ['mail.txt', 'bug.html'])
  test(`two recordings in ${name} are two runs with the names above them`, async ({ page }) => {
    const events = printText().toString()
    const other = events.replaceAll(' + 8 ', ' + 16 ')
    const mail = `I compared two kernels.\n\n--- 5.4.0 ---\n${events}\n--- 5.10.0 ---\n${other}`
    const html = `<!DOCTYPE html>\n<html><body><pre>${mail.replaceAll('<', '&lt;')}</pre></body></html>`
    await page.goto('./')
    await drop(page, [{ name, bytes: Buffer.from(name.endsWith('.html') ? html : mail) }])
    await waitForRuns(page, 2)
    await expect(chip(page, 'A')).toContainText('5.4.0')
    await expect(chip(page, 'B')).toContainText('5.10.0')
  })

test('text of blkparse opens under any name, beside its recording, with the same figures', async ({ page }) => {
  await page.goto('./')
  await drop(page, [...recording(NAME), { name: 'foo.log', bytes: printText() }])
  await waitForRuns(page, 2)
  // Runs stand in the order of their files' names.
  await expect(chip(page, 'A')).toContainText('foo')
  await expect(chip(page, 'A').locator('.chip-quality.warn')).toHaveCount(0)
  expect(await tables(page, 'A')).toBe(await tables(page, 'B'))
})

test('text of blkparse -f is asked for its format, and opens with it', async ({ page }) => {
  await page.goto('./')
  await drop(page, [{ name: 'mine.txt', bytes: printText('-q', '-f', '%T.%t | %M,%m %c %a %d %S %n %p %C %e\\n') }])
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('[data-code=text-not-understood]')).toContainText('line 1, byte 0')
  expect(await violations(page, { within: 'dialog' })).toEqual([])
  const format = dialog.getByRole('textbox', { name: NAMES.format })
  await format.fill('%a %S')
  await format.press('Enter')
  await expect(dialog).toContainText(/%d .*%T\.%t .*%n .*%N /)
  await expect(format).toHaveValue('%a %S')
  await format.fill('%T.%t | %M,%m %c %a %d %S %n %p %C %e\\n')
  await dialog.getByRole('button', { name: NAMES.openWithFormat }).click()
  await waitForRuns(page, 1)
  await expect(chip(page, 'A')).toContainText('mine')
})

test('closing figures alone are results, and say which command prints their events', async ({ page }) => {
  await page.goto('./')
  await drop(page, [{ name: 'summary.txt', bytes: printText('-f', '') }])
  await expect(page.getByRole('heading', { name: /^Figures/, level: 2 }).first()).toBeVisible()
  await expect(page.locator('.results-missing')).toContainText('blkparse -i')
  await expect(page.locator('.results-missing')).not.toContainText('Record a trace')
})
