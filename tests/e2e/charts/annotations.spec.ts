/**
 * Two people, one view: annotations by keyboard and pointer, in links of every kind, in reports and in text for mail.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'
import { startServer, stopServer } from '../support/servers'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'seekscope-annotations-'))
})
test.afterAll(() => rmSync(folder, { recursive: true }))

const list = (page: Page) => page.getByRole('region', { name: NAMES.annotations })
const entries = (page: Page) => list(page).getByRole('listitem')
const map = (page: Page, run: number) =>
  chart(page, /^Seek map/)
    .locator('.plot')
    .nth(run)
const flags = (page: Page) => chart(page, /^Seek map/).locator('.plot-annotation-flag')
/** What a reader sees of each: whose it is, its number, place and text. */
const readEntries = (page: Page) =>
  entries(page).evaluateAll(all =>
    all.map(li => [
      li.getAttribute('data-theirs'),
      ...['.annotation-number', '.badge', '.annotation-text'].map(part => li.querySelector(part)?.textContent),
    ]),
  )

async function sample(page: Page) {
  await page.goto('./#v=1&sample=idling')
  await page.reload()
  await waitForRuns(page, 2)
  await expect(page.locator('.verdict-sentence')).toBeVisible()
}

/** Fills the open form and saves it. */
async function write(page: Page, text: string, author = '') {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(NAMES.annotationText, { exact: true }).fill(text)
  if (author !== '') await dialog.getByLabel(NAMES.annotationAuthor).fill(author)
  await dialog.getByRole('button', { name: NAMES.addAnnotation, exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

async function linkOf(page: Page, size: 'XS' | 'S' | 'M' | 'L'): Promise<string> {
  await page.getByRole('button', { name: NAMES.share, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: new RegExp(`^${size} [\\d,]+`) }).click()
  const field = dialog.getByRole('textbox', { name: NAMES.link })
  await expect(field).toHaveValue(/&s=/)
  const link = await field.inputValue()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  return link
}

type Annotated = readonly (readonly string[])[]

/** Opens a link in another page, where the annotations are someone else's; `visit` continues there. */
async function openLink(
  context: BrowserContext,
  link: string,
  expected: Annotated,
  visit: (page: Page) => Promise<void> = async () => undefined,
) {
  const reader = await context.newPage()
  const watched = watch(reader)
  await reader.goto(link)
  await expect(entries(reader)).toHaveCount(2)
  expect(await readEntries(reader)).toEqual(expected)
  await expect(flags(reader)).toHaveText(['1', '2'])
  expect(watched.errors).toEqual([])
  await visit(reader)
  await reader.close()
}

/** A second reader of a link of size XS adds one: the new link has all three. */
async function addThird(page: Page) {
  await page.keyboard.press('i')
  await write(page, 'And a third')
  expect((await readEntries(page)).at(-1)).toEqual(['false', '3', 'A', 'And a third'])
  await expect(page).toHaveURL(/&note=A,.*&note=B,.*&note=A,.*And\+a\+third/)
  await expect(page.locator('[data-brief]')).toBeVisible()
  // What such a link lacks is said where it is missing.
  await page.getByRole('button', { name: NAMES.matrix, exact: true }).click()
  await expect(page.locator('.matrix-empty')).toContainText('not-in-snapshot')
  await expect(page.locator('.matrix-empty')).toContainText('size S or larger')
}

async function checkReport(page: Page, context: BrowserContext, expected: Annotated) {
  await page.getByRole('button', { name: NAMES.share, exact: true }).click()
  await page.getByRole('radio', { name: /^Report file/ }).check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Save report/ }).click(),
  ])
  const file = join(folder, 'report.html')
  await download.saveAs(file)
  const report = await context.newPage()
  await report.goto(pathToFileURL(file).href)
  await expect(entries(report)).toHaveCount(2)
  expect(await readEntries(report)).toEqual(expected)
  await expect(report.locator('#seekscope-words')).toContainText('2. B (bfq')
  await report.close()
  await page.keyboard.press('Escape')
}

