import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, type Locator, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, type Dropped, drop, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const MAIL = `Hello,

on the same disk, with the same command:

Results for BFQ:
1048576000 bytes (1.0 GB, 1000 MiB) copied, 9.31 s, 113 MB/s

Results for mq-deadline:
1048576000 bytes (1.0 GB, 1000 MiB) copied, 6.02 s, 174 MB/s
`
const mail = (name: string, text = MAIL): Dropped => ({ name, bytes: Buffer.from(text) })

const matrixOf = (page: Page): Locator => page.getByRole('region', { name: 'Matrix' })
/** One figure of the table as a matrix. */
const showMatrix = (page: Page) =>
  page.getByRole('group', { name: 'View of the results' }).getByRole('button', { name: 'Matrix' }).click()
const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'How this text was read' })
const textOf = (page: Page): Locator => page.getByRole('region', { name: /^Text of / })
const sentenceOf = (page: Page): Locator => panelOf(page).getByRole('status')
const linkOf = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: 'Share' }).click()
  const address = page.getByRole('textbox', { name: 'Link' })
  await expect(address).toHaveValue(/&s=/)
  return address.inputValue()
}

test('a mail is shown as it was read: headings are sides, used figures are marked', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await drop(page, [mail('mail.txt')])
  await showMatrix(page)
  await expect(sentenceOf(page)).toContainText(/by the headings 'BFQ' and 'mq-deadline'; \d+ of \d+ numbers not used/)
  const headings = textOf(page).locator('.reading-heading')
  await expect(headings).toHaveCount(2)
  await expect(headings.first()).toContainText(/A\s*Results for BFQ:.*side A/)
  await expect(headings.last()).toContainText(/B\s*Results for mq-deadline:.*side B/)
  const used = textOf(page).locator('.reading-number')
  await expect(used).toHaveCount(4)
  for (const [i, side] of ['A', 'A', 'B', 'B'].entries()) await expect(used.nth(i)).toHaveAttribute('data-run', side)
  // The size of what was copied is in no table.
  await expect(textOf(page).locator('.reading-number', { hasText: '1048576000' })).toHaveCount(0)
  await expect(matrixOf(page).getByRole('rowheader').first()).toContainText('A')
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('a cell leads to its line and back, by pointer and by keyboard', async ({ page }) => {
  await page.goto('./')
  await drop(page, [mail('mail.txt')])
  await showMatrix(page)
  const cells = matrixOf(page).locator('.matrix-cell')
  const focused = textOf(page).locator('.reading-number:focus')
  await cells.last().click()
  await expect(focused).toContainText('174')
  await page.keyboard.press('Escape')
  await expect(cells.last()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(focused).toContainText('174')
  await page.keyboard.press('Home')
  await expect(focused).toContainText('9.31')
  await page.keyboard.press('ArrowRight')
  await expect(focused).toContainText('113')
  // One of the numbers is in the order of Tab.
  await expect(textOf(page).locator('.reading-number[tabindex="0"]')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(cells.first()).toBeFocused()
  await expect(page.getByRole('heading', { level: 2, name: /rate/ })).toBeVisible()
  // A number of another metric shows that metric.
  await textOf(page).locator('.reading-number', { hasText: '6.02' }).click()
  await expect(page.getByRole('heading', { level: 2, name: /time/ })).toBeVisible()
  await expect(cells.last()).toBeFocused()
})

test('a block is left out, renamed and called a repeat; each change can be undone', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [mail('mail.txt')])
  await showMatrix(page)
  const rows = matrixOf(page).getByRole('row')
  await expect(rows).toHaveCount(3)
  await page.keyboard.press('c')
  const panel = panelOf(page)
  await panel.getByRole('button', { name: /^Exclude line 9/ }).click()
  await expect(rows).toHaveCount(2)
  await expect(panel).toContainText('Excluded')
  await panel.getByRole('button', { name: /^Include/ }).click()
  await expect(rows).toHaveCount(3)
  const name = panel.getByRole('textbox', { name: /line 9/ })
  await name.fill('6.12')
  await name.press('Enter')
  await expect(rows.last()).toContainText('6.12')
  await expect(sentenceOf(page)).toContainText('changed by hand')
  await panel.getByRole('combobox', { name: /line 9/ }).selectOption('BFQ')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('n 2')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect(panel.getByRole('combobox', { name: /line 9/ })).toHaveCount(0)
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveCount(3)
  await expect(rows.last()).toContainText('6.12')
  await page.keyboard.press('c')
  await panel.getByRole('button', { name: /^Exclude line 6/ }).click()
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(3)
  // What was cancelled is no step of undo: the next one takes the name back.
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expect(rows.last()).toContainText('mq-deadline')
  expect(errors).toEqual([])
})

test('without any block there is nothing to compare, and undo brings it back', async ({ page }) => {
  await page.goto('./')
  await drop(page, [mail('mail.txt')])
  await showMatrix(page)
  await expect(sentenceOf(page)).toBeVisible()
  await page.keyboard.press('c')
  for (const line of [6, 9])
    await panelOf(page)
      .getByRole('button', { name: new RegExp(`^Exclude line ${line}`) })
      .click()
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await panelOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(matrixOf(page).getByRole('row')).toHaveCount(2)
  // The only block has no side, until it is given one.
  const side = panelOf(page).getByRole('combobox', { name: 'Side of line 9' })
  await expect(side).toHaveValue('')
  await side.selectOption({ label: 'A new side' })
  await expect(matrixOf(page).getByRole('rowheader')).toContainText('side A')
})

test('the other reading is one press away, and a link carries what was chosen, but not the text', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  const secondMail = MAIL.replace('9.31 s, 113', '9.42 s, 111').replace('Hello', 'Secret words')
  await drop(page, [mail('old.txt'), mail('new.txt', secondMail)])
  await showMatrix(page)
  await expect(panelOf(page).getByRole('button', { pressed: true })).toHaveCount(1)
  const choices = panelOf(page).getByRole('group', { name: 'Read by' })
  const pressed = choices.getByRole('button', { pressed: true })
  const before = await pressed.textContent()
  await choices.getByRole('button', { pressed: false }).first().click()
  await expect(pressed).not.toHaveText(before ?? '')
  await expect(sentenceOf(page)).toContainText('as chosen')
  const cells = await matrixOf(page).getByRole('rowheader').allTextContents()
  const link = await linkOf(page)
  await page.goto('about:blank')
  await page.goto(link)
  await expect(panelOf(page)).toContainText('The text is not in the link')
  await expect(panelOf(page)).toContainText('as chosen')
  await expect(textOf(page)).toHaveCount(0)
  const strip = (texts: readonly string[]) => texts.map(text => text.replace(/^[A-Z](?=\S)/, ''))
  expect(strip(await matrixOf(page).getByRole('rowheader').allTextContents())).toEqual(strip(cells))
  expect(await page.evaluate(() => document.body.textContent)).not.toContain('Secret words')
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('what was chosen stays when a file is added', async ({ page }) => {
  await page.goto('./')
  await drop(page, [mail('mail.txt')])
  await showMatrix(page)
  await expect(sentenceOf(page)).toBeVisible()
  await page.keyboard.press('c')
  await panelOf(page)
    .getByRole('button', { name: /^Exclude line 9/ })
    .click()
  const rows = matrixOf(page).getByRole('row')
  await expect(rows).toHaveCount(2)
  await drop(page, [
    mail('other.txt', 'Results for none:\n1048576000 bytes (1.0 GB, 1000 MiB) copied, 5.0 s, 210 MB/s\n'),
  ])
  await expect(rows).toHaveCount(3)
  await expect(matrixOf(page)).not.toContainText('mq-deadline')
})

test('8 MiB of text are scrolled, and only the lines in sight are drawn', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  // Made in the page: sending it there would take longer than the test.
  await page.evaluate(text => {
    const blank = `${' '.repeat(63)}\n`.repeat(131_000)
    const data = new DataTransfer()
    data.items.add(new File([text, blank, text.replaceAll('BFQ', 'none')], 'long.txt', { lastModified: 0 }))
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }))
  }, MAIL)
  await expect(textOf(page)).toBeVisible({ timeout: 60_000 })
  const lines = textOf(page).locator('.reading-line')
  await expect(lines.first()).toBeVisible()
  expect(await lines.count()).toBeLessThan(200)
  await textOf(page).locator('.reading-number').first().focus()
  await page.keyboard.press('End')
  await expect(textOf(page).locator('.reading-number:focus')).toContainText('174')
  expect(await lines.count()).toBeLessThan(200)
  expect(errors).toEqual([])
})

