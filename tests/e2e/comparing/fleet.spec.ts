/** A table of digests opens as a fleet; its rows are compared as their traces are. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, type Route } from '@playwright/test'
import { madeBuilds, seeded } from '../../../web/fleet/changes/series.testing'
import { createRow, parquetOf } from '../../digestTables'
import { chart, chip, drop, recording, verdictSentence, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'
import { temporaryFolder } from '../support/temporary'

const PAIR = ['ext4-buffered-6.1', 'ext4-buffered-6.12'] as const

const scratch = temporaryFolder('fleet')

const seekscope = (...args: readonly string[]) =>
  execFileSync(process.execPath, ['cli/seekscope.mjs', ...args], { encoding: 'utf8' })

/** The table of digests; written once per worker. */
let digestTable: Buffer | undefined
function stories(): Buffer {
  const file = join(scratch, 'fleet.parquet')
  if (!digestTable) seekscope('fleet', 'tests/stories', '-o', file)
  digestTable ??= readFileSync(file)
  return digestTable
}

const digests = (name: string, ...args: readonly string[]) => {
  const file = join(scratch, name)
  seekscope('digest', ...args, '-o', file)
  return { name, bytes: readFileSync(file) }
}

const rows = (page: Page) => page.locator('.fleet-row')
const count = (page: Page) => page.locator('.fleet-count')
const row = (page: Page, run: string) => rows(page).filter({ has: page.getByTitle(run, { exact: true }) })

/** Verdict, main figures, findings and all differences, as they are on the page. */
async function readComparison(page: Page) {
  await expect(page.locator('.differences tbody tr').first()).toBeVisible()
  return {
    headline: await verdictSentence(page).textContent(),
    figures: await page.locator('.panel-sheet:not([hidden])').innerText(),
    differences: await page.locator('.differences table').innerText(),
  }
}

test('rows are compared as their traces are, and the trace takes the place of its digest', async ({ page }) => {
  const { errors, foreign } = watch(page)
  const table = digests('pair.parquet', ...PAIR.map(name => `tests/fixtures/${name}`))
  await page.goto('./')
  for (const [i, name] of PAIR.entries()) {
    await drop(page, recording(name, name))
    await waitForRuns(page, i + 1)
  }
  const traces = await readComparison(page)

  await drop(page, [table])
  await expect(rows(page)).toHaveCount(2)
  await expect(count(page)).toHaveText('2 rows')
  for (const name of PAIR) await row(page, name).click()
  await page.getByRole('button', { name: 'Compare 2 runs' }).click()
  await waitForRuns(page, 2)
  expect(await readComparison(page)).toEqual(traces)
  await expect(page.locator('[data-not-in-digest]')).toBeVisible()
  await expect(chip(page, 'A')).toContainText('digest, 30 bins')
  await page.getByText('Where the traces are').click()
  await expect(page.getByRole('region', { name: 'Digests' })).toContainText(
    'seekscope compare tests/fixtures/ext4-buffered-6.1/trace tests/fixtures/ext4-buffered-6.12/trace',
  )

  await drop(page, recording(PAIR[1]))
  await expect(page.locator('[data-check="same"]')).toContainText('B read from your files: SHA-256 as in the table')
  await expect(page.locator('.chip')).toHaveCount(2)
  await expect(chip(page, 'B')).toContainText('0 dropped')
  expect((await readComparison(page)).differences).toBe(traces.differences)

  await page.goBack()
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).and(page.locator('[aria-selected="true"]'))).toHaveCount(2)
  await page.goForward()
  await waitForRuns(page, 2)
  expect((await readComparison(page)).headline).toBe(traces.headline)
  expect([errors, foreign]).toEqual([[], []])
})