async function editAndDelete(page: Page) {
  await page.keyboard.press('0')
  await entries(page).nth(1).getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('dialog').getByLabel(NAMES.annotationText, { exact: true }).fill('Changed')
  await page.keyboard.press('Enter')
  await expect(entries(page).nth(1)).toContainText('Changed')
  await entries(page)
    .nth(1)
    .getByRole('button', { name: /^Go to/ })
    .click()
  await expect(chart(page, /^Seek map/)).toHaveAttribute('data-evidence', '')
  await entries(page)
    .nth(0)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(flags(page)).toHaveText(['1'])
  await list(page).getByRole('button', { name: 'Undo' }).click()
  await expect(flags(page)).toHaveText(['1', '2'])
  for (let left = 2; left > 0; left--)
    await entries(page)
      .nth(0)
      .getByRole('button', { name: /^Delete/ })
      .click()
}

test('by keyboard and by pointer, kept by the address; shared in XS and L and in a report; copied as text; deleted', async ({
  page,
  context,
}) => {
  test.slow()
  const { errors } = watch(page)
  await sample(page)
  await expect(page.getByRole('region', { name: NAMES.verdict })).toBeVisible()
  await expect(entries(page)).toHaveCount(0)

  // By keyboard: the annotation gets the time of the cursor in run A.
  await map(page, 0).focus()
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('i')
  await expect(page.getByRole('dialog').getByLabel(NAMES.annotationRun, { exact: true })).toHaveValue('run-1')
  await write(page, 'Short idle <b>here</b>?', 'Jo')

  // Pointer: a click on the seek map of run B gives the sector, too; the button opens the form.
  const box = await map(page, 1).boundingBox()
  if (!box) throw new Error('the map has no place')
  await page.mouse.click(box.x + box.width * 0.7, box.y + box.height * 0.2)
  await page.keyboard.press('Escape')
  await list(page).getByRole('button', { name: NAMES.annotate }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel(NAMES.annotationRun, { exact: true })).toHaveValue('run-2')
  await expect(dialog.getByLabel(NAMES.annotationSector)).toHaveValue(/^\d{4,}$/)
  expect(await violations(page, { within: 'dialog' })).toEqual([])
  await write(page, 'Two writers wait')
  const both = [
    ['false', '1', 'A', 'Short idle <b>here</b>?'],
    ['false', '2', 'B', 'Two writers wait'],
  ]
  expect(await readEntries(page)).toEqual(both)
  await expect(flags(page)).toHaveText(['1', '2'])
  await expect(page).toHaveURL(/&note=A,[\d.]+,\d*,Jo:.*&note=B,[\d.]+,\d+,Jo:Two\+writers\+wait/)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violations(page, { within: '.annotations' })).toEqual([])
  }

  // Where runs share a chart, it has those of both.
  for (const layout of [NAMES.overlay, NAMES.difference]) {
    await page.getByRole('button', { name: layout, exact: true }).click()
    await expect(chart(page, /^Queue depth/).locator('.plot-annotation-flag')).toHaveText(['1', '2'])
  }
  await page.getByRole('button', { name: NAMES.columns, exact: true }).click()
  await expect(flags(page)).toHaveText(['1', '2'])

  // The text for mail: with the comparison, and alone.
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: NAMES.copyForMail }).first().click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('\nAnnotations\n\n1. A (bfq')
  await list(page).getByRole('button', { name: NAMES.copyAnnotations }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^Annotations\n\n1\. A \(.*\) at [\d.]+ s, sector \d+, by Jo:\n {4}Short idle/)

  // After a reload the annotations are still the reader's own.
  await page.reload()
  await waitForRuns(page, 2)
  await expect(entries(page)).toHaveCount(2)
  expect(await readEntries(page)).toEqual(both)

  const expected = both.map(([, ...rest]) => ['true', ...rest])
  const [small, large] = [await linkOf(page, 'XS'), await linkOf(page, 'L')]
  expect(small.length).toBeLessThanOrEqual(2000)
  await openLink(context, small, expected, addThird)
  await openLink(context, large, expected)
  await checkReport(page, context, expected)
  await editAndDelete(page)
  await expect(page).not.toHaveURL(/note=/)
  expect(errors).toEqual([])
})

