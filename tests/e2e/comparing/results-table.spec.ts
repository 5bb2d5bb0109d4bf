/** The table of all figures of results: what it shows, finding, taking out, and the menus of sides. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Locator, type Page } from '@playwright/test'
import { type Dropped, drop, violations, watch } from '../support/page'
import { test } from '../support/recorded'

const REPORTS = join(fileURLToPath(new URL('.', import.meta.url)), '../../reports')
const report = (path: string): Dropped => ({
  name: path.split('/').at(-1) ?? path,
  bytes: readFileSync(join(REPORTS, path)),
})
const FIO = 'fio-text/mixed-schedulers-markdown/issue.md'
const LKP = 'lkp/aim7-whole-mail/robot.eml'
const mail = (text: string): Dropped => ({ name: 'mail.txt', bytes: Buffer.from(text) })

const figuresOf = (page: Page): Locator => page.locator('table.figures')
const rowsOf = (page: Page): Locator => figuresOf(page).locator('th[rowspan]')
const viewOf = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: 'View of the results' }).getByRole('button', { name, exact: true })
const railOf = (page: Page): Locator => page.getByRole('complementary', { name: 'Rows, columns and baseline' })
const textOf = (page: Page): Locator => page.getByRole('region', { name: /^Text of / })
const linkOf = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: 'Share' }).click()
  const address = page.getByRole('textbox', { name: 'Link' })
  await expect(address).toHaveValue(/&s=/)
  return address.inputValue()
}

test('all figures of two outputs are in one table, what is looked at first above', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await drop(page, [report(FIO)])
  await expect(figuresOf(page).locator('.figures-section th')).toHaveText([
    'Throughput',
    'Operations per second',
    'Latency and time',
    'Percentiles',
  ])
  await expect(rowsOf(page).first()).toContainText('read rate')
  const iops = figuresOf(page).locator('tbody', { has: page.getByText('read IOPS', { exact: true }) })
  await expect(iops.getByRole('button')).toContainText(['43,600', '3,498'])
  // The mean has its spread within the run; minimum and maximum have no rows of their own.
  const latency = figuresOf(page).locator('tbody', { has: page.getByText('read clat mean', { exact: true }) })
  await expect(latency.locator('small').nth(1)).toHaveText('± 0.141')
  await expect(page.getByText('± and box of a single run: standard deviation within it')).toBeVisible()
  await expect(page.getByText('read clat min', { exact: true })).toHaveCount(0)
  // A value leads to its line, and back.
  await iops.getByRole('button').last().click()
  await expect(textOf(page).locator('.reading-number:focus')).toContainText('3498')
  await page.keyboard.press('Escape')
  await expect(iops.getByRole('button').last()).toBeFocused()
  // A figure without a row of its own leads to the row of its mean.
  await textOf(page).locator('.reading-number', { hasText: '5301.7k' }).click()
  await expect(latency.getByRole('button').last()).toBeFocused()
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('table, matrix, picture and mail print the same digits', async ({ page }) => {
  await page.goto('./')
  await drop(page, [report(FIO)])
  await page
    .getByRole('region', { name: 'Figures', exact: true })
    .getByRole('button', { name: /^read IOPS/ })
    .click()
  const digits = ['43,600', '3,498']
  await expect(page.getByRole('region', { name: 'Verdict' }).getByRole('status')).toContainText(/3,498.*43,600/)
  await viewOf(page, 'Matrix').click()
  await expect(page.getByRole('region', { name: 'Matrix' }).locator('.matrix-value')).toContainText(digits)
  await expect(page.getByRole('region', { name: 'As text' })).toContainText('43,600')
  await viewOf(page, 'Chart').click()
  const picture = page.locator('.result-picture').getByRole('img')
  await expect(picture).toHaveAccessibleName(/43,600; .*3,498/)
  await expect(picture).not.toHaveAccessibleName(/43600/)
})

test('Find narrows the rows and marks the text; Esc ends it', async ({ page }) => {
  await page.goto('./')
  await drop(page, [report(FIO)])
  await expect(rowsOf(page).first()).toBeVisible()
  const all = await rowsOf(page).count()
  await page.keyboard.press('/')
  const find = page.getByRole('searchbox', { name: 'Find figures and lines' })
  await expect(find).toBeFocused()
  await find.fill('write clat')
  await expect(rowsOf(page).filter({ hasText: 'read' })).toHaveCount(0)
  await expect(rowsOf(page).first()).toContainText('write clat mean')
  expect(await rowsOf(page).count()).toBeLessThan(all)
  await expect(textOf(page).locator('mark').first()).toBeInViewport()
  await find.fill('no such words')
  await expect(page.getByText('No figure has these words')).toBeVisible()
  await find.press('Escape')
  await expect(rowsOf(page)).toHaveCount(all)
  await expect(textOf(page).locator('mark')).toHaveCount(0)
})

test('check boxes take sides and figures out and back, and a link keeps it', async ({ page }) => {
  const { errors } = watch(page)
  const copyText = (side: string, time: string, rate: number) =>
    `Results for ${side}:\n1048576000 bytes (1.0 GB, 1000 MiB) copied, ${time} s, ${rate} MB/s\n\n`
  await page.goto('./')
  await drop(page, [mail(copyText('bfq', '9.31', 113) + copyText('kyber', '6.02', 174) + copyText('none', '5.0', 210))])
  const values = figuresOf(page).getByRole('button')
  await expect(values).toHaveCount(6)
  const rail = railOf(page)
  await rail.getByRole('checkbox', { name: /kyber/ }).uncheck()
  await expect(values).toHaveCount(4)
  await expect(page.getByRole('region', { name: 'Verdict' })).not.toContainText('174')
  await expect(figuresOf(page).locator('tr[data-run="C"]'), 'no side gets another letter').toHaveCount(2)
  // Without the base, what is left is compared with the next side.
  await rail.getByRole('checkbox', { name: /bfq/ }).uncheck()
  await expect(values).toHaveCount(2)
  await expect(rail.getByRole('checkbox', { name: /none/ }), 'one side stays').toBeDisabled()
  await page.getByRole('button', { name: 'Take back bfq' }).click()
  await rail.getByRole('checkbox', { name: 'Latency and time' }).uncheck()
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(page.getByRole('heading', { name: /1 figure left out/ })).toBeVisible()
  const link = await linkOf(page)
  await page.goto('about:blank')
  await page.goto(link)
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(figuresOf(page).locator('tbody tr[data-run]')).toHaveCount(2)
  await railOf(page).getByRole('button', { name: 'Show all' }).click()
  await expect(rowsOf(page)).toHaveCount(2)
  await railOf(page).getByRole('checkbox', { name: /kyber/ }).check()
  await expect(figuresOf(page).locator('tbody tr[data-run]')).toHaveCount(6)
  expect(errors).toEqual([])
})

test('the menu of a heading changes its side, by keyboard: repeat, name, exclusion, undo', async ({ page }) => {
  const { errors } = watch(page)
  const copyText = (side: string, time: string, rate: number) =>
    `Results for ${side}:\n1048576000 bytes (1.0 GB, 1000 MiB) copied, ${time} s, ${rate} MB/s\n\n`
  await page.goto('./')
  await drop(page, [mail(copyText('bfq', '9.31', 113) + copyText('kyber', '6.02', 174) + copyText('none', '5.0', 210))])
  const lines = figuresOf(page).locator('tbody tr[data-run]')
  await expect(lines).toHaveCount(6)
  const menu = textOf(page).getByRole('button', { name: /^side . of line 5$/ })
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'kyber', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(lines).toHaveCount(4)
  await expect(figuresOf(page)).toContainText('n 2')
  const panel = page.getByRole('region', { name: 'How this text was read' })
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expect(lines).toHaveCount(6)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  const name = page.getByRole('textbox', { name: 'New name of the side of line 5' })
  await expect(name).toBeFocused()
  await name.fill('Kyber, tuned')
  await name.press('Enter')
  await expect(page.getByRole('list', { name: 'Sides', exact: true })).toContainText('Kyber, tuned')
  await textOf(page)
    .getByRole('button', { name: /^side . of line 8$/ })
    .click()
  await page.keyboard.press('Escape')
  await expect(textOf(page).getByRole('button', { name: /^side . of line 8$/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Exclude line 8' }).click()
  await expect(lines).toHaveCount(4)
  const link = await linkOf(page)
  await page.goto('about:blank')
  await page.goto(link)
  await expect(lines).toHaveCount(4)
  await expect(page.getByRole('list', { name: 'Sides', exact: true })).toContainText('Kyber, tuned')
  expect(errors).toEqual([])
})

test('a deviation that the text prints is shown, and decides nothing', async ({ page }) => {
  await page.goto('./')
  await drop(page, [report(LKP)])
  const jobs = figuresOf(page).locator('tbody', { has: page.getByText('aim7.jobs-per-min', { exact: true }) })
  await expect(jobs.locator('td small').first()).toHaveText('± 141')
  await expect(jobs.locator('td small').last()).toHaveText('')
  await expect(jobs.locator('td small').first()).toHaveAttribute('title', /of how many runs is not in the text/)
  const verdict = page.getByRole('region', { name: 'Verdict' })
  await expect(verdict.getByRole('status')).toContainText(/5,541; .*7,072 ± 141\.$/)
  await expect(verdict).toContainText('of an unknown number of runs: it decides nothing')
  await expect(verdict).toContainText('unsure')
  await viewOf(page, 'Matrix').click()
  await expect(page.getByRole('region', { name: 'Matrix' })).toContainText('± 141')
  await viewOf(page, 'Chart').click()
  await expect(page.locator('.result-picture').getByRole('img')).toHaveAccessibleName(/7,072 ± 141/)
})

test('of a table of 1,900 rows the first ones are drawn, and the last ones when they are wanted', async ({ page }) => {
  const { errors } = watch(page)
  const row = (n: number) => `| test-${n} | ${100 + ((n * 53) % 400)}.5 MB/s |\n`
  const rows = Array.from({ length: 1900 }, (_, n) => row(n)).join('')
  await page.goto('./')
  await drop(page, [mail(`| test | rate |\n|---|---|\n${rows}`)])
  const matrix = page.getByRole('region', { name: 'Matrix' })
  const drawn = matrix.locator('tbody tr')
  await expect(drawn.first()).toBeVisible()
  expect(await drawn.count()).toBeLessThan(400)
  const number = textOf(page).locator('.reading-number').first()
  await number.focus()
  await page.keyboard.press('End')
  const last = textOf(page).locator('.reading-number:focus')
  await expect(last).toContainText('47.5')
  await page.keyboard.press('Enter')
  await expect(matrix.locator('.matrix-cell:focus')).toContainText('test-1899')
  await expect(drawn).toHaveCount(1900)
  expect(errors).toEqual([])
})

for (const [name, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['small desktop', { width: 1024, height: 768 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(`all views: nothing moves, nothing sticks out, axe finds nothing: ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await page.goto('./')
    await drop(page, [report(FIO)])
    await expect(rowsOf(page).first()).toBeVisible()
    // All of the bar is inside of it: nothing of it covers what is below.
    const bar = page.locator('.results-bar')
    const inside = await bar.evaluate(element => element.scrollHeight - element.clientHeight)
    expect(inside, 'nothing sticks out of the bar').toBeLessThanOrEqual(0)
    await page.evaluate(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift' })
    })
    for (const part of [rowsOf(page).first(), figuresOf(page).getByRole('button').first(), textOf(page)]) {
      await part.scrollIntoViewIfNeeded()
      await part.hover()
    }
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts), 'on hover').toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const view of ['Chart', 'Matrix', 'Text', 'Table']) {
        await viewOf(page, view).click()
        expect(await violations(page), `${view}, ${colorScheme}`).toEqual([])
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(overflow, `${view} is not wider than the window`).toBe(0)
      }
    }
  })
}