test('devices of one run are compared, also where one has very many', async ({ page }) => {
  const lines = seekscope('digest', 'tests/fixtures/two-devices')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const template = lines.find(row => !row.compared)
  const devices = Array.from({ length: 400 }, (_, i) => ({ ...template, dev: `7,${i}`, device: `loop${i}` }))
  const table = [...devices, ...lines].map(row => JSON.stringify(row)).join('\n')
  await page.goto('./')
  await drop(page, [{ name: 'devices.jsonl', bytes: Buffer.from(table) }])
  await expect(count(page)).toHaveText('402 rows')
  await page.getByLabel('Rows where').fill(`dev in (${lines.map(row => `'${row.dev}'`).join(', ')})`)
  await expect(rows(page)).toHaveCount(2)
  for (const index of [0, 1]) await rows(page).nth(index).click()
  await page.getByRole('button', { name: 'Compare 2 runs' }).click()
  await waitForRuns(page, 2)
  // Two devices have hardly any figure in common, so most cells must differ.
  const cells = (await readComparison(page)).differences.split('\n').map(line => line.split('\t'))
  expect(cells.filter(([, a, b]) => a !== undefined && a !== b).length).toBeGreaterThan(10)
})

test('filters, sorting, keys and columns', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [{ name: 'fleet.parquet', bytes: stories() }])
  await expect(count(page)).toHaveText(/^\d+ rows$/)
  const all = Number((await count(page).innerText()).split(' ')[0])
  const condition = page.getByLabel('Rows where')

  await page.keyboard.press('/')
  await expect(condition).toBeFocused()
  await condition.fill("run like 'bfq-idle%' and iops > 100")
  const shown = seekscope(
    'compare',
    '--json',
    '--digests',
    join(scratch, 'fleet.parquet'),
    '--where',
    "run like 'bfq-idle%' and iops > 100",
  )
  await expect(count(page)).toHaveText(`${JSON.parse(shown).runs.length} of ${all} rows`)
  await condition.fill('iops >')
  await expect(page.getByRole('alert')).toContainText('character 7')
  await condition.press('Escape')
  await expect(count(page)).toHaveText(`${all} rows`)

  await page
    .getByRole('region', { name: 'Findings' })
    .getByRole('button', { name: /^all \d+/ })
    .click()
  const menu = page.getByRole('dialog', { name: 'Filter by Findings' })
  const item = menu.getByRole('listitem').filter({ hasText: 'slow-tail' })
  const n = Number(await item.locator('.fleet-n').innerText())
  await item.getByRole('checkbox').check()
  await page.keyboard.press('Escape')
  await expect(count(page)).toHaveText(`${n} of ${all} rows`)
  await page.getByRole('button', { name: 'Clear filters' }).click()

  const head = page.getByRole('columnheader', { name: /^Q2C, p99/ })
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  const column = (await page.getByRole('columnheader').allInnerTexts()).findIndex(text => text.startsWith('Q2C, p99'))
  const figures = async () =>
    (await rows(page).evaluateAll(
      (cells, index) => cells.slice(0, 8).map(row => Number(row.children[index]?.textContent?.replace(/[^\d.]/g, ''))),
      column,
    )) as number[]
  const ordered = await figures()
  expect(ordered).toEqual(ordered.toSorted((a, b) => b - a))

  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Search in the columns').fill('waiting_max')
  await page.getByRole('dialog', { name: 'Columns of the table' }).getByRole('checkbox').first().check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: /Bios waiting, max|waiting/i }).last()).toBeAttached()

  await page.getByRole('grid', { name: 'Rows of the fleet' }).focus()
  for (const key of ['Home', ' ', 'ArrowDown', 'Shift+ArrowDown', 'End', 'Home'])
    await page.keyboard.press(key === ' ' ? 'Space' : key)
  await expect(page.getByRole('region', { name: 'Selected rows' }).getByRole('listitem')).toHaveCount(3)
  await page.keyboard.press('Enter')
  await waitForRuns(page, 3)
  await page.getByRole('button', { name: 'Back to the fleet' }).click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  expect(errors).toEqual([])
})

