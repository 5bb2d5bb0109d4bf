import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { build } from 'vite'
import { reportFile } from '../../../web/share/report'
import { NAMES } from '../support/names'
import { drop, recording, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const APP = readFileSync(pathOf('../../../dist/seekscope.html'), 'utf8')
const WORDS = 'IOPS 318 and 165 </pre><script>document.title = "hostile"</script>\n'
const REPORT = { snapshot: 'AAAA', view: '#v=1&rate=ios', title: 'before & after', words: WORDS }

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'seekscope-report-'))
})
test.afterAll(() => rmSync(folder, { recursive: true }))

const saveToDisk = (name: string, html: string): string => {
  writeFileSync(join(folder, name), html)
  return pathToFileURL(join(folder, name)).href
}

/** The page's own modules, called in a page. */
async function call(page: Page, module: string, name: string): Promise<unknown> {
  const lib = {
    entry: pathOf(`../../../web/share/${module}.ts`),
    formats: ['iife' as const],
    name: 'called',
    fileName: 'called',
  }
  const built = await build({ configFile: false, logLevel: 'error', build: { write: false, lib } })
  const [first] = [built].flat()
  if (!first || !('output' in first)) throw new Error('nothing was built')
  const { code } = first.output[0]
  return page.evaluate(`(() => { ${code}; return called.${name}() })()`)
}

test('the app gives itself as one file: hosted, from a disk, and out of a report', async ({ page }) => {
  await page.goto('./')
  expect((await call(page, 'appFile', 'appAsOneFile')) === APP, 'hosted').toBe(true)
  await page.goto(saveToDisk('app.html', APP))
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  expect((await call(page, 'appFile', 'appAsOneFile')) === APP, 'from a disk, with a trace open').toBe(true)
  await page.goto(saveToDisk('report.html', reportFile(APP, REPORT)))
  const secondReport = reportFile(String(await call(page, 'appFile', 'appAsOneFile')), REPORT)
  expect(secondReport === reportFile(APP, REPORT), 'a report of a report').toBe(true)
})

test('a report carries snapshot, view and words; traces can be dropped on it', async ({ page }) => {
  const { errors } = watch(page)
  const html = reportFile(APP, REPORT)
  const carried = (file: string) => [...file.matchAll(/data-file="([^"]+)"/g)].map(([, path]) => path)
  const samples = carried(APP).filter(path => path?.startsWith('samples/'))
  expect(samples.length).toBeGreaterThan(5)
  expect(carried(html), 'all but the samples').toEqual(carried(APP).filter(path => !samples.includes(path)))
  await page.goto(saveToDisk('report.html', html))
  expect(await call(page, 'embedded', 'embedded')).toEqual({ snapshot: 'AAAA', view: '#v=1&rate=ios' })
  const words = page.locator('#seekscope-words')
  await expect(words).toBeHidden()
  expect(await words.textContent()).toBe(WORDS)
  await page.emulateMedia({ media: 'print' })
  await expect(words).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  expect(errors).toEqual([])
})

test.describe('where no script runs', () => {
  test.use({ fresh: true, javaScriptEnabled: false })
  test('a report says its words', async ({ page }) => {
    await page.goto(saveToDisk('report.html', reportFile(APP, REPORT)))
    await expect(page).toHaveTitle('before & after – Seekscope')
    await expect(page.locator('#seekscope-words')).toBeVisible()
  })
})

test('a comparison prints whole: figures and all charts over several pages, and nothing to press', async ({ page }) => {
  await page.goto('./#v=1&sample=osync')
  await waitForRuns(page, 2)
  await expect(page.getByRole('region', { name: NAMES.verdict })).toBeVisible()
  const charts = await page.locator('section.chart-row').count()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('region', { name: NAMES.filters })).toBeHidden()
  await expect(page.getByRole('button', { name: NAMES.showEvidence })).toBeHidden()
  await expect(page.locator('section.chart-row').filter({ visible: true })).toHaveCount(charts)
  for (const name of [NAMES.copy, NAMES.copyText, 'Set geometry', 'CSV'])
    await expect(page.getByRole('button', { name, exact: true }).filter({ visible: true })).toHaveCount(0)
  // Tabs are for the screen: paper has all of them.
  for (const name of ['Findings', 'Figures', 'Where the time went', 'Settings', 'Who'])
    await expect(page.locator(`.panel-sheet[data-name="${name}"]`)).toBeVisible()
  const cut = await page.evaluate(
    () =>
      [...document.querySelectorAll('.workspace, .body, .panel-sheet')].filter(e => e.scrollHeight > e.clientHeight + 1)
        .length,
  )
  expect(cut, 'boxes that hide a part of what is in them').toBe(0)
  const pages = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type \/Page\b/g) ?? []
  expect(pages.length).toBeGreaterThan(3)
})
