import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { violations } from '../support/page'
import { test } from '../support/recorded'
import { startServer, stopServer } from '../support/servers'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const file = (path: string): Buffer => readFileSync(join(ROOT, path))

/** The page of the documents, on another origin, with traces beside it. */
const example = /```html\n(.*?)```/s.exec(file('docs/embedding.md').toString())?.[1] ?? ''
const FILES: Readonly<Record<string, string>> = {
  'before.tar.xz': 'tests/containers/run.tar.xz',
  'after.tar.gz': 'tests/containers/run.tar.gz',
}
const app = { url: '' }
const another = createServer((request, response) => {
  const name = (request.url ?? '').slice(1)
  if (name === '')
    return response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(example.replace('https://seekscope.example/', app.url))
  if (name === 'blank')
    return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>blank</title>')
  const path = FILES[name]
  if (path === undefined) return response.writeHead(404).end()
  response.writeHead(200).end(file(path))
})
let host = ''
test.beforeAll(async () => {
  host = `${await startServer(another)}/`
})
test.afterAll(() => stopServer(another))
test.beforeEach(({ baseURL, requests }) => {
  requests.own(host)
  app.url = baseURL ?? ''
})

const status = (page: Page): Locator => page.locator('#said')
const chips = (seekscope: Page | FrameLocator): Locator => seekscope.locator('.chip')

test('the example of the documents compares in a frame: the reader is asked once for its origin', async ({ page }) => {
  await page.goto(host)
  await page.getByRole('button', { name: NAMES.compareHere }).click()
  const frame = page.frameLocator('#frame')
  const dialog = frame.getByRole('dialog')
  await expect(dialog.getByRole('heading').first()).toContainText(new URL(host).host)
  await expect(dialog).toContainText('before.tar.xz')
  await expect(chips(frame)).toHaveCount(0)
  await dialog.getByRole('button', { name: NAMES.open, exact: true }).click()
  await expect(status(page)).toHaveText('Comparing 6.1 and 6.12')
  await expect(chips(frame)).toHaveCount(2)
  await expect(frame.getByRole('heading', { level: 1 })).toContainText('Run 1234')
  await expect(frame.getByRole('button', { name: NAMES.overlay })).toHaveAttribute('aria-pressed', 'true')
  // The same page again, without a question: the frame is the same.
  await page
    .evaluate(() => {
      const frame = document.querySelector<HTMLIFrameElement>('#frame')
      const heard = new Promise(resolve =>
        addEventListener('message', event => event.data.id === 'second' && resolve(event.data)),
      )
      frame?.contentWindow?.postMessage(
        { seekscope: 1, type: 'open', id: 'second', files: [{ name: 'junk', buffer: new ArrayBuffer(16) }] },
        frame.src,
      )
      return heard
    })
    .then(answer =>
      expect(answer).toMatchObject({
        type: 'failed',
        errors: [{ code: expect.any(String), message: expect.any(String) }],
      }),
    )
})

test('and in a new tab', async ({ page }) => {
  await page.goto(host)
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: NAMES.compareInTab }).click(),
  ])
  await expect(tab.locator('[data-dialog=sender] dialog')).toBeVisible()
  expect(await violations(tab)).toEqual([])
  await tab.getByRole('button', { name: NAMES.open, exact: true }).click()
  await expect(status(page)).toHaveText('Comparing 6.1 and 6.12')
  await expect(chips(tab)).toHaveCount(2)
  await expect(tab).toHaveURL(/label\.A=6\.1&label\.B=6\.12/)
})

test('declined by the user: nothing is opened, and the sender receives the reason', async ({ page }) => {
  await page.goto(host)
  await page.getByRole('button', { name: NAMES.compareHere }).click()
  const frame = page.frameLocator('#frame')
  // Chromium drops clicks on a frame of another origin that appeared or moved less than half a second ago.
  const decline = frame.getByRole('button', { name: NAMES.decline })
  await expect(decline).toBeVisible()
  await expect(async () => {
    if (await decline.isVisible()) await decline.click({ timeout: 1000 })
    await expect(status(page)).toHaveText(/declined/i, { timeout: 1000 })
  }).toPass()
  await expect(chips(frame)).toHaveCount(0)
})

/** Sends to a frame of the app from whatever page this is, and gives back what is heard within one round of `hello`. */
const send = (page: Page, messages: readonly unknown[]) =>
  page.evaluate(
    async ([url, messages]) => {
      const { origin } = new URL(url)
      const frame = document.body.appendChild(document.createElement('iframe'))
      frame.src = url
      const heard: unknown[] = []
      addEventListener('message', event => heard.push(event.data))
      const waitFor = (id: string, resend: () => void) =>
        new Promise<void>(resolve => {
          const timer = setInterval(resend, 100)
          addEventListener('message', event => {
            if (event.data.id !== id) return
            clearInterval(timer)
            resolve()
          })
        })
      const hello = (id: string) =>
        waitFor(id, () => frame.contentWindow?.postMessage({ seekscope: 1, type: 'hello', id }, origin))
      await hello('begin')
      for (const message of messages) frame.contentWindow?.postMessage(message, origin)
      await hello('end')
      return heard.filter(message => !['begin', 'end'].includes((message as { id: string }).id))
    },
    [app.url, messages] as const,
  )

test('wrong messages are refused with the place, foreign ones are passed over', async ({ page }) => {
  await page.goto(`${host}blank`)
  const heard = await send(page, [
    'hello',
    null,
    { type: 'open', id: 'not ours', files: [] },
    { seekscope: 1, type: 'open', id: '1', files: [] },
    { seekscope: 1, type: 'open', id: '2', files: [{ name: 'a', blob: 'no blob' }] },
    { seekscope: 1, type: 'open', id: '3', files: [{ name: '', buffer: {} }] },
    { seekscope: 1, type: 'close', id: '4' },
    { seekscope: 2, type: 'hello', id: '5' },
    { seekscope: 1, type: 'open', id: '6', files: [{ name: 'a' }], title: 5 },
  ])
  expect(heard.map(message => (message as { id: string }).id)).toEqual(['1', '2', '3', '4', '5', '6'])
  for (const message of heard)
    expect(message).toMatchObject({
      seekscope: 1,
      type: 'refused',
      reason: 'bad-message',
      message: expect.stringMatching(/^\w+.*: /),
    })
  await expect(page.frameLocator('iframe').getByRole('dialog')).toHaveCount(0)
})

test('a page of the same origin is not asked about', async ({ page }) => {
  await page.route('**/beside.html', route =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>beside</title>' }),
  )
  await page.goto('./beside.html')
  const trace = [...file('tests/fixtures/io-errors/trace.blktrace.1')]
  await send(page, [])
  const answer = await page.evaluate(async bytes => {
    const frame = document.querySelector('iframe')
    const heard = new Promise(resolve =>
      addEventListener('message', event => event.data.id === 'own' && resolve(event.data)),
    )
    const message = {
      seekscope: 1,
      type: 'open',
      id: 'own',
      files: [{ name: 'mine/trace.blktrace.0', buffer: Uint8Array.from(bytes).buffer }],
      view: 'v=1&t=5..2&url=https://elsewhere.example/',
    }
    frame?.contentWindow?.postMessage(message, location.origin)
    return heard
  }, trace)
  expect(answer).toMatchObject({ type: 'opened', runs: [{ letter: 'A', label: 'mine' }], notRead: [] })
  await expect(page.frameLocator('iframe').getByRole('region', { name: NAMES.linkProblems })).toBeVisible()
})
