/** Pages that frame Seekscope and try to have the reader confirm what cannot be seen. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type FrameLocator, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { drop, recording, waitForRuns } from '../support/page'
import { test } from '../support/recorded'
import { startServer, stopServer } from '../support/servers'

const ARCHIVE = readFileSync(join(fileURLToPath(new URL('.', import.meta.url)), '../../containers/run.tar.xz'))

/** Ways to hide a frame from the reader while clicks still reach it. */
const HIDDEN = {
  transparent: 'opacity: 0',
  'almost transparent': 'opacity: 0.01',
  blurred: 'filter: blur(40px)',
  'covered by a picture that lets clicks through': 'z-index: -1',
} as const

/**
 * A hostile host: a page with two frames, a visible and a hidden one, and traces. `fetched` are the paths of its traces
 * that were requested.
 */
const fetched: string[] = []
const hostile = createServer((request, response) => {
  const path = request.url ?? ''
  if (path === '/')
    return response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>a game</title><body style="margin: 0">')
  if (path !== '/favicon.ico') fetched.push(path)
  response
    .writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/octet-stream' })
    .end(ARCHIVE)
})

let host = ''
const app = { url: '' }
test.use({ fresh: true })
test.beforeAll(async () => {
  host = `${await startServer(hostile)}/`
})
test.afterAll(() => stopServer(hostile))
test.beforeEach(async ({ page, baseURL, requests }) => {
  fetched.length = 0
  app.url = baseURL ?? ''
  requests.own(host)
  await page.setViewportSize({ width: 1400, height: 700 })
  await page.goto(host)
})

/**
 * Two frames side by side: the right one is visible, the left one has `style`; with a cover that lets clicks through if
 * it is behind it.
 */
const frames = (page: Page, style: string, fragment = '') =>
  page.evaluate(
    ([url, style]) => {
      const frame = (id: string, left: number, style: string) => {
        const element = document.createElement('iframe')
        Object.assign(element, { id, src: url })
        element.style.cssText = `position: absolute; left: ${left}px; top: 0; width: 700px; height: 700px; border: 0; ${style}`
        document.body.append(element)
      }
      frame('hidden', 0, style)
      frame('visible', 700, '')
      if (!style.includes('z-index')) return
      const cover = document.createElement('div')
      cover.style.cssText =
        'position: absolute; left: 0; top: 0; width: 700px; height: 700px; background: gold; pointer-events: none'
      document.body.append(cover)
    },
    [`${app.url}${fragment}`, style] as const,
  )

/** Hands an archive to a window; its replies are in `window.replies` by id. */
const postArchive = (page: Page, id: string, to: string) =>
  page.evaluate(
    async ([origin, bytes, id, to]) => {
      const state = window as unknown as { replies?: Record<string, unknown>; tab?: Window }
      if (!state.replies) {
        const replies: Record<string, unknown> = {}
        state.replies = replies
        addEventListener('message', ({ data }) => {
          replies[data.id] = data
        })
      }
      const target = to === 'tab' ? state.tab : document.querySelector<HTMLIFrameElement>(`#${to}`)?.contentWindow
      const ready = `${id} hello`
      await new Promise<void>(resolve => {
        const timer = setInterval(() => {
          if (state.replies?.[ready]) resolve(clearInterval(timer))
          else target?.postMessage({ seekscope: 1, type: 'hello', id: ready }, '*')
        }, 50)
      })
      const blob = new Blob([Uint8Array.from(atob(bytes), c => c.charCodeAt(0))])
      target?.postMessage({ seekscope: 1, type: 'open', id, files: [{ name: `${id}.tar.xz`, blob }] }, origin)
    },
    [new URL(app.url).origin, ARCHIVE.toString('base64'), id, to] as const,
  )

const reply = (page: Page, id: string) =>
  page.evaluate(id => (window as unknown as { replies: Record<string, unknown> }).replies[id], id)

const open = (frame: FrameLocator | Page) => frame.getByRole('button', { name: NAMES.open, exact: true })

/** Where a hidden button is, whatever Playwright believes of its visibility: the visible frame has the same page. */
async function clickHidden(page: Page) {
  const box = await open(page.frameLocator('#visible')).boundingBox()
  if (!box) throw new Error('the button has no place')
  await page.mouse.click(box.x - 700 + box.width / 2, box.y + box.height / 2)
}

for (const [name, style] of Object.entries(HIDDEN)) {
  test(`${name}: a click on the consent for another page’s files does nothing`, async ({ page }) => {
    await frames(page, style)
    for (const id of ['hidden', 'visible']) await postArchive(page, id, id)
    const [hidden, visible] = [page.frameLocator('#hidden'), page.frameLocator('#visible')]
    await expect(hidden.getByRole('dialog')).toContainText('hidden.tar.xz')
    // The hidden frame has been there as long as the visible one.
    await expect(open(visible)).toBeEnabled()
    await clickHidden(page)
    await open(visible).click()
    await expect.poll(() => reply(page, 'visible')).toMatchObject({ type: 'opened' })
    expect(await reply(page, 'hidden')).toBeUndefined()
    await expect(hidden.getByRole('dialog')).toContainText('hidden.tar.xz')
    await expect(hidden.locator('.chip')).toHaveCount(0)
  })

  test(`${name}: a click on the consent for a download does nothing`, async ({ page, requests }) => {
    requests.confirm(host)
    await frames(page, style, `#v=1&url=${encodeURIComponent(`${host}a.tar.xz`)}`)
    const [hidden, visible] = [page.frameLocator('#hidden'), page.frameLocator('#visible')]
    await expect(hidden.getByRole('dialog')).toContainText('a.tar.xz')
    await expect(open(visible)).toBeEnabled()
    await clickHidden(page)
    await open(visible).click()
    await expect(visible.locator('.chip')).toHaveCount(1)
    expect(fetched).toEqual(['/a.tar.xz'])
    await expect(hidden.locator('.chip')).toHaveCount(0)
  })
}

