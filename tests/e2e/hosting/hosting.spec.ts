import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { serve } from '../../../scripts/lib/server.mjs'
import { attemptRequests, REFUSED, willingHost } from '../support/attempts'
import { NAMES, SAMPLES } from '../support/names'
import { waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

test.use({ fresh: true, serviceWorkers: 'allow' })

const DIST = join(dirname(fileURLToPath(import.meta.url)), '../../../dist')

test('works from any folder of any static host, and asks no other host for anything', async ({ page, requests }) => {
  const root = mkdtempSync(join(tmpdir(), 'seekscope-host-'))
  mkdirSync(join(root, 'some/folder'), { recursive: true })
  cpSync(DIST, join(root, 'some/folder/of mine'), { recursive: true })
  const { url, close } = await serve(root, 0)
  requests.own(url)
  const { errors, foreign } = watch(page)
  await page.goto(`${url}some/folder/of%20mine/`)
  await page.getByRole('button', { name: SAMPLES.osync }).click()
  await waitForRuns(page, 2)
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
  await page.goto('about:blank')
  await close()
  rmSync(root, { recursive: true })
})

test('what would get into the page could tell nobody: the browser refuses', async ({ page, requests }) => {
  const { heard, host, close } = await willingHost()
  await page.goto('./')
  // What the browser refuses is recorded as asked for.
  requests.confirm(host)
  expect(await attemptRequests(page, host)).toEqual(REFUSED)
  expect(heard).toEqual([])
  await close()
})

test('a host without fetch.html opens no addresses, and the page says why', async ({ page, requests }) => {
  const root = mkdtempSync(join(tmpdir(), 'seekscope-host-'))
  cpSync(DIST, root, { recursive: true })
  rmSync(join(root, 'fetch.html'))
  rmSync(join(root, 'sw.js'))
  const { url, close } = await serve(root, 0)
  requests.own(url)
  const another = await willingHost()
  await page.goto(url)
  await page.getByRole('button', { name: NAMES.openUrl }).click()
  await page.getByLabel(NAMES.urls).fill(another.host)
  await page.getByRole('button', { name: NAMES.fetch }).click()
  await expect(page.locator('[data-code=no-fetch-page]')).toContainText('fetch.html')
  expect(another.heard).toEqual([])
  await another.close()
  await close()
  rmSync(root, { recursive: true })
})