test('the shown rows are saved as CSV, and the head says what they are', async ({ page }) => {
  await page.goto('./')
  await drop(page, [{ name: 'fleet.parquet', bytes: stories() }])
  await page.getByLabel('Rows where').fill('iops > 300')
  await expect(count(page)).toHaveText(/^\d+ of \d+ rows$/)
  const n = Number((await count(page).innerText()).split(' ')[0])
  await expect(page.locator('.verdict-sentence')).toHaveText(new RegExp(`^${n} of \\d+ rows: \\d devices`))
  const device = page.getByRole('region', { name: 'Device', exact: true }).getByRole('checkbox').first()
  await device.check()
  await expect(count(page)).not.toHaveText(new RegExp(`^${n} of`))
  await device.uncheck()
  await expect(count(page)).toHaveText(new RegExp(`^${n} of`))
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Share the rows' }).click()
  await page.getByRole('menuitem', { name: 'Save the shown rows as CSV' }).click()
  const [head, ...lines] = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(head?.split(',')).toContain('iops')
  expect(lines).toHaveLength(n)
  const index = head?.split(',').indexOf('iops') ?? -1
  const values = lines.map(line => Number(line.match(/("[^"]*"|[^,]*)(,|$)/g)?.[index]?.replace(',', '')))
  expect(values.every(value => value > 300)).toBe(true)
})

test('matrix, trend and small multiples', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [{ name: 'fleet.parquet', bytes: stories() }])
  await page.getByRole('button', { name: 'Small multiples' }).click()
  await expect(page.getByRole('region', { name: 'Small multiples' }).getByRole('img').first()).toBeVisible()

  await page.getByRole('button', { name: 'Matrix' }).click()
  const matrix = page.getByRole('region', { name: 'Matrix' })
  await matrix.getByLabel('Rows').selectOption('source')
  await matrix.getByLabel('Columns').selectOption('findings')
  await expect(matrix.getByRole('row', { name: /^think\.tar\.xz/ })).toBeVisible()
  await matrix
    .getByRole('row', { name: /^think\.tar\.xz/ })
    .getByRole('button')
    .first()
    .click()
  await expect(row(page, 'think0').or(row(page, 'think2500')).first()).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()

  await page.getByRole('button', { name: 'Trend' }).click()
  const trend = page.getByRole('region', { name: 'Trend' })
  await trend.getByLabel('Over', { exact: true }).selectOption('kernel')
  await expect(trend.getByRole('img').first()).toBeVisible()
  await expect(trend).toContainText('Change points need')
  expect(errors).toEqual([])
})

test('builds that labels name: the trend has the builds at which the level changed', async ({ page }) => {
  const { errors } = watch(page)
  const random = seeded(4)
  const builds = madeBuilds(random, 60, build => (build < 20 ? 1 : build < 42 ? 1.08 : 1.08 * 1.03))
  const digestRows = builds.flatMap((runs, build) =>
    runs.map((iops, r) =>
      createRow(3 * build + r, {
        run: `build-${build + 1}-r${r + 1}`,
        iops,
        kernel: '6.12',
        device: 'sda',
        dev: '8,0',
        compared: true,
      }),
    ),
  )
  await page.goto('./')
  await drop(page, [{ name: 'builds.parquet', bytes: Buffer.from(await parquetOf(digestRows)) }])
  await page.getByRole('button', { name: 'Trend' }).click()
  const trend = page.getByRole('region', { name: 'Trend' })
  await expect(trend.getByLabel('Over', { exact: true })).toHaveValue('build')
  await expect(trend.getByRole('img', { name: /60 builds, 2 change points/ })).toBeVisible()
  await expect(trend.getByRole('listitem')).toHaveText([
    /^Between 20 and 21 .* rose by 8/,
    /^Between 42 and 43 .* rose by [23]/,
  ])
  await page.getByLabel('Rows where').fill('build > 57')
  await expect(count(page)).toHaveText('9 of 180 rows')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await trend.getByRole('img', { name: /60 builds/ }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(count(page)).toHaveText('3 of 180 rows')
  await expect(rows(page).first()).toContainText('build-1-r1')
  expect(errors).toEqual([])
})

test('statistics that cannot be fetched are missed: the rows stay', async ({ page }) => {
  await page.route(/\/statistics_bg[^/]*\.wasm$/, route => route.abort())
  await page.goto('./')
  await drop(page, [{ name: 'fleet.parquet', bytes: stories() }])
  await expect(page.getByRole('alert')).toContainText('The module of statistics could not be loaded')
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Trend' }).click()
  await expect(page.getByRole('region', { name: 'Trend' })).not.toContainText('Reading columns')
  await expect(page.getByRole('alert')).toBeVisible()
})

test('what is no table of digests is named', async ({ page }) => {
  await page.goto('./')
  const file = join(scratch, 'requests.parquet')
  seekscope('requests', `tests/fixtures/${PAIR[0]}`, '-o', file)
  await drop(page, [{ name: 'requests.parquet', bytes: readFileSync(file) }])
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('a table of requests')
  await page.keyboard.press('Escape')
  await drop(page, [{ name: 'cut.parquet', bytes: stories().subarray(0, 50_000) }])
  await expect(dialog).toContainText('is damaged')
  await page.keyboard.press('Escape')
  await drop(page, [{ name: 'fleet.errors.parquet', bytes: readFileSync(join(scratch, 'fleet.errors.parquet')) }])
  await expect(dialog).toContainText('no rows')
})

test('a table by URL: the address has its filters and the rows that are compared', async ({ page, context }) => {
  const table = stories()
  const serve = (route: Route) => route.fulfill({ body: table, contentType: 'application/octet-stream' })
  await context.route('**/t/fleet.parquet', serve)
  await page.goto('./')
  const url = new URL('t/fleet.parquet', page.url()).href
  await page.goto(
    `./#v=1&url=${encodeURIComponent(url)}&fleet=${encodeURIComponent("where=run like 'bfq-idle%'&sort=-iops")}`,
  )
  await page.reload()
  await expect(page.getByLabel('Rows where')).toHaveValue("run like 'bfq-idle%'")
  await expect(page.getByRole('columnheader', { name: /^Requests completed/ })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await rows(page).nth(0).click()
  await rows(page).nth(1).click()
  await page.getByRole('button', { name: 'Compare 2 runs' }).click()
  await waitForRuns(page, 2)
  await expect(page).toHaveURL(/compare%3D\d+%2C\d+|compare=\d+,\d+/)
  const shown = await readComparison(page)
  const reopened = await context.newPage()
  await reopened.goto(page.url())
  await waitForRuns(reopened, 2)
  expect(await readComparison(reopened)).toEqual(shown)
  await reopened.getByRole('button', { name: 'Back to the fleet' }).click()
  await expect(reopened.getByLabel('Rows where')).toHaveValue("run like 'bfq-idle%'")
  await reopened.close()
  await context.unroute('**/t/fleet.parquet', serve)
})

test('a comparison of digests is shared as a link that opens without the table', async ({ page, context }) => {
  await page.goto('./')
  await drop(page, [digests('pair.parquet', ...PAIR.map(name => `tests/fixtures/${name}`))])
  for (const name of PAIR) await row(page, name).click()
  await page.getByRole('button', { name: 'Compare 2 runs' }).click()
  await waitForRuns(page, 2)
  const shown = await readComparison(page)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog')
  for (const size of ['XS', 'S', 'L']) {
    await dialog.getByText(new RegExp(`^${size} [\\d,]+$`)).click()
    const field = dialog.getByRole('textbox')
    await expect(field).toHaveValue(/#v=/)
    const opened = await context.newPage()
    await opened.goto(await field.inputValue())
    await waitForRuns(opened, 2)
    await expect(verdictSentence(opened)).toHaveText(shown.headline ?? '')
    await expect(chart(opened, /Queue depth/)).toBeVisible()
    await expect(chart(opened, /Seek map/)).toHaveCount(0)
    // Links of smaller sizes have fewer digits.
    if (size === 'L') expect((await readComparison(opened)).differences).toBe(shown.differences)
    await opened.close()
  }
})

for (const [name, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(`axe finds nothing, and nothing sticks out: ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await page.goto('./')
    await drop(page, [{ name: 'fleet.parquet', bytes: stories() }])
    await expect(rows(page).first()).toBeVisible()
    await rows(page).nth(1).click()
    for (const tab of ['Table', 'Matrix', 'Trend']) {
      await page.getByRole('button', { name: tab, exact: true }).click()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page), `${tab} ${colorScheme}`).toEqual([])
      }
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(wide, tab).toBeLessThanOrEqual(0)
    }
  })
}
