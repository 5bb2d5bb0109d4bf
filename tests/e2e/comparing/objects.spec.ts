/** Files and structures: rows of the rail, colours of the map, the table, and the chain of a request. */
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, type Dropped, drop, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

/** A recording with the maps of its disk and the events of its file system, in one archive. */
const mapped = (name: string): Dropped => {
  const file = `${name}.tar.xz`
  return { name: file, bytes: readFileSync(new URL(`../../origin/${file}`, import.meta.url)) }
}
const EXT4 = 'ext4-6.12-fio3'
const NO_JOURNAL = 'ext4nojournal-6.1-fio3'

const objects = (page: Page) => page.getByRole('group', { name: NAMES.objects })
const table = (page: Page) => chart(page, NAMES.filesAndStructures).locator('table.files')
const link = (page: Page) => decodeURIComponent(new URL(page.url()).hash)

test.describe('a run with a map of its disk', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('./')
    await drop(page, [mapped(EXT4)])
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
    await expect(page.getByRole('combobox', { name: NAMES.mapColour })).toHaveValue('object')
    await expect.poll(() => link(page)).toMatch(/layer=object.*hide=object:/)
    expect(await violations(page)).toEqual([])
    await row.click()
    await expect(objects(page).getByRole('checkbox', { checked: false })).toHaveCount(0)
    await expect.poll(() => link(page)).not.toContain('hide=')
    expect(errors).toEqual([])
  })

  test('as a tree, folders have what is in them, and close', async ({ page }) => {
    await page.getByRole('combobox', { name: 'Arrangement of the rows' }).selectOption('tree')
    const folder = table(page).getByRole('button', { name: 'What is in structures' })
    await expect(folder).toHaveAttribute('aria-expanded', 'true')
    await expect(table(page).getByRole('row', { name: /journal/ })).toHaveCount(1)
    await folder.click()
    await expect(folder).toHaveAttribute('aria-expanded', 'false')
    await expect(table(page).getByRole('row', { name: /journal/ })).toHaveCount(0)
    expect(await violations(page, { within: 'table.files' })).toEqual([])
  })

  test('the columns sort', async ({ page }) => {
    const head = table(page).getByRole('columnheader', { name: /^Object/ })
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'ascending')
  })

  test('by call, requests have the calls in which they were queued', async ({ page }) => {
    await page.getByRole('combobox', { name: 'Arrangement of the rows' }).selectOption('calls')
    await expect(table(page).getByRole('row', { name: /^fsync\(\)/ })).toHaveCount(1)
    await expect(table(page).getByRole('row').last()).toContainText('unknown')
    expect(await violations(page, { within: 'table.files' })).toEqual([])
  })

  test('the menu of the map hides an object, shows it alone, and finds its row', async ({ page }) => {
    const map = page.getByRole('group', { name: /^Seek map, A/ })
    const openMenu = async () => {
      await map.focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Shift+F10')
    }
    await openMenu()
    const menu = page.getByRole('menu', { name: 'Seek map: menu' })
    const find = menu.getByRole('menuitem', { name: /^Show .* in the table$/ })
    const [, label = ''] = /^Show (.*) in the table$/.exec((await find.textContent()) ?? '') ?? []
    expect(await violations(page, { within: '.menu' })).toEqual([])
    await find.click()
    const row = table(page).getByRole('button', { name: `Show only ${label}`, exact: true })
    await expect(row).toBeFocused()
    await expect(row).toBeInViewport()
    await openMenu()
    await menu.getByRole('menuitem', { name: `Hide ${label}`, exact: true }).click()
    await expect(objects(page).getByRole('checkbox', { name: new RegExp(`^${label}`) })).not.toBeChecked()
    await expect(objects(page).getByRole('checkbox', { checked: false })).toHaveCount(1)
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

test('two runs stand side by side, and one has no journal', async ({ page }) => {
  await page.goto('./')
  await drop(page, [mapped(NO_JOURNAL), mapped(EXT4)])
  await waitForRuns(page, 2)
  const row = table(page).getByRole('row', { name: /^Show only journal/ })
  await expect(row.getByRole('cell').filter({ hasText: /^[\d,]+$/ })).toHaveCount(2)
  await expect(row.getByRole('cell').filter({ hasText: /^\u2013$/ })).not.toHaveCount(0)
  await expect(objects(page)).toContainText(/Owner known for [\d.]+% of the bytes in A, [\d.]+% in B/)
  expect(await violations(page)).toEqual([])
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
  await expect(page.getByRole('combobox', { name: NAMES.mapColour }).locator('option[value=object]')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
})

test('a link with the map by object shows the same colours, parts and owners', async ({ page, browser, requests }) => {
  await page.goto('./')
  await drop(page, [mapped(NO_JOURNAL), mapped(EXT4)])
  await waitForRuns(page, 2)
  await page.getByRole('combobox', { name: NAMES.mapColour }).selectOption('object')
  const strip = '.charts [data-owner-strip] rect'
  await expect(page.locator(strip).first()).toBeAttached()
  const names = page.locator('.plot-label')
  await expect(names.filter({ hasText: /^journal: none in [AB]$/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const field = page.getByRole('dialog').getByRole('textbox')
  await expect(field).toHaveValue(/#v=.*s=/)
  const shared = await field.inputValue()

  const context = await browser.newContext()
  requests.follow(context)
  const reader = await context.newPage()
  const { errors } = watch(reader)
  await reader.goto(shared)
  await waitForRuns(reader, 2)
  await expect(reader.getByRole('combobox', { name: NAMES.mapColour })).toHaveValue('object')
  await expect(reader.locator(strip).first()).toBeAttached()
  await expect(reader.locator('.plot-label').filter({ hasText: /^journal: none in [AB]$/ })).toHaveCount(1)
  // Names of files are left out, and are the same in both runs.
  await expect(reader.locator('.legend').filter({ hasText: 'file 1' }).first()).toBeAttached()
  expect(errors).toEqual([])
  await context.close()
})
