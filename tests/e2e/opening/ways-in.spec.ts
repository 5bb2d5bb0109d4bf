import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, drop, recording, waitForRuns, watch } from '../support/page'
import { type Requests, test } from '../support/recorded'
import { startServer, stopServer } from '../support/servers'

const TESTS = fileURLToPath(new URL('.', import.meta.url))
const archive = (name: string): Buffer => readFileSync(join(TESTS, '../../containers', name))

/** Another host with files. `held` answers half of its file and waits. */
const another = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const [, policy, name] = pathname.split('/')
  const headers = policy === 'open' || policy === 'held' ? { 'access-control-allow-origin': '*' } : {}
  if (name === 'missing.tar') return response.writeHead(404, headers).end('no such file')
  if (name === 'page') return response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end('<p>login</p>')
  const bytes = archive(name ?? '')
  response.writeHead(200, { ...headers, 'content-type': 'application/octet-stream', 'content-length': bytes.length })
  if (policy === 'held') response.write(bytes.subarray(0, bytes.length / 2))
  else response.end(bytes)
})

let host = ''
test.beforeAll(async () => {
  host = await startServer(another)
})
test.afterAll(() => stopServer(another))

async function ask(page: Page, requests: Requests, ...addresses: string[]) {
  await page.goto('./')
  await page.getByRole('button', { name: NAMES.openUrl }).click()
  await page.getByLabel(NAMES.urls).fill(addresses.join('\n'))
  requests.confirm(host)
  await page.getByRole('button', { name: NAMES.fetch }).click()
  return page.getByRole('dialog')
}

test('traces from two addresses of another host; nothing is asked of it before', async ({ page, requests }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await page.getByRole('button', { name: NAMES.openUrl }).click()
  const [a, b] = [`${host}/open/run.tar.gz`, `${host}/open/two-runs.tar.xz`]
  await page.getByLabel(NAMES.urls).fill(`${a}\n\n  ${b}\n`)
  expect(foreign).toEqual([])
  requests.confirm(host)
  await page.getByRole('button', { name: NAMES.fetch }).click()
  await waitForRuns(page, 3)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(chip(page, 'A')).toContainText('io-errors')
  expect(errors).toEqual([])
  expect([...foreign].sort()).toEqual([a, b].sort())
})

test('a host that does not let pages read its files: what it means and what to do', async ({ page, requests }) => {
  const dialog = await ask(page, requests, `${host}/closed/run.tar`)
  await expect(dialog.locator('[data-code=url-unreachable]')).toContainText('CORS')
  await expect(dialog.locator('[data-code=url-unreachable] .remedy')).toBeVisible()
})

test('one address is wrong: the other is opened, and the wrong one can be mended', async ({ page, requests }) => {
  const dialog = await ask(
    page,
    requests,
    `${host}/open/missing.tar`,
    `${host}/open/run.zip`,
    'run.zip',
    `${host}/open/page`,
  )
  await waitForRuns(page, 1)
  await expect(dialog.locator('[data-code=url-status]')).toContainText('404')
  await expect(dialog.locator('[data-code=bad-address]')).toContainText('run.zip')
  await expect(dialog.locator('[data-code=url-web-page]')).toContainText(`${host}/open/page`)
  const field = page.getByLabel(NAMES.urls)
  await expect(field).toHaveValue(`${host}/open/missing.tar\nrun.zip\n${host}/open/page`)
  await field.fill(`${host}/open/run.tar`)
  await page.getByRole('button', { name: NAMES.fetch }).click()
  await waitForRuns(page, 2)
  await expect(dialog).toHaveCount(0)
})

test('fetching tells how far it is, and can be cancelled', async ({ page, requests }) => {
  const dialog = await ask(page, requests, `${host}/held/two-runs.tar.xz`)
  await expect(dialog).toContainText(/0\.\d of 0\.\d MB/)
  await dialog.getByRole('button', { name: NAMES.cancel }).click()
  await expect(dialog.getByRole('progressbar')).toHaveCount(0)
  await expect(dialog.locator('.facts')).toHaveCount(0)
  await dialog.getByRole('button', { name: NAMES.cancel }).click()
  await expect(dialog).toHaveCount(0)
})

test('offline, the page says so', async ({ page, context }) => {
  await page.goto('./')
  await page.getByRole('button', { name: NAMES.openUrl }).click()
  await page.getByLabel(NAMES.urls).fill(`${host}/open/run.tar`)
  await context.setOffline(true)
  await page.getByRole('button', { name: NAMES.fetch }).click()
  await expect(page.locator('[data-code=offline]')).toBeVisible()
})

test('pasted text is a note of the open run; pasted addresses are asked about, not fetched', async ({
  page,
  context,
  requests,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { foreign } = watch(page)
  await page.goto('./')
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  const copy = (text: string) => page.evaluate(copied => navigator.clipboard.writeText(copied), text)
  await copy('Linux debian 6.12.113+deb12-amd64 #1 SMP x86_64 GNU/Linux\n')
  await page.keyboard.press('Control+V')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('pasted.txt')
  await expect(dialog).toContainText('6.12.113+deb12-amd64')
  await page.keyboard.press('Escape')
  await expect(chip(page, 'A')).toContainText('6.12.113+deb12-amd64')
  await copy(`${host}/open/run.tar`)
  await page.getByRole('button', { name: NAMES.moreWays }).click()
  await page.getByRole('menuitem', { name: NAMES.paste }).click()
  await expect(page.getByLabel(NAMES.urls)).toHaveValue(`${host}/open/run.tar`)
  expect(foreign).toEqual([])
  requests.confirm(host)
  await page.getByRole('button', { name: NAMES.fetch }).click()
  await waitForRuns(page, 2)
})

test('pasted text that is nothing says what it looks like; a field keeps its own paste', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('./')
  await page.evaluate(() => navigator.clipboard.writeText('just words'))
  await page.getByRole('button', { name: NAMES.paste }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('pasted.txt')
  await expect(dialog.locator('[data-code=text-not-understood]')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: NAMES.openUrl }).click()
  const field = page.getByLabel(NAMES.urls)
  await expect(field).toBeFocused()
  await page.keyboard.press('Control+V')
  await expect(field).toHaveValue('just words')
})

test('pasted files are opened like dropped ones', async ({ page }) => {
  await page.goto('./')
  await page.evaluate(text => {
    const data = new DataTransfer()
    data.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], 'run.tar.xz'))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, archive('run.tar.xz').toString('base64'))
  await waitForRuns(page, 1)
})
