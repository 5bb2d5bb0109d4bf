import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { DAMAGED } from '../../links'
import { NAMES } from '../support/names'
import { chip, drop, recording, verdictSentence, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'
import { startServer, stopServer } from '../support/servers'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const archive = (name: string): Buffer => readFileSync(join(HERE, '../../containers', name))
const shaOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Another host with files, like storage that signs addresses: it answers only requests with its signature.
 * `requested`: paths of all requests; `lastHeaders`: headers of the last one.
 */
const requested: string[] = []
let lastHeaders: IncomingHttpHeaders = {}
const down = new Set<string>()
const another = createServer((request, response) => {
  requested.push(`${request.method} ${request.url}`)
  lastHeaders = request.headers
  const url = new URL(request.url ?? '', 'http://localhost')
  const headers = { 'access-control-allow-origin': '*' }
  const name = url.pathname.split('/').at(-1) ?? ''
  if (request.method !== 'GET') return response.writeHead(403, headers).end()
  if (url.searchParams.get('sig') !== 'a+b/c=&d%') return response.writeHead(403, headers).end()
  if (down.has(name)) return response.writeHead(503, headers).end()
  response.writeHead(200, { ...headers, 'content-type': 'application/octet-stream' }).end(archive(name))
})
let host = ''
test.beforeAll(async () => {
  host = await startServer(another)
})
test.afterAll(() => stopServer(another))
test.beforeEach(() => {
  requested.length = 0
  down.clear()
})

const signed = (name: string) => `${host}/bucket/${name}?sig=${encodeURIComponent('a+b/c=&d%')}`
const urlsIn = (page: Page) => new URLSearchParams(new URL(page.url()).hash.slice(1)).getAll('url')
const reference = (...names: string[]) => names.map(name => `&url=${encodeURIComponent(signed(name))}`).join('')

test('traces from presigned addresses are in the address bar, with their content; a fresh page asks, then shows the same', async ({
  page,
  browser,
  requests,
}) => {
  await page.goto('./')
  await expect(page.locator('.drop-zone')).toBeVisible()
  await page.keyboard.press('u')
  await page.getByLabel(NAMES.urls).fill(`${signed('run.tar.gz')}\n${signed('two-runs.tar.xz')}`)
  requests.confirm(host)
  await page.getByRole('button', { name: NAMES.fetch }).click()
  await waitForRuns(page, 3)
  await page.getByLabel(NAMES.rateUnit).selectOption(NAMES.iops)
  await expect.poll(() => urlsIn(page)).toEqual([signed('run.tar.gz'), signed('two-runs.tar.xz')])
  const shas = new URLSearchParams(new URL(page.url()).hash.slice(1)).getAll('sha')
  expect(shas).toEqual([shaOf(archive('run.tar.gz')), shaOf(archive('two-runs.tar.xz'))])
  await expect(page).toHaveURL(/rate=ios/)
  const link = page.url()

  requested.length = 0
  const context = await browser.newContext()
  requests.follow(context)
  const fresh = await context.newPage()
  await fresh.goto(link)
  const dialog = fresh.getByRole('dialog')
  await expect(dialog.getByRole('heading')).toContainText(new URL(host).host)
  await expect(dialog).toContainText('IP address')
  await expect(dialog).toContainText(signed('two-runs.tar.xz'))
  expect(await violations(fresh)).toEqual([])
  expect(requested).toEqual([])
  requests.confirm(host)
  await dialog.getByRole('button', { name: NAMES.open, exact: true }).click()
  await waitForRuns(fresh, 3)
  await expect(fresh.getByRole('region', { name: NAMES.linkProblems })).toHaveCount(0)
  await expect(fresh.getByLabel(NAMES.rateUnit)).toHaveValue('ios')
  await expect.poll(() => fresh.url()).toBe(link)
  expect(requested.map(line => line.split(' ')[0])).toEqual(['GET', 'GET'])
  await context.close()
})

test('a run that was removed stays away after a reload; labels and order are those of the link', async ({
  page,
  requests,
}) => {
  await page.goto(`./#v=1${reference('two-runs.tar.xz', 'run.tar.gz')}&gone=1&run=2&run=1&label.A=second&label.B=first`)
  await page.getByLabel(NAMES.remember).check()
  requests.confirm(host)
  await page.getByRole('button', { name: NAMES.open, exact: true }).click()
  await waitForRuns(page, 2)
  await expect(chip(page, 'A')).toContainText('second')
  await expect(chip(page, 'B')).toContainText('first')
  await expect(page).toHaveURL(/gone=1/)
  // The checks of both files join the address once they are computed.
  await expect(page).toHaveURL(/sha=.*sha=/)
  const link = page.url()
  await page.reload()
  await waitForRuns(page, 2)
  await expect(chip(page, 'A')).toContainText('second')
  await expect.poll(() => page.url()).toBe(link)
})

test('a download takes no cookie of its host and no referrer along', async ({ page, requests, context }) => {
  await context.addCookies([{ name: 'session', value: 'secret', url: host }])
  requests.own(host)
  await page.goto(signed('run.tar.gz'), { waitUntil: 'commit' }).catch(() => undefined)
  // The browser does send the cookie to this host, where it may.
  expect(lastHeaders.cookie).toBe('session=secret')
  await page.goto(`./?from=a-private-folder#v=1${reference('run.tar.gz')}`)
  requested.length = 0
  requests.confirm(host)
  await page.getByRole('button', { name: NAMES.open, exact: true }).click()
  await waitForRuns(page, 1)
  expect(requested).toHaveLength(1)
  expect(lastHeaders.cookie).toBeUndefined()
  expect(lastHeaders.referer).toBeUndefined()
  expect(lastHeaders.authorization).toBeUndefined()
})

test('nothing is fetched when the user declines; the address stays', async ({ page }) => {
  const { foreign } = watch(page)
  await page.goto(`./#v=1${reference('run.tar.gz')}&rate=ios`)
  const link = page.url()
  await page.getByRole('button', { name: NAMES.decline }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect({ foreign, asked: requested }).toEqual({ foreign: [], asked: [] })
  expect(page.url()).toBe(link)
  await page.reload()
  await expect(page.getByRole('dialog')).toContainText(signed('run.tar.gz'))
})

test('a file that differs after the first 64 bits of its checksum is not the same', async ({ page, requests }) => {
  const sha = shaOf(archive('run.tar.gz'))
  await page.goto(`./#v=1${reference('run.tar.gz')}&sha=${sha.slice(0, 16)}${[...sha.slice(16)].reverse().join('')}`)
  requests.confirm(host)
  await page.getByRole('button', { name: NAMES.open, exact: true }).click()
  await waitForRuns(page, 1)
  await expect(page.getByRole('region', { name: NAMES.linkProblems })).toHaveAttribute('data-codes', 'sha')
})

test('a file that changed since is shown, and named', async ({ page, requests }) => {
  await page.goto(`./#v=1${reference('run.tar.gz')}&sha=${'0123456789abcdef'.repeat(4)}`)
  requests.confirm(host)
  await page.getByRole('button', { name: NAMES.open, exact: true }).click()
  await waitForRuns(page, 1)
  const notice = page.getByRole('region', { name: NAMES.linkProblems })
  await expect(notice).toContainText('run.tar.gz')
  await expect(notice).toHaveAttribute('data-codes', 'sha')
  expect(await violations(page)).toEqual([])
  await notice.getByRole('button', { name: NAMES.details }).click()
  await expect(page.getByRole('dialog')).toContainText('run.tar.gz')
  await page.keyboard.press('Escape')
  await notice.getByRole('button', { name: NAMES.dismiss }).click()
  await expect(notice).toHaveCount(0)
})

test('one of two cannot be fetched: why, once more, and without it', async ({ page, requests }) => {
  down.add('run.zip')
  await page.goto(`./#v=1${reference('run.tar.gz', 'run.zip')}&label.B=mine`)
  const dialog = page.getByRole('dialog')
  requests.confirm(host)
  await dialog.getByRole('button', { name: NAMES.open, exact: true }).click()
  await expect(dialog.locator('[data-code]')).toHaveCount(1)
  await expect(dialog.locator('[data-code]')).toContainText('503')
  await dialog.getByRole('button', { name: NAMES.openPartial }).click()
  await waitForRuns(page, 1)
  await expect(page.getByRole('region', { name: NAMES.linkProblems })).toHaveAttribute('data-codes', 'run')
  await expect.poll(() => urlsIn(page)).toEqual([signed('run.tar.gz')])

  await page.goto('about:blank')
  await page.goto(`./#v=1${reference('run.tar.gz', 'run.zip')}&label.B=mine`)
  requests.confirm(host)
  await dialog.getByRole('button', { name: NAMES.open, exact: true }).click()
  await expect(dialog.locator('[data-code]')).toContainText('503')
  down.clear()
  requested.length = 0
  await dialog.getByRole('button', { name: NAMES.retry }).click()
  await waitForRuns(page, 2)
  await expect(chip(page, 'B')).toContainText('mine')
  expect(requested).toHaveLength(1)
})

test('files of the page’s own host need no question; back and forward go from one comparison to another', async ({
  page,
}) => {
  await page.route('**/traces/*', route =>
    route.fulfill({ body: archive(new URL(route.request().url()).pathname.split('/').at(-1) ?? '') }),
  )
  await page.goto('./')
  const first = new URL('traces/run.tar.gz', page.url()).href
  const second = new URL('traces/two-runs.tar.xz', page.url()).href
  await page.goto(`./#v=1&url=${encodeURIComponent(first)}`)
  await waitForRuns(page, 1)
  await page.goto(`./#v=1&url=${encodeURIComponent(second)}`)
  await waitForRuns(page, 2)
  await page.goBack()
  await waitForRuns(page, 1)
  await expect.poll(() => urlsIn(page)).toEqual([first])
  await page.goForward()
  await waitForRuns(page, 2)
  await expect.poll(() => urlsIn(page)).toEqual([second])
})

test('local files beside fetched ones: the address no longer claims to open all of it', async ({ page, requests }) => {
  await page.goto(`./#v=1${reference('run.tar.gz')}`)
  requests.confirm(host)
  await page.getByRole('button', { name: NAMES.open, exact: true }).click()
  await waitForRuns(page, 1)
  await expect.poll(() => urlsIn(page)).toHaveLength(1)
  await drop(page, recording('sync-fua'))
  await waitForRuns(page, 2)
  await expect.poll(() => urlsIn(page)).toEqual([])
})

test('damaged links: the page stands, says what it left out, and asks no other host for anything', async ({ page }) => {
  const { errors, foreign } = watch(page)
  for (const { fragment, lost } of DAMAGED) {
    await page.goto(`./${fragment}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const notice = page.getByRole('region', { name: NAMES.linkProblems })
    if (lost.length > 0) await expect(notice, fragment.slice(0, 80)).toBeVisible()
    else if (!fragment.includes('sample=')) await expect(notice, fragment.slice(0, 80)).toHaveCount(0)
    await expect(page.getByRole('dialog'), fragment.slice(0, 80)).toHaveCount(0)
  }
  expect({ errors, foreign, asked: requested }).toEqual({ errors: [], foreign: [], asked: [] })
})

test('a link of a newer Seekscope says so, and shows what it knows of it', async ({ page }) => {
  await page.goto('./#v=2&sample=raid5&rate=ios&new=1')
  await waitForRuns(page, 2)
  await expect(page.getByRole('region', { name: NAMES.linkProblems })).toHaveAttribute('data-codes', /\bv\b/)
  await expect(page.getByLabel(NAMES.rateUnit)).toHaveValue('ios')
})

test('labels that were edited, the shown finding and choices of charts come back', async ({ page }) => {
  await page.goto('./#v=1&sample=idling')
  await waitForRuns(page, 2)
  await expect(page.getByRole('button', { name: NAMES.showEvidence })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/finding=2/)
  const sentence = verdictSentence(page)
  const shown = (await sentence.textContent()) ?? ''
  await page.getByLabel(NAMES.sizesStage).selectOption('completed')
  await expect(page).toHaveURL(/sizes=completed/)
  await page.goto(page.url().replace(/$/, '&part=part-1:idle%20ms&cell.A=part-1:0&cell.B=part-1:8'))
  await page.reload()
  await waitForRuns(page, 2)
  await expect(sentence).toHaveText(shown)
  await expect(page).toHaveURL(/finding=2.*sizes=completed/)
  await expect(page).toHaveURL(/part=part-1:idle%20ms&cell.A=part-1:0&cell.B=part-1:8/)
  await page.keyboard.press('m')
  await expect(
    page
      .getByRole('rowheader', { name: '8' })
      .or(page.getByRole('columnheader', { name: '8' }))
      .first(),
  ).toBeVisible()
})
