import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, chip, drop, recording, verdictSentence, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'seekscope-share-'))
})
test.afterAll(() => rmSync(folder, { recursive: true }))

/** Two recordings, with the findings about them. */
async function openComparison(page: Page) {
  await page.goto('./')
  await drop(page, [...recording('partitions-deadline-1w', 'deadline'), ...recording('partitions-bfq-1w', 'bfq')])
  await waitForRuns(page, 2)
  await expect(page.getByRole('region', { name: NAMES.verdict })).toBeVisible()
}

const COMPARISON = { open: openComparison }

/** What a reader sees on the page. */
async function readShown(page: Page) {
  await expect(page.locator('.finding-rows')).toBeVisible()
  return {
    sentence: await verdictSentence(page).innerText(),
    figures: await page.locator('.finding-rows').innerText(),
    seekMap: await chart(page, /^Seek map/)
      .locator('.chart-figure')
      .allInnerTexts(),
  }
}

async function linkOf(page: Page, size: 'S' | 'M' | 'L'): Promise<string> {
  await page.getByRole('button', { name: NAMES.share, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: new RegExp(`^${size} [\\d,]+`) }).click()
  const field = dialog.getByRole('textbox', { name: NAMES.link })
  await expect(field).toHaveValue(/&s=/)
  return field.inputValue()
}

let small = ''
/** The S link of the comparison, for tests of what happens after it is opened: made once. */
async function smallLink(page: Page): Promise<string> {
  if (small === '') {
    await openComparison(page)
    small = await linkOf(page, 'S')
    await page.goto('about:blank')
  }
  return small
}

test.describe('what is made of two runs', () => {
  test.use({ topic: COMPARISON })

  test('links of each size open offline in a fresh profile with the same findings and figures', async ({
    page,
    browser,
    requests,
  }) => {
    const { errors } = watch(page)
    const expected = await readShown(page)
    const fresh = await browser.newContext({ serviceWorkers: 'allow' })
    requests.follow(fresh)
    const reader = await fresh.newPage()
    const watched = watch(reader)
    const links = new Map<string, string>()
    for (const size of ['S', 'M', 'L'] as const) {
      links.set(size, await linkOf(page, size))
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    expect(links.get('S')?.length).toBeLessThanOrEqual(8000)
    await reader.goto(new URL('./', links.get('S')).href)
    await reader.evaluate(() => navigator.serviceWorker.ready)
    await fresh.setOffline(true)
    for (const [size, link] of links) {
      await test.step(size, async () => {
        await reader.goto('about:blank')
        await reader.goto(link)
        await waitForRuns(reader, 2)
        expect(await readShown(reader)).toEqual(expected)
        await expect(chip(reader, 'A').locator('[data-quality=held]')).toBeVisible()
        expect(reader.url(), 'link, page, the same link').toBe(link)
      })
    }
    // The browser fetches the icon of the tab past the service worker.
    const serious = watched.errors.filter(error => !error.includes('ERR_INTERNET_DISCONNECTED'))
    expect([...errors, ...serious]).toEqual([])
    await fresh.close()
  })

  test('a report is one file that opens from a disk with the same findings, and takes the traces', async ({
    page,
    browser,
    requests,
  }) => {
    const expected = await readShown(page)
    await page.getByRole('button', { name: NAMES.share, exact: true }).click()
    await page.getByRole('radio', { name: NAMES.reportFile }).check()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: NAMES.saveReport }).click(),
    ])
    const file = join(folder, download.suggestedFilename())
    await download.saveAs(file)
    const fresh = await browser.newContext({ offline: true })
    requests.follow(fresh)
    const reader = await fresh.newPage()
    const { errors } = watch(reader)
    await reader.goto(pathToFileURL(file).href)
    await waitForRuns(reader, 2)
    expect(await readShown(reader)).toEqual(expected)
    await reader.reload()
    await waitForRuns(reader, 2)
    expect(await readShown(reader)).toEqual(expected)
    await drop(reader, recording('partitions-bfq-1w', 'bfq'))
    await expect(reader.locator('[data-quality=held]')).toHaveCount(1)
    await expect(reader.locator('.sender-line [data-check=same]')).toBeVisible()
    expect(errors).toEqual([])
    await fresh.close()
  })
  test('process and file names are in a link only when ticked', async ({ page }) => {
    const withoutNames = await linkOf(page, 'S')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: NAMES.includeNames }).check()
    await expect(dialog.getByRole('textbox', { name: NAMES.link })).not.toHaveValue(withoutNames)
    await expect(dialog.getByRole('textbox', { name: NAMES.link })).toHaveValue(/&s=/)
    const withNames = await dialog.getByRole('textbox', { name: NAMES.link }).inputValue()
    for (const [link, names] of [
      [withoutNames, 0],
      [withNames, 1],
    ] as const) {
      await page.goto('about:blank')
      await page.goto(link)
      await waitForRuns(page, 2)
      await expect(page.locator('.rail').getByText(/^dd\b/)).toHaveCount(names)
    }
  })
})

