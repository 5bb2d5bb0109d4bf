/** Requests saved from the page are those of the command line. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { openDatabase } from '../../conformance/duckdb'
import { NAMES } from '../support/names'
import { chip, drop, paths, recording, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const RECORDINGS = ['sync-fua', 'sync-no-fua'] as const
const dialog = (page: Page) => page.getByRole('dialog', { name: /Export requests/ })

test.use({
  topic: {
    async open(page: Page) {
      await page.goto('./')
      for (const [i, name] of RECORDINGS.entries()) {
        await drop(page, recording(name, name))
        await waitForRuns(page, i + 1)
      }
    },
  },
})

async function save(page: Page, kind: 'CSV' | 'Parquet') {
  await dialog(page).getByLabel(kind).check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page)
      .getByRole('button', { name: `Save ${kind}` })
      .click(),
  ])
  await expect(dialog(page).getByRole('status')).toHaveText(/^[\d,]+ requests/)
  return { name: download.suggestedFilename(), path: await download.path() }
}

const printRequests = (name: string) =>
  execFileSync(process.execPath, ['cli/seekscope.mjs', 'requests', ...paths(name)], { encoding: 'utf8' })
/** Rows without the columns that name run and trace, which differ between page and command line. */
const bodiesOf = (csv: string) =>
  csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map(line => line.split(',').slice(2).join(','))

test('all requests as CSV and Parquet are those of the command line', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.keyboard.press('x')
  const csv = await save(page, 'CSV')
  expect(csv.name).toMatch(/-requests\.csv$/)
  const rows = bodiesOf(readFileSync(csv.path, 'utf8'))
  expect(rows).toEqual(RECORDINGS.flatMap(name => bodiesOf(printRequests(name))))
  const parquet = await save(page, 'Parquet')
  const database = await openDatabase()
  const { rows: counted } = await database.ask(
    `SELECT count(*), count(DISTINCT run), sum(bytes), max(q2c_ns) FROM read_parquet('${parquet.path}')`,
  )
  const { rows: expected } = await database.ask(
    `SELECT count(*), 2, sum(bytes), max(q2c_ns) FROM read_csv('${csv.path}')`,
  )
  expect(counted).toEqual(expected)
  database.close()
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('what the charts show: a range, without reads, of one run', async ({ page }) => {
  await page.getByRole('checkbox', { name: /^read/ }).uncheck()
  await page.keyboard.press('w')
  await chip(page, 'A')
    .getByRole('button', { name: NAMES.runMenu('A') })
    .click()
  await page.getByRole('menuitem', { name: NAMES.exportRequests }).click()
  await dialog(page).getByLabel(NAMES.asCharts).check()
  const { path } = await save(page, 'CSV')
  const lines = readFileSync(path, 'utf8').trimEnd().split('\r\n')
  const columnOf = (name: string) => (lines[0] ?? '').split(',').indexOf(name)
  const ops = new Set(lines.slice(1).map(line => line.replaceAll(/"[^"]*"/g, '').split(',')[columnOf('op')]))
  expect(ops.has('write')).toBe(true)
  expect(ops.has('read')).toBe(false)
  expect(lines.length).toBeLessThan(printRequests(RECORDINGS[0]).split('\r\n').length)
})

test('on a phone it fits, and axe finds nothing', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: NAMES.more, exact: true }).click()
  await page.getByRole('menuitem', { name: NAMES.exportRequests }).click()
  await expect(dialog(page)).toBeVisible()
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0)
  expect(await violations(page)).toEqual([])
})
