import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, type Dropped, drop, issues, maps, recording, release, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const readArchive = (name: string): Dropped => ({
  name,
  bytes: readFileSync(join(fileURLToPath(new URL('.', import.meta.url)), '../../containers', name)),
})

/**
 * Opens files on an empty page and closes their runs again: the seek maps in words, with all of so many requests, once
 * they say `last`: failed requests are an answer of their own, which may come later.
 */
async function readMaps(
  page: Page,
  files: readonly Dropped[],
  requests: readonly number[],
  last = /Seek map/,
  look: () => Promise<void> = async () => undefined,
) {
  await drop(page, files)
  await waitForRuns(page, requests.length)
  let words: readonly string[] = []
  const read = async () => {
    words = await maps(page, requests)
    return words.join('\n')
  }
  await expect.poll(read).toMatch(last)
  await look()
  for (const _ of requests) {
    await page.getByRole('button', { name: NAMES.runMenu() }).first().click()
    await page.getByRole('menuitem', { name: NAMES.remove }).click()
  }
  await expect(page.locator('.chip')).toHaveCount(0)
  return words
}

const IO_ERRORS = recording('io-errors', 'io-errors')
const ZEROES = recording('write-zeroes', 'write-zeroes')
const FAILED = /requests? failed/

test('archives give the figures of their unpacked twins', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  const requests = [issues(IO_ERRORS)]
  const twin = await readMaps(page, IO_ERRORS, requests, FAILED)
  for (const name of ['run.tar', 'run.tar.gz', 'run.tar.bz2', 'run.tar.xz', 'run.tar.zst', 'run.zip']) {
    await test.step(name, async () => {
      const words = await readMaps(page, [readArchive(name)], requests, FAILED, async () => {
        await expect(chip(page, 'A')).toContainText('io-errors')
        await expect(chip(page, 'A')).toContainText('6.12.0')
        await chip(page, 'A')
          .getByRole('button', { name: NAMES.notes(1) })
          .click()
        await expect(page.getByRole('dialog')).toContainText('uname.txt')
        await page.keyboard.press('Escape')
        await page.locator('.not-read').click()
        await expect(page.getByRole('dialog')).toContainText('photo.jpg')
        await page.keyboard.press('Escape')
      })
      expect(words).toEqual(twin)
    })
  }
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('a mail gives the figures of the archive attached to it, and is a note', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  const requests = [issues(IO_ERRORS)]
  const twin = await readMaps(page, IO_ERRORS, requests, FAILED)
  const words = await readMaps(page, [readArchive('run.eml')], requests, FAILED, async () => {
    await chip(page, 'A')
      .getByRole('button', { name: NAMES.notes(2) })
      .click()
    await expect(page.getByRole('dialog')).toContainText('run.eml')
    await page.keyboard.press('Escape')
  })
  expect(words).toEqual(twin)
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('single files compressed in several ways; several traces in one archive are several runs', async ({ page }) => {
  await page.goto('./')
  const singleFile = recording('io-errors').slice(1, 2)
  const twin = await readMaps(page, singleFile, [issues(singleFile)])
  for (const end of ['gz', 'bz2', 'xz', 'zst'])
    expect(await readMaps(page, [readArchive(`trace.blktrace.1.${end}`)], [issues(singleFile)])).toEqual(twin)
  const requests = [issues(IO_ERRORS), issues(ZEROES)]
  const twins = await readMaps(page, [...IO_ERRORS, ...ZEROES], requests, FAILED)
  expect(await readMaps(page, [readArchive('two-runs.tar.xz')], requests, FAILED)).toEqual(twins)
})

test('unpacking tells how far it is, and stops when it is cancelled', async ({ page }) => {
  await page.goto('./')
  const member = gzipSync(randomBytes(8 << 20), { level: 1 }).toString('base64')
  const transfer = await page.evaluateHandle(text => {
    const member = Uint8Array.from(atob(text), c => c.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File(new Array(40).fill(member), 'large.gz'))
    return data
  }, member)
  await release(page, transfer)
  await expect(page.getByRole('heading', { name: /large\.gz.*\b[1-9]\d?%/ })).toBeVisible()
  await page.getByRole('button', { name: NAMES.cancel }).click()
  await expect(page.locator('.drop-zone')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: NAMES.openFiles })).toBeVisible()
})

test('a cut archive opens with what is there and says where it ends; a bomb is refused in words', async ({ page }) => {
  const cut = { name: 'cut.tar.gz', bytes: readArchive('run.tar.gz').bytes.subarray(0, 1800) }
  await page.goto('./')
  await drop(page, [cut])
  await waitForRuns(page, 1)
  // The archive is named; that the last trace in it is cut, too, follows from it.
  await expect(page.getByRole('dialog')).toContainText('cut.tar.gz')
  await expect(page.getByRole('dialog').locator('[data-code=truncated-tail]')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.locator('.not-read').click()
  await expect(page.getByRole('dialog').locator('[data-code=damaged-archive]')).toBeVisible()
  await page.goto('./')
  await drop(page, [readArchive('bomb.zst')])
  await expect(page.getByRole('dialog').locator('[data-code=archive-limit]')).toBeVisible()
})
