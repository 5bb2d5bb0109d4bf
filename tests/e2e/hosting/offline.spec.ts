import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { serve } from '../../../scripts/lib/server.mjs'
import { compareRows, digests } from '../support/digests'
import { NAMES, SAMPLES } from '../support/names'
import { chip, drop, recording, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const DIST = fileURLToPath(new URL('../../../dist', import.meta.url))

test.use({ fresh: true, serviceWorkers: 'allow' })

let root = ''
let app = ''
let host: Awaited<ReturnType<typeof serve>>
test.beforeEach(async ({ requests }) => {
  root = mkdtempSync(join(tmpdir(), 'seekscope-offline-'))
  app = join(root, 'some/folder')
  mkdirSync(join(root, 'some'))
  cpSync(DIST, app, { recursive: true })
  host = await serve(root, 0)
  requests.own(host.url)
})
test.afterEach(async () => {
  await host.close()
  rmSync(root, { recursive: true })
})

/** Opens the app and waits until all of it is kept. */
async function visit(page: Page) {
  await page.goto(`${host.url}some/folder/`)
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    await new Promise<void>(resolve => {
      const look = () => active?.state === 'activated' && resolve()
      active?.addEventListener('statechange', look)
      look()
    })
  })
}

test('after one visit it works without its host: samples, dropped traces, a fleet, documents, the app as one file', async ({
  page,
}) => {
  await visit(page)
  await host.close()
  const { errors } = watch(page)
  await page.reload()
  await page.getByRole('button', { name: SAMPLES.osync }).click()
  await waitForRuns(page, 2)
  await expect(page.getByRole('region', { name: NAMES.verdict })).toBeVisible()
  await page.goto(`${host.url}some/folder/?from=elsewhere`)
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  await page.goto(`${host.url}some/folder/?from=another`)
  await drop(page, [digests('ext4-buffered-6.1', 'ext4-buffered-6.12')])
  await compareRows(page)
  await page.goto(`${host.url}some/folder/docs/measures.html`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Measures')
  await page.goto(`${host.url}some/folder/seekscope.html`)
  await expect(page.locator('.drop-zone')).toBeVisible()
  expect(errors).toEqual([])
})

/**
 * Names of the caches of other applications of the origin, as Workbox and others name them: above, next to and below
 * the app's folder.
 */
const otherCaches = (url: string) => [
  `workbox-precache-v2-${url}`,
  `workbox-precache-v2-${url}some/folder/`,
  `workbox-precache-v2-${url}some/folder/another/`,
  `seekscope-precache-v2-${url}`,
  `seekscope-precache-v2-${url}some/folder/another/`,
  'shop-precache-images',
  'v1',
]

test('caches of other applications on the origin stay, with their contents; the app has one, and keeps no old file in it', async ({
  page,
}) => {
  await page.goto(`${host.url}nothing`)
  const ownCache = `seekscope-precache-v2-${host.url}some/folder/`
  await page.evaluate(
    async ([names, ownName]) => {
      for (const name of names) await (await caches.open(name)).put('/theirs', new Response(name))
      await (await caches.open(ownName)).put('/some/folder/old.js', new Response('of an older version'))
    },
    [otherCaches(host.url), ownCache] as const,
  )
  await visit(page)
  publish()
  const updated = await page.context().newPage()
  await updated.goto(`${host.url}some/folder/`)
  await updated.getByRole('button', { name: NAMES.reload }).click()
  await expect(updated.locator('html')).toHaveAttribute('data-version', '2')
  const cached = await updated.evaluate(async () => {
    const names = await caches.keys()
    return Promise.all(
      names.map(async name => [name, await (await (await caches.open(name)).match('/theirs'))?.text()] as const),
    )
  })
  expect(Object.fromEntries(cached)).toEqual({
    ...Object.fromEntries(otherCaches(host.url).map(name => [name, name])),
    [ownCache]: undefined,
  })
  expect(
    await updated.evaluate(async name => (await caches.open(name)).match('/some/folder/old.js'), ownCache),
  ).toBeUndefined()
})

/** Another version lies at the host from now on: another page, and so another list of what to keep. */
function publish() {
  const page = join(app, 'index.html')
  writeFileSync(page, readFileSync(page, 'utf8').replace('<html lang="en">', '<html lang="en" data-version="2">'))
  const worker = join(app, 'sw.js')
  const before = readFileSync(worker, 'utf8')
  const revision = /"url":"index\.html","revision":"(\w{16})"/.exec(before)?.[1]
  if (revision === undefined) throw new Error('sw.js does not list index.html')
  writeFileSync(worker, before.replace(revision, '0123456789abcdef'))
}

const version = (page: Page) => page.locator('html').getAttribute('data-version')

test('a newer version is offered; the open traces stay until it is accepted', async ({ page, context }) => {
  const { errors } = watch(page)
  await visit(page)
  await page.reload()
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  await expect(page.locator('.update')).toHaveCount(0)
  publish()
  const second = await context.newPage()
  await second.goto(`${host.url}some/folder/#v=1&sample=osync`)
  await waitForRuns(second, 2)
  for (const window of [page, second]) await expect(window.locator('.update')).toBeVisible()
  // The files are kept in this browser, so nothing has to be opened again.
  await expect(page.locator('.update .caption')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await expect(chip(page, 'A')).toBeVisible()
  expect([await version(page), await version(second)]).toEqual([null, null])

  await second.getByRole('button', { name: NAMES.reload }).click()
  await expect(second.locator('html')).toHaveAttribute('data-version', '2')
  await waitForRuns(second, 2)
  await expect(second.locator('.update')).toHaveCount(0)

  // The window that did not ask for it keeps its trace, and still has its choice.
  expect(await version(page)).toBeNull()
  await expect(chip(page, 'A')).toContainText('records')
  await page.getByRole('button', { name: NAMES.later }).click()
  await expect(page.locator('.update')).toHaveCount(0)
  await drop(page, recording('write-zeroes'))
  await waitForRuns(page, 2)
  expect(errors).toEqual([])
})
