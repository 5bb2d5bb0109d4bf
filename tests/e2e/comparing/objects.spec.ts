/** Files and structures: rows of the rail, colours of the map, the table, and the chain of a request. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, type Dropped, drop, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

/** Recordings of file systems with their maps of the disk and events, one folder each. */
const MAPPED = fileURLToPath(new URL('../../origin', import.meta.url))
const EXT4 = 'ext4'

/** A recording and the files next to it, in one archive. */
function packRun(name: string): Dropped {
  const folder = mkdtempSync(join(tmpdir(), 'objects-'))
  const file = join(folder, 'run.tar')
  execFileSync('tar', ['cf', file, '-C', MAPPED, name])
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true })
  return { name: 'run.tar', bytes }
}

const objects = (page: Page) => page.getByRole('group', { name: NAMES.objects })
const table = (page: Page) => chart(page, NAMES.filesAndStructures).locator('table.files')
const link = (page: Page) => decodeURIComponent(new URL(page.url()).hash)

test.describe('a run with a map of its disk', () => {
  test.skip(!existsSync(join(MAPPED, EXT4)), 'no recording with a map')

  test.beforeEach(async ({ page }) => {
    await page.goto('./')
    await drop(page, [packRun(EXT4)])
    await waitForRuns(page, 1)
  })

  test('a row of the table shows one object alone and colours the map, a second press shows all', async ({ page }) => {
    const { errors } = watch(page)
    await expect(objects(page)).toContainText(/Owner known for [\d.]+% of the bytes/)
    const row = table(page).getByRole('button', { name: 'Show only journal', exact: true })
    await row.click()
    await expect(row).toHaveAttribute('aria-pressed', 'true')
    await expect(objects(page).getByRole('checkbox', { checked: true })).toHaveCount(1)
    await expect(objects(page).getByRole('checkbox', { name: /^journal/ })).toBeChecked()
    await expect(page.getByLabel(NAMES.mapColour, { exact: true })).toHaveValue('object')
    await expect.poll(() => link(page)).toMatch(/layer=object.*hide=object:/)
    expect(await violations(page)).toEqual([])
    await row.click()
    await expect(objects(page).getByRole('checkbox', { checked: false })).toHaveCount(0)
    await expect.poll(() => link(page)).not.toContain('hide=')
    expect(errors).toEqual([])
  })

  test('the columns sort', async ({ page }) => {
    const head = table(page).getByRole('columnheader', { name: /^Object/ })
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'ascending')
  })

  test('a request has its chain, on the page and as text', async ({ page }) => {
    await page.getByRole('group', { name: /^Seek map, A/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const chain = page.getByRole('list', { name: NAMES.belongsTo })
    await expect(chain.getByRole('listitem').last()).toContainText('completed at')
    expect(await violations(page, { within: '.life-chain' })).toEqual([])
  })
})

test('without a map there are no objects, and one folded line says how to get one', async ({ page }) => {
  await page.goto('./#v=1&sample=idling')
  await waitForRuns(page, 2)
  const line = page.locator('details.files-none')
  await expect(line).toContainText(NAMES.filesAndStructures)
  await expect(line.getByText(/seekscope-record/)).toBeHidden()
  await line.locator('summary').click()
  await expect(line.getByText(/seekscope-record/)).toBeVisible()
  await expect(objects(page)).toHaveCount(0)
  await expect(page.getByLabel(NAMES.mapColour, { exact: true }).locator('option[value=object]')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
})