test('hostile annotations are text, and those that are none are reported', async ({ page }) => {
  const { errors } = watch(page)
  const value = (text: string) => `&note=${encodeURIComponent(text)}`
  const hostile = [
    'A,1:<img src=x onerror=alert(1)>',
    'A,1,,\u202eevil:\u202etxt.exe\u0000 \u001b[31m\u2066',
    'A,NaN:no time',
    'A,1e999:no time',
    `B,2:${'x'.repeat(15_000)}`,
    'Q,1:no such run',
  ]
  await page.goto(`./#v=1&sample=idling${hostile.map(value).join('')}`)
  await page.reload()
  await waitForRuns(page, 2)
  await expect(entries(page)).toHaveCount(3)
  expect((await readEntries(page)).map(([, , run, text]) => [run, text?.length === 500 ? 500 : text])).toEqual([
    ['A', '<img src=x onerror=alert(1)>'],
    ['A', 'txt.exe [31m'],
    ['B', 500],
  ])
  await expect(page.getByRole('region', { name: NAMES.linkProblems })).toHaveAttribute('data-codes', 'note note note')
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide, 'nothing sticks out sideways').toBeLessThanOrEqual(0)
  expect(errors).toEqual([])
})

test('on a phone: tap, annotate, read', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await sample(page)
  await page.getByRole('button', { name: NAMES.moreAboutVerdict }).click()
  await page.getByRole('menuitem', { name: NAMES.annotate }).click()
  await write(page, 'From a phone')
  await expect(flags(page)).toHaveText(['1'])
  expect(await violations(page)).toEqual([])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide, 'nothing sticks out sideways').toBeLessThanOrEqual(0)
})

/** The second finding with its evidence, and two annotations of a reader: by keyboard. */
async function annotatedEvidence(page: Page) {
  await expect(page.getByRole('region', { name: NAMES.verdict })).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.press('e')
  await expect(evidence(page)).toHaveCount(1)
  for (const text of ['Why idle here?', 'Same as last week']) {
    await page.keyboard.press('i')
    await write(page, text, 'Jo')
  }
  await expect(page).toHaveURL(/&finding=2&evidence=1.*&note=B,.*&note=B,/)
}

const evidence = (page: Page) => page.locator('[data-evidence]')
/** The sentence of the finding, which the bar has while its evidence is shown. */
const headline = (page: Page) => page.locator('.verdict-sentence, .evidence-sentence')

/** What a link must pass on from one reader to the next. */
const readShared = async (page: Page) => ({
  sentence: await headline(page).innerText(),
  chart: await evidence(page).getAttribute('data-chart'),
  notes: (await readEntries(page)).map(([, ...rest]) => rest),
})

/** The report that is made of a page, opened from a disk. */
async function reportOf(page: Page, context: BrowserContext, name: string): Promise<Page> {
  await page.getByRole('button', { name: NAMES.share, exact: true }).click()
  await page.getByRole('radio', { name: /^Report file/ }).check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Save report/ }).click(),
  ])
  const file = join(folder, name)
  await download.saveAs(file)
  await page.keyboard.press('Escape')
  const report = await context.newPage()
  await report.goto(pathToFileURL(file).href)
  return report
}

/** The text for mail: of the comparison, or where a link has no text of that, of the annotations. */
async function mailOf(page: Page, button: Locator): Promise<string> {
  const text = () => page.evaluate(() => navigator.clipboard.readText())
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await button.click()
  await expect.poll(text).not.toBe('')
  return text()
}

const ARCHIVED = ['a', 'b'].map(run => join(ROOT, 'public/samples/idling', run))