test('dropping the traces on a link brings everything back, in the place of their snapshots', async ({ page }) => {
  const link = await smallLink(page)
  await page.goto(link)
  await waitForRuns(page, 2)
  const before = await readShown(page)
  await drop(page, recording('partitions-bfq-1w', 'bfq'))
  await expect(page.locator('[data-quality=held]')).toHaveCount(1)
  await drop(page, recording('partitions-deadline-1w', 'deadline'))
  await expect(page.locator('[data-quality=held]')).toHaveCount(0)
  await waitForRuns(page, 2)
  await expect(page, 'the address still opens without them').toHaveURL(link)
  expect(await readShown(page)).toEqual(before)
})

/** What `sha256sum FILES | cut -c1-64 | sort | sha256sum` prints. */
function sumOf(files: readonly { readonly bytes: Buffer }[]): string {
  const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
  return digest(
    files
      .map(({ bytes }) => `${digest(bytes)}\n`)
      .sort()
      .join(''),
  )
}

test('a snapshot says whose its figures are; its traces are compared with the checksums of the link', async ({
  page,
}) => {
  await openComparison(page)
  const small = await linkOf(page, 'S')
  await page.keyboard.press('Escape')
  const medium = await linkOf(page, 'M')
  const [bfq, deadline] = [recording('partitions-bfq-1w', 'bfq'), recording('partitions-deadline-1w', 'deadline')]
  const sums = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).getAll('sum')
  expect(sums(small)).toEqual([])
  expect(sums(medium)).toEqual([`1:${sumOf(bfq)}`, `2:${sumOf(deadline)}`])
  const line = page.locator('.sender-line')
  const checked = (check: string) => line.locator(`[data-check=${check}]`)
  const opens = async (link: string) => {
    await page.goto('about:blank')
    await page.goto(link)
    await waitForRuns(page, 2)
    await expect(line).toHaveText(/^Figures as the sender of this link made them\./)
  }

  await opens(medium)
  await drop(page, bfq)
  await expect(checked('same')).toHaveText(/^A /)
  await expect(line).toHaveText(/^Figures of B as the sender/)
  await drop(page, deadline)
  await expect(checked('same')).toHaveText(/^A and B /)
  await expect(line).not.toContainText('sender')
  await expect(page, 'the link keeps its checksums').toHaveURL(medium)
  await drop(page, recording('io-errors'))
  await expect(checked('foreign')).toHaveText(/^C /)

  await opens(medium.replace(sumOf(bfq), sumOf(deadline)))
  await drop(page, bfq)
  await expect(checked('other')).toHaveText(/^A /)
  expect(await violations(page)).toEqual([])

  // The figures are of another trace than the checksum.
  await opens(medium.replace(sumOf(bfq), sumOf(recording('io-errors'))))
  await drop(page, recording('io-errors'))
  await expect(checked('contradicts')).toHaveText(/^C /)

  await opens(small)
  await drop(page, bfq)
  await expect(checked('counts')).toHaveText(/^A /)
})

test('another baseline than that of the link is not made up', async ({ page }) => {
  await page.goto(await smallLink(page))
  await waitForRuns(page, 2)
  await chip(page, 'B')
    .getByRole('button', { name: NAMES.runMenu('B') })
    .click()
  await page.getByRole('menuitem', { name: NAMES.makeBaseline }).click()
  await expect(page.getByText('not-in-snapshot')).toBeVisible()
  // A single run of the link cannot be explained either.
  await page.keyboard.press('Shift+Digit2')
  await expect(page.getByText(/^What held it back is not shown: .+not-in-snapshot$/)).toBeVisible()
})

test('damaged snapshots: what can be read is shown, and the rest is said', async ({ page, requests }) => {
  const { errors } = watch(page)
  const link = await smallLink(page)
  const position = link.indexOf('&s=') + 3
  const [view, text] = [link.slice(0, position), link.slice(position)]
  requests.own(link)
  const part = (share: number) => text.slice(0, Math.floor(text.length * share))
  // The engine's tests cut at every length.
  const opens = [1, 0.9, 0.6].map(share => part(share))
  const hostile = ['', '%00', '<script>alert(1)</script>', '../../x', text.slice(1), 'AAAA'.repeat(3000)]
  for (const [i, s] of [...opens, ...hostile].entries()) {
    await page.goto('about:blank')
    await page.goto(`${view}${s}`)
    const runs = page.locator('.chip')
    const notice = page.getByRole('dialog').or(page.locator('.link-notice'))
    if (i === 0) await expect(runs).toHaveCount(2)
    else if (i < opens.length) {
      await expect(runs.first()).toBeVisible()
      await expect(notice.first()).toBeVisible()
    } else if (s !== '') await expect(notice.first(), s.slice(0, 40)).toBeVisible()
    await expect(page.getByRole('banner').or(page.getByRole('main')).first()).toBeVisible()
  }
  expect(errors).toEqual([])
})
