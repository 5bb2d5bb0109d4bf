/** Parts of recordings: what does not fit is offered in parts before it is read, and a part is one everywhere. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, drop, paths, recording, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'
import { temporaryFolder } from '../support/temporary'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const scratch = temporaryFolder('parts')
const running: ChildProcess[] = []
test.afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

/**
 * A recording of 12 GiB in two files, of which only both ends of the larger one are on the disk; what is between them
 * is never read.
 */
function huge(): string[] {
  const size = 12 * 2 ** 30
  return paths('sync-fua').map((path, i) => {
    const bytes = readFileSync(path)
    const copy = join(scratch, `huge.blktrace.${i}`)
    const fd = openSync(copy, 'w')
    writeSync(fd, bytes, 0, bytes.length, 0)
    if (i === 0) {
      ftruncateSync(fd, size)
      const tail = bytes.subarray(-65_536)
      writeSync(fd, tail, 0, tail.length, size - tail.length)
    }
    closeSync(fd)
    return copy
  })
}

const part = (page: Page) =>
  page.getByRole('dialog').filter({ has: page.getByRole('button', { name: NAMES.openPart }) })

async function pick(page: Page, ...files: readonly string[]) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: NAMES.openFiles }).first().click()
  await (await chooser).setFiles(files)
}

test('a recording that does not fit is not read, and a part of it is', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await pick(page, ...huge(), ...paths('io-errors'))
  const card = part(page)
  await expect(card).toContainText('huge.blktrace.0')
  await expect(card).toContainText('12.0 GiB')
  // The other trace of the same choice is open already.
  await waitForRuns(page, 1)
  const open = card.getByRole('button', { name: NAMES.openPart })
  await expect(open).toBeEnabled()
  const [from, to] = [
    card.getByRole('slider', { name: NAMES.partStart }),
    card.getByRole('slider', { name: NAMES.partEnd }),
  ]
  // The complete recording does not fit.
  await to.press('End')
  await expect(open).toBeDisabled()
  await expect(open).toHaveAccessibleDescription(/fit/)
  await from.press('End')
  await expect(open).toBeEnabled()
  await from.press('Home')
  // The end of the part, typed into the field.
  await card.getByLabel('To').fill('0.2')
  await expect(to).toHaveAttribute('aria-valuenow', '0.2')
  await expect(card.locator('code')).toHaveText(/^seekscope summary --range 0:0.2 huge$/)
  await open.click()
  await waitForRuns(page, 2)
  await expect(chip(page, 'B').locator('.chip-quality')).toContainText('200 ms')
  expect(errors).toEqual([])
})

test('a choice that is cancelled leaves the recording closed, and says so', async ({ page }) => {
  await page.goto('./')
  await pick(page, ...huge(), ...paths('io-errors'))
  await expect(part(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await waitForRuns(page, 1)
  await page.locator('.not-read').click()
  await expect(page.getByRole('dialog').locator('[data-code="too-large"]')).toBeVisible()
})

test('a part of an open run replaces it; a drag, an empty part, another part, and all again', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await drop(page, recording('sync-fua'))
  await drop(page, recording('sync-no-fua'))
  await waitForRuns(page, 2)
  const menu = async (item: string | RegExp) => {
    await chip(page, 'A')
      .getByRole('button', { name: NAMES.runMenu('A') })
      .click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await menu(NAMES.partOnly)
  const card = part(page)
  const brush = card.getByRole('group', { name: NAMES.eventsOverTime })
  const box = await brush.boundingBox()
  if (!box) throw new Error('no brush')
  await page.mouse.move(box.x + box.width * 0.25, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 4 })
  await page.mouse.up()
  const from = Number(await card.getByLabel('From').inputValue())
  const to = Number(await card.getByLabel('To').inputValue())
  expect(from).toBeGreaterThan(0)
  expect(to).toBeGreaterThan(from)
  const open = card.getByRole('button', { name: NAMES.openPart })
  await card.getByLabel('To').fill('0')
  await expect(open).toBeDisabled()
  await card.getByLabel('To').fill(String(to))
  await open.click()
  await waitForRuns(page, 2)
  await expect(chip(page, 'A').locator('.chip-quality')).toHaveAttribute('data-part', 'true')
  await expect(chip(page, 'B').locator('.chip-quality')).not.toHaveAttribute('data-part', 'true')
  // The comparison names the part.
  await expect(page.getByText('not-the-same-work', { exact: true }).first()).toBeVisible()
  await chip(page, 'A').locator('.chip-quality').click()
  await page.getByRole('button', { name: NAMES.anotherPart }).click()
  await expect(card.getByLabel('From')).toHaveValue(String(from))
  await card.getByRole('button', { name: NAMES.openAll }).click()
  await waitForRuns(page, 2)
  await expect(chip(page, 'A').locator('.chip-quality')).not.toHaveAttribute('data-part', 'true')
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('seekscope open --range, and the link of the page, read the same part again', async ({ page, requests }) => {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'cli/seekscope.mjs'), 'open', '--no-browser', '--range', '0.1:0.5', 'sync-fua', 'sync-no-fua'],
    {
      cwd: join(ROOT, 'tests/fixtures'),
    },
  )
  running.push(child)
  const link = await new Promise<string>(resolve => child.stdout.once('data', text => resolve(String(text).trim())))
  requests.own(link)
  await page.goto(link)
  await waitForRuns(page, 2)
  for (const letter of ['A', 'B'])
    await expect(chip(page, letter).locator('.chip-quality')).toHaveAttribute('data-part', 'true')
  await page.getByLabel(NAMES.rateUnit).selectOption(NAMES.iops)
  await expect(page).toHaveURL(/win=1:0\.1\.\.0\.5&win=2:0\.1\.\.0\.5.*rate=ios/)
  await page.reload()
  await waitForRuns(page, 2)
  await expect(chip(page, 'B').locator('.chip-quality')).toHaveAttribute('data-part', 'true')
})