test.describe('the finding shown, its evidence and annotations go through', () => {
  let host = ''
  const server = createServer((request, response) => {
    const index = ['/a.tar', '/b.tar'].indexOf(request.url ?? '')
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/x-tar' }
    if (index < 0) return response.writeHead(404, headers).end()
    const path = ARCHIVED[index] ?? ''
    response
      .writeHead(200, headers)
      .end(execFileSync('tar', ['-cf', '-', '-C', dirname(path), basename(path)], { maxBuffer: 64 << 20 }))
  })
  test.beforeAll(async () => {
    host = await startServer(server)
  })
  test.afterAll(() => stopServer(server))

  for (const kind of ['address', 'XS', 'S', 'M', 'L', 'trace URLs'] as const) {
    test(`a link (${kind}), the page of another reader, a link of theirs, a report and the text for mail`, async ({
      page,
      context,
      requests,
    }) => {
      test.slow()
      const errors: string[][] = []
      const opens = async (link: string) => {
        const reader = await context.newPage()
        errors.push(watch(reader).errors)
        await reader.goto(link)
        if (kind === 'trace URLs') {
          requests.confirm(host)
          await reader.getByRole('dialog').getByRole('button', { name: NAMES.open, exact: true }).click()
        }
        await expect(entries(reader)).toHaveCount(2)
        await expect(evidence(reader)).toHaveCount(1)
        return reader
      }
      if (kind === 'trace URLs') {
        await page.goto(`./#v=1${['a', 'b'].map(name => `&url=${encodeURIComponent(`${host}/${name}.tar`)}`).join('')}`)
        await page.reload()
        requests.confirm(host)
        await page.getByRole('dialog').getByRole('button', { name: NAMES.open, exact: true }).click()
        await waitForRuns(page, 2)
      } else await sample(page)
      await annotatedEvidence(page)
      const expected = await readShared(page)
      expect(expected.notes).toHaveLength(2)
      const link = async (source: Page) =>
        kind === 'address' || kind === 'trace URLs' ? source.url() : linkOf(source, kind)

      const second = await opens(await link(page))
      expect(await readShared(second)).toEqual(expected)
      await expect(second).toHaveURL(/&finding=2&evidence=1.*&note=B,.*&note=B,/)
      expect((await readEntries(second)).map(([isForeign]) => isForeign)).toEqual(['true', 'true'])
      await expect(second.getByRole('region', { name: NAMES.linkProblems })).toHaveCount(0)

      // The second reader passes on what was received.
      const third = await opens(second.url())
      expect(await readShared(third)).toEqual(expected)
      await third.close()

      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const [ofAll, ofNotes] = [
        second.getByRole('button', { name: NAMES.copyForMail }),
        list(second).getByRole('button', { name: NAMES.copyAnnotations }),
      ]
      await expect(ofAll).toHaveCount(['XS', 'S', 'M'].includes(kind) ? 0 : 1)
      expect(await mailOf(second, (await ofAll.count()) > 0 ? ofAll : ofNotes)).toMatch(
        /(?:^|\n)Annotations\n\n1\. B \(.*\) at [\d.]+ s, by Jo, from the link:\n {4}Why idle here\?\n2\. B /s,
      )
      const report = await reportOf(second, context, `${kind}.html`)
      await expect(entries(report)).toHaveCount(2)
      await expect(evidence(report)).toHaveCount(1)
      expect(await readShared(report)).toEqual(expected)
      await expect(report.locator('#seekscope-words')).toContainText('2. B (')
      await report.close()

      await second.keyboard.press('Shift+N')
      await expect(evidence(second)).toHaveCount(0)
      await expect(second).not.toHaveURL(/evidence=/)
      await second.close()
      expect(errors.flat()).toEqual([])
    })
  }
})

test('a finding, an interval and a run that are not there are said, and the rest is shown', async ({
  page,
  context,
}) => {
  test.slow()
  await sample(page)
  await annotatedEvidence(page)
  const problems = (opened: Page) => opened.getByRole('region', { name: NAMES.linkProblems })
  for (const link of [page.url(), await linkOf(page, 'XS'), await linkOf(page, 'S')]) {
    for (const [from, to, codes, marked] of [
      [/finding=2/, 'finding=99', 'finding', 0],
      [/evidence=1/, 'evidence=99', 'evidence', 1],
      [/finding=2&evidence=1/, 'finding=-1&evidence=x', 'finding evidence', 0],
      [/note=B,/, 'note=D,', 'note', 1],
    ] as const) {
      const opened = await context.newPage()
      await opened.goto(link.replace(from, to))
      await expect(problems(opened)).toHaveAttribute('data-codes', codes)
      await expect(headline(opened)).toBeVisible()
      await expect(evidence(opened)).toHaveCount(marked)
      await expect(entries(opened)).toHaveCount(codes === 'note' ? 1 : 2)
      await expect(opened).not.toHaveURL(/=(?:99|-1|x)&/)
      await opened.close()
    }
  }
})