test('columns that are sides are marked by their labels, also those that begin with a digit', async ({ page }) => {
  await page.goto('./')
  const text = 'IOPS\n\nthreads  6.1   6.12\n1        120   100\n4        310   250\n'
  await drop(page, [mail('table.txt', text)])
  const labels = textOf(page).locator('.reading-label')
  await expect(labels).toHaveCount(2)
  await expect(labels.first()).toContainText('6.1')
  await expect(labels.first()).toHaveAttribute('data-run', 'A')
  await expect(labels.last()).toHaveAttribute('data-run', 'B')
  await expect(textOf(page).locator('.reading-parameter')).toHaveText(['1', '4'])
  await expect(sentenceOf(page)).toContainText('all numbers used')
})

test('the sample mail opens from the landing page', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await page.getByRole('button', { name: /A mail with two tables/ }).click()
  await expect(sentenceOf(page)).toContainText("'With cfq' and 'With noop'")
  await expect(matrixOf(page)).toContainText('349')
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

for (const [name, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['small desktop', { width: 1024, height: 768 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(`axe finds nothing, light or dark, while a text is read and changed: ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await page.goto('./')
    await drop(page, [mail('mail.txt'), table('iostest.txt')])
    await expect(textOf(page)).toBeVisible()
    const both = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page)).toEqual([])
      }
    }
    await both()
    await panelOf(page).getByRole('button', { name: 'Change' }).click()
    await both()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wide, 'nothing sticks out sideways').toBeLessThanOrEqual(0)
  })
}

function table(name: string): Dropped {
  return { name, bytes: readFileSync(join(fileURLToPath(new URL('.', import.meta.url)), '../../tables', name)) }
}

test('the page says first what differs: sides, one sentence, how sure it is', async ({ page }) => {
  const { errors } = watch(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('./')
  await drop(page, [mail('mail.txt')])
  const sides = page.getByRole('list', { name: 'Sides', exact: true }).getByRole('listitem')
  await expect(sides).toHaveText([/^A\s*BFQ\s*base.*line 6$/, /^B\s*mq-deadline.*line 9$/])
  const verdict = page.getByRole('region', { name: 'Verdict' })
  await expect(verdict.getByRole('status')).toHaveText(/^B mq-deadline .* 174 MB\/s; A BFQ 113 MB\/s\.$/)
  await expect(verdict).toContainText('one run per cell: the spread between runs is unknown')
  // Chooses another metric in the list of figures.
  await page.getByRole('region', { name: 'Figures', exact: true }).getByRole('button', { name: /time/ }).click()
  await expect(verdict.getByRole('status')).toHaveText(/^B mq-deadline .* 6\.02 s; A BFQ 9\.31 s\.$/)
  // Another base: what is compared changes, no side its letter.
  await page.getByRole('button', { name: 'Make B the baseline' }).click()
  await expect(verdict.getByRole('status')).toHaveText(/^A BFQ .* 9\.31 s; B mq-deadline 6\.02 s\.$/)
  await expect(textOf(page).locator('.reading-number').last()).toHaveAttribute('data-run', 'B')
  await showMatrix(page)
  // Matrix and text are both in sight: each scrolls by itself.
  for (const part of [matrixOf(page), textOf(page)]) await expect(part).toBeInViewport({ ratio: 0.9 })
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
  await page.getByRole('button', { name: 'Chart', exact: true }).click()
  await expect(page.getByRole('img', { name: /B mq-deadline 6\.02/ })).toBeVisible()
  expect(errors).toEqual([])
})

test('on a phone, tabs lead to table, text and axes', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('./')
  await drop(page, [mail('mail.txt')])
  await showMatrix(page)
  const tabs = page.getByRole('navigation', { name: 'Sections' })
  await tabs.getByRole('button', { name: 'Text' }).click()
  const heading = page.getByRole('heading', { name: 'How this text was read' })
  await expect(heading).toBeInViewport()
  const bar = await page.getByRole('banner').boundingBox()
  expect((await heading.boundingBox())?.y, 'below the bar').toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0))
  await tabs.getByRole('button', { name: 'Rows and baseline' }).click()
  const base = page.getByLabel('Baseline of changes')
  await expect(base).toBeInViewport()
  expect(await violations(page)).toEqual([])
  await tabs.getByRole('button', { name: 'Table' }).click()
  await expect(base, 'the drawer covers nothing that was asked for').toBeHidden()
  await expect(matrixOf(page)).toBeInViewport()
  await tabs.getByRole('button', { name: 'Rows and baseline' }).click()
  await base.focus()
  await page.keyboard.press('Escape')
  await expect(base).toBeHidden()
})

test('a text on a phone draws only the lines in sight', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('./')
  await drop(page, [mail('long.txt', `${MAIL}${'some words\n'.repeat(5000)}`)])
  const lines = textOf(page).locator('.reading-line')
  await expect(lines.first()).toBeVisible()
  expect(await lines.count()).toBeLessThan(200)
})

test('two recordings in one text are two runs', async ({ page }) => {
  const { errors } = watch(page)
  const recordingOf = (end: string) =>
    [
      '8,0 0 1 0.000000000 100 Q WS 2048 + 8 [dd]',
      '8,0 0 2 0.000010000 100 D WS 2048 + 8 [dd]',
      `8,0 0 3 0.${end} 0 C WS 2048 + 8 [0]`,
    ].join('\n')
  const both = `With bfq:\n\n${recordingOf('000500000')}\n\nWith none:\n\n${recordingOf('000200000')}\n`
  await page.goto('./')
  await drop(page, [mail('mail.txt', both)])
  await waitForRuns(page, 2)
  await expect(chip(page, 'A')).toContainText('bfq')
  await expect(chip(page, 'B')).toContainText('none')
  expect(errors).toEqual([])
})

test('a mail in base64 is read, and its numbers have the lines of the mail', async ({ page }) => {
  const { errors } = watch(page)
  const head = 'From: a@example.org\nSubject: dd\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n'
  const body = Buffer.from(MAIL).toString('base64').replace(/.{76}/g, '$&\n')
  await page.goto('./')
  await drop(page, [mail('mail.eml', `${head}Content-Transfer-Encoding: base64\n\n${body}\n`)])
  await showMatrix(page)
  await expect(sentenceOf(page)).toContainText("by the headings 'BFQ' and 'mq-deadline'")
  await expect(matrixOf(page)).toContainText('174')
  await expect(textOf(page)).toContainText('Results for mq-deadline:')
  await expect(textOf(page)).not.toContainText(body.slice(0, 40))
  // The gutter, the chip and the controls count the same lines: those of the file.
  const line = textOf(page).locator('.reading-line', { hasText: '9.31' })
  const number = await line.locator('.reading-line-number').textContent()
  await expect(page.getByRole('list', { name: 'Sides', exact: true })).toContainText(`line ${number}`)
  await page.keyboard.press('c')
  await expect(
    panelOf(page)
      .getByRole('combobox', { name: `Side of line ${number}` })
      .first(),
  ).toBeVisible()
  expect(errors).toEqual([])
})

test('names, exclusions and repeats travel in links and in reports', async ({ page }) => {
  const { errors } = watch(page)
  const sides = ['bfq', 'cfq', 'none', 'noop'] as const
  const copied = [`9.31 s, 113`, `9.00 s, 117`, `6.02 s, 174`, `5.80 s, 181`] as const
  const text = sides
    .map((side, i) => `Results for ${side}:\n1048576000 bytes (1.0 GB, 1000 MiB) copied, ${copied[i]} MB/s\n\n`)
    .join('')
  await page.goto('./')
  await drop(page, [mail('mail.txt', text)])
  await showMatrix(page)
  const rows = matrixOf(page).getByRole('row')
  await expect(rows).toHaveCount(5)
  await page.keyboard.press('c')
  const panel = panelOf(page)
  await panel.getByRole('button', { name: /^Exclude line 11/ }).click()
  await expect(rows).toHaveCount(4)
  await panel.getByRole('combobox', { name: 'Side of line 5' }).selectOption('bfq')
  await expect(rows).toHaveCount(3)
  const name = panel.getByRole('textbox', { name: /line 8/ })
  await name.fill('multi-queue')
  await name.press('Enter')
  await expect(rows.last()).toContainText('multi-queue')
  await panel.getByRole('button', { name: 'Apply' }).click()
  const isAsChosen = async () => {
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(1)).toContainText(/bfq.*115.*n 2/)
    await expect(rows.last()).toContainText(/multi-queue.*174/)
    await expect(matrixOf(page)).not.toContainText('noop')
    const chips = page.getByRole('list', { name: 'Sides', exact: true }).getByRole('listitem')
    await expect(chips).toContainText(['bfq', 'multi-queue'])
  }
  await isAsChosen()
  const link = await linkOf(page)
  await page.getByRole('radio', { name: NAMES.reportFile }).check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: NAMES.saveReport }).click(),
  ])
  const report = `${await download.path()}.html`
  copyFileSync(await download.path(), report)
  for (const address of [link, pathToFileURL(report).href]) {
    await page.goto('about:blank')
    await page.goto(address)
    await isAsChosen()
    await expect(panelOf(page)).toContainText('changed by hand')
  }
  expect(errors).toEqual([])
})