test('a frame that becomes visible can be confirmed half a second later, and not before', async ({ page }) => {
  await frames(page, HIDDEN.transparent)
  await postArchive(page, 'hidden', 'hidden')
  const hidden = page.frameLocator('#hidden')
  await expect(open(hidden)).toBeDisabled()
  const since = await page.evaluate(() => {
    const frame = document.querySelector<HTMLIFrameElement>('#hidden')
    if (frame) frame.style.opacity = '1'
    return performance.timeOrigin + performance.now()
  })
  const enabled = await open(hidden).evaluate(
    button =>
      new Promise<number>(resolve => {
        const look = () =>
          button.matches(':enabled') ? resolve(performance.timeOrigin + performance.now()) : requestAnimationFrame(look)
        look()
      }),
  )
  expect(enabled - since).toBeGreaterThanOrEqual(500)
  await open(hidden).click()
  await expect.poll(() => reply(page, 'hidden')).toMatchObject({ type: 'opened' })
})

test('from a frame that the reader cannot trust, the question moves to a tab of its own, and the answer comes back', async ({
  page,
}) => {
  await frames(page, HIDDEN.transparent)
  await postArchive(page, 'hidden', 'hidden')
  const inTab = page.frameLocator('#hidden').getByRole('button', { name: NAMES.openInTab })
  const [tab] = await Promise.all([page.waitForEvent('popup'), inTab.dispatchEvent('click')])
  const dialog = tab.getByRole('dialog')
  await expect(dialog.getByRole('heading').first()).toContainText(new URL(host).host)
  await expect(dialog).toContainText('hidden.tar.xz')
  expect(await reply(page, 'hidden')).toBeUndefined()
  await open(tab).click()
  await waitForRuns(tab, 1)
  await expect.poll(() => reply(page, 'hidden')).toMatchObject({ type: 'opened', runs: [{ letter: 'A' }] })
  await expect(page.frameLocator('#hidden').locator('.chip')).toHaveCount(0)
})

test('a link in a frame opens in a tab of its own, which asks there', async ({ page, requests }) => {
  requests.confirm(host)
  await frames(page, HIDDEN.transparent, `#v=1&url=${encodeURIComponent(`${host}a.tar.xz`)}&label.A=mine`)
  const inTab = page.frameLocator('#hidden').getByRole('button', { name: NAMES.openInTab })
  const [tab] = await Promise.all([page.waitForEvent('popup'), inTab.dispatchEvent('click')])
  await expect(tab.getByRole('dialog')).toContainText('a.tar.xz')
  expect(fetched).toEqual([])
  await open(tab).click()
  await waitForRuns(tab, 1)
  await expect(tab.locator('.chip')).toContainText('mine')
})

test.describe('a sender that was allowed once', () => {
  /** A tab of Seekscope, opened and allowed by the page. */
  async function openAllowed(page: Page): Promise<Page> {
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(url => {
        Object.assign(window, { tab: window.open(url) })
      }, app.url),
    ])
    await postArchive(page, 'first', 'tab')
    await open(tab).click()
    await waitForRuns(tab, 1)
    await expect.poll(() => reply(page, 'first')).toMatchObject({ type: 'opened' })
    return tab
  }

  test('replaces its own runs without a question', async ({ page }) => {
    const tab = await openAllowed(page)
    await postArchive(page, 'second', 'tab')
    await expect.poll(() => reply(page, 'second')).toMatchObject({ type: 'opened' })
    await waitForRuns(tab, 1)
  })

  test('does not replace a run that the reader added, until the reader agrees', async ({ page }) => {
    const tab = await openAllowed(page)
    await drop(tab, recording('io-errors'))
    await waitForRuns(tab, 2)
    await postArchive(page, 'second', 'tab')
    await expect(tab.getByRole('dialog')).toContainText('They replace the 2 runs open now.')
    await tab.getByRole('button', { name: NAMES.decline }).click()
    await expect.poll(() => reply(page, 'second')).toMatchObject({ type: 'refused', reason: 'reader' })
    await expect(tab.locator('.chip')).toHaveCount(2)
  })

  test('nor what the reader opened after closing its runs, traces or results', async ({ page }) => {
    const tab = await openAllowed(page)
    await tab.getByRole('button', { name: NAMES.home }).click()
    await drop(tab, recording('io-errors'))
    await waitForRuns(tab, 1)
    await postArchive(page, 'second', 'tab')
    await expect(tab.getByRole('dialog')).toContainText('They replace the 1 run open now.')
    await tab.getByRole('button', { name: NAMES.decline }).click()
    await tab.getByRole('button', { name: NAMES.home }).click()
    await drop(tab, [
      {
        name: 'sizes.txt',
        bytes: readFileSync(join(fileURLToPath(new URL('.', import.meta.url)), '../../tables/sizes.txt')),
      },
    ])
    await expect(tab.locator('.results-page')).toBeVisible()
    await postArchive(page, 'third', 'tab')
    await expect(tab.getByRole('dialog')).toContainText(/They replace the \d+ runs? open now\./)
    await open(tab).click()
    await expect.poll(() => reply(page, 'third')).toMatchObject({ type: 'opened' })
    await expect(tab.locator('.chip')).toHaveCount(1)
  })
})
