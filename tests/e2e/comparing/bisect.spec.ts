/** A bisection by the real `git bisect run`: its report opens as a page, and the two commits are compared from it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { createRepository } from '../../bisection'
import { chip, drop, verdictSentence, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'
import { temporaryFolder } from '../support/temporary'

const CLI = resolve('cli/seekscope.mjs')
const [GOOD, BAD] = [resolve('tests/fixtures/sync-no-fua'), resolve('tests/fixtures/sync-fua')]
/** The fifth commit does not boot, the fourth is the first bad one. */
const RECORDINGS = [GOOD, GOOD, GOOD, BAD, '', BAD, BAD]
const FIRST_BAD = 3

interface MadeBisection {
  /** The first bad commit, as the page shows it. */
  readonly firstBad: string
  readonly document: Buffer
  readonly text: string
  readonly log: Buffer
}

const scratch = temporaryFolder('bisect-page')
const running: ChildProcess[] = []
test.afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

/** Made once per worker. */
let made: MadeBisection | undefined
function bisection(): MadeBisection {
  made ??= bisect()
  return made
}

function bisect(): MadeBisection {
  const { git, command, folder } = createRepository(scratch, RECORDINGS)
  const report = (...options: readonly string[]) =>
    execFileSync(process.execPath, [CLI, 'bisect', '--report', ...options], { cwd: folder })
  const last = RECORDINGS.length - 1
  git('bisect', 'start', 'HEAD', `HEAD~${last}`)
  // The commit that does not boot is tested, whichever ones git chooses.
  git('checkout', '--quiet', 'main~2')
  const judge = [process.execPath, CLI, 'bisect', '--good', GOOD, '--bad', BAD, '--', ...command]
  git('bisect', 'run', ...judge)
  return {
    firstBad: git('rev-parse', `main~${last - FIRST_BAD}`).slice(0, 12),
    document: report('--json'),
    text: report().toString(),
    log: readFileSync(join(folder, '.git/seekscope-bisect/log.jsonl')),
  }
}

const rows = (page: Page) => page.getByRole('table', { name: 'Steps, in the order of the history' }).getByRole('row')

async function openReport(page: Page): Promise<MadeBisection> {
  const found = bisection()
  await page.goto('./')
  await drop(page, [{ name: 'bisection.json', bytes: found.document }])
  await expect(page.getByRole('heading', { name: 'bisection.json' })).toBeVisible()
  return found
}

test('the page says what the report says, row for row', async ({ page, context }) => {
  const { errors, foreign } = watch(page)
  const { firstBad, document, text } = await openReport(page)
  const { steps, commits, runs, mail, next } = JSON.parse(document.toString())
  await expect(verdictSentence(page)).toHaveText(
    new RegExp(`^${firstBad} is the first bad commit: .*B bad .*; A good `),
  )
  // A row of column names, good and bad as they were given, and a row per commit.
  await expect(rows(page)).toHaveCount(commits.length + 3)
  const lines = text.split('\n').filter(line => /^\d+ /.test(line))
  expect(lines).toHaveLength(commits.length)
  for (const [i, line] of lines.entries()) {
    const row = rows(page).nth(i + 2)
    const [step = '', commit = '', count = ''] = line.split(/ {2,}/)
    await expect(row.getByRole('rowheader')).toHaveText(commit)
    await expect(row.getByRole('cell').first()).toHaveText(step)
    await expect(row.locator('.bisect-runs')).toHaveText(count)
    await expect(row.locator('.bisect-word')).toHaveText(new RegExp(`${commits[i].verdict}$`))
  }
  await expect(rows(page).filter({ hasText: firstBad })).toHaveAttribute('data-found', 'true')
  await expect(page.getByRole('region', { name: 'What speaks against it' })).toContainText(
    'COMMAND ended with status 3',
  )
  const facts = page.getByRole('region', { name: 'Bisection', exact: true })
  await expect(facts).toContainText(`steps${steps}`)
  await expect(facts).toContainText(`runs${runs}`)
  for (const line of [...mail, ...next]) await expect(page.locator('main')).toContainText(line)

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy as plain text' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  expect(await page.locator('.bisect-text').textContent()).toBe(text)
  expect(errors).toEqual([])
  expect(foreign).toEqual([])
})

test('Enter compares the two commits, Back and the link lead to the bisection again', async ({ page }) => {
  const { errors } = watch(page)
  const { firstBad } = await openReport(page)
  await page.keyboard.press('Enter')
  await waitForRuns(page, 2)
  await expect(chip(page, 'B')).toContainText(firstBad)
  await page.getByRole('button', { name: 'Back to the bisection' }).click()
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Compare these two' }).click()
  await waitForRuns(page, 2)
  await page.goBack()
  await expect(rows(page).first()).toBeVisible()
  await page.goForward()
  await waitForRuns(page, 2)
  expect(errors).toEqual([])
})

test('seekscope open shows it; the address has the comparison', async ({ page, requests }) => {
  const file = join(scratch, 'opened.json')
  writeFileSync(file, bisection().document)
  const child = spawn(process.execPath, [CLI, 'open', '--no-browser', file])
  running.push(child)
  const link = await new Promise<string>((done, fail) => {
    child.stdout.once('data', output => done(String(output).trim()))
    child.once('exit', code => fail(new Error(`ended with ${code}`)))
  })
  requests.own(link)
  await page.goto(link)
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Compare these two' }).click()
  await waitForRuns(page, 2)
  await expect(page).toHaveURL(/compare%3D0%2C1|compare=0,1/)
  await page.reload()
  await waitForRuns(page, 2)
  await page.getByRole('button', { name: 'Back to the bisection' }).click()
  await expect(rows(page).first()).toBeVisible()
})

test('what is no report of a bisection is named', async ({ page }) => {
  const { document, log } = bisection()
  const newer = document.toString().replace('{"schema":1', '{"schema":2')
  await page.goto('./')
  const dialog = page.getByRole('dialog')
  for (const [bytes, words] of [
    [log, 'the log of a bisection'],
    [Buffer.from(newer), 'A newer Seekscope wrote it'],
    [document.subarray(0, 900), 'no complete JSON document'],
    [Buffer.from('{"schema":1,"kind":"bisection"}'), 'is missing'],
  ] as const) {
    await drop(page, [{ name: 'bisection.json', bytes }])
    await expect(dialog).toContainText('bisection.json could not be opened')
    await expect(dialog).toContainText(words)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  const damaged = JSON.parse(document.toString())
  for (const side of damaged.sides) side.digests = side.digests.map(() => '{"trace":{}}')
  await drop(page, [{ name: 'bisection.json', bytes: Buffer.from(JSON.stringify(damaged)) }])
  await page.getByRole('button', { name: 'Compare these two' }).click()
  await expect(dialog).toContainText('The digest of run 1 is damaged')
  await page.keyboard.press('Escape')
  await expect(rows(page).first()).toBeVisible()
  for (const side of damaged.sides) side.digests = []
  await drop(page, [{ name: 'bisection.json', bytes: Buffer.from(JSON.stringify(damaged)) }])
  await expect(page.getByRole('button', { name: 'Compare these two' })).toBeDisabled()
  await expect(page.locator('main')).toContainText('the log lacks digests')
})

for (const [name, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['laptop', { width: 1024, height: 768 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(`axe finds nothing, and nothing sticks out: ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await openReport(page)
    for (const view of ['Commits', 'Text']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page), `${view} ${colorScheme}`).toEqual([])
      }
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(wide, view).toBeLessThanOrEqual(0)
    }
  })
}
