/** `npm run test:firefox`: what every browser must do, in Firefox. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serve } from '../../scripts/lib/server.mjs'
import { type Firefox, startFirefox } from './driver'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const downloads = mkdtempSync(join(tmpdir(), 'seekscope-firefox-'))
let host: Awaited<ReturnType<typeof serve>>
let firefox: Firefox
beforeAll(async () => {
  host = await serve(join(ROOT, 'dist'), 0)
  firefox = await startFirefox(process.env.GECKODRIVER ?? 'geckodriver', process.env.FIREFOX ?? 'firefox', downloads)
})
afterAll(async () => {
  await firefox?.quit()
  await host?.close()
  rmSync(downloads, { recursive: true })
})

/** Paths of the per-CPU files of a recording. */
const recording = (name: string, base: string) =>
  readdirSync(join(ROOT, 'tests/fixtures', name))
    .filter(file => file.includes('.blktrace.'))
    .map(file => ({
      name: file.replace(/^[^.]+/, base),
      text: readFileSync(join(ROOT, 'tests/fixtures', name, file)).toString('base64'),
    }))

const PAIR = [...recording('partitions-bfq-1w', 'bfq'), ...recording('partitions-deadline-1w', 'deadline')]

/** Drops the files in `args[0]` on the page. */
const DROP = `const dataTransfer = new DataTransfer()
    for (const { name, text } of args[0]) dataTransfer.items.add(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], name))
    for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))`
const drop = (files: readonly { readonly name: string; readonly text: string }[]) => firefox.run(DROP, files)

const waitForRuns = (runs: number) =>
  firefox.until(
    `${runs} complete runs`,
    'return document.querySelectorAll(".chip .chip-quality").length === args[0]',
    runs,
  )
const compared = () =>
  firefox.until('the main figures', 'return document.querySelector(".main-figures .change") !== null')
const readSentence = () => firefox.text('.headline-sentence')

/** Clicks the button with these words. */
const press = async (words: string) => {
  await firefox.until(
    `a button ${words}`,
    'const button = [...document.querySelectorAll("button")].find(b => b.textContent.trim() === args[0] && !b.disabled); if (button) button.dataset.firefox = args[0]; return button !== undefined',
    words,
  )
  await firefox.click(`[data-firefox="${words}"]`)
}

const link = async (): Promise<string> => {
  await firefox.until('a link', 'return /&s=/.test(document.querySelector(".share-address")?.value)')
  return firefox.run<string>('return document.querySelector(".share-address").value')
}

let expected = ''

test('dropped traces are compared', async () => {
  await firefox.open(host.url)
  await drop(PAIR)
  await waitForRuns(2)
  await compared()
  expected = await readSentence()
  expect(expected).toMatch(/\w/)
})

test('a tab behind another one reads and compares what was dropped', async () => {
  await firefox.open(host.url)
  await firefox.run(
    `const channel = new BroadcastChannel('behind')
    const compared = () => document.querySelector('.main-figures .change') !== null
    channel.onmessage = () => channel.postMessage({ compared: compared(), state: document.visibilityState })
    addEventListener('visibilitychange', () => { if (document.visibilityState === 'hidden') { ${DROP} } }, { once: true })`,
    PAIR,
  )
  const back = await firefox.tab()
  await firefox.open(`${host.url}docs/index.html`)
  await firefox.until(
    'a comparison in the tab behind',
    `const channel = new BroadcastChannel('behind')
    const answer = await new Promise(resolve => { channel.onmessage = ({ data }) => resolve(data); channel.postMessage('?') })
    channel.close()
    return answer.compared && answer.state === 'hidden'`,
  )
  await back()
  await waitForRuns(2)
  expect(await readSentence()).toBe(expected)
})

test('a key zooms, and the address has the range', async () => {
  await firefox.type('w')
  await firefox.until('a range in the address', 'return /[#&]t=/.test(location.hash)')
  await firefox.type('0')
  await firefox.until('no range in the address', 'return !/[#&]t=/.test(location.hash)')
})

let shared = ''

test('a snapshot link opens with the same findings', async () => {
  await press('Share')
  shared = await link()
  await firefox.open('about:blank')
  await firefox.open(shared)
  await waitForRuns(2)
  await compared()
  expect(await readSentence()).toBe(expected)
  expect(await firefox.text('.sender-line')).toContain('as the sender of this link made them')
})

test('a report is saved, and opens from a disk', async () => {
  await press('Share')
  await firefox.click('.share-card:nth-of-type(2) input')
  await press('Save report')
  await firefox.until(
    'the report is saved',
    'return [...document.querySelectorAll("button")].some(b => b.textContent.startsWith("Saved, "))',
  )
  const saved = () => readdirSync(downloads).filter(name => name.endsWith('.html'))
  await expect.poll(() => [saved().length, readdirSync(downloads).length], { timeout: 30_000 }).toEqual([1, 1])
  await firefox.open(pathToFileURL(join(downloads, saved()[0] ?? '')).href)
  await waitForRuns(2)
  await compared()
  expect(await readSentence()).toBe(expected)
})

test('a page in whose frame it is cannot have its files opened there: the question opens in a tab', async () => {
  const embedding = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>a page</title>'),
  )
  await new Promise<void>(resolve => embedding.listen(0, '127.0.0.1', resolve))
  await firefox.open(`http://127.0.0.1:${(embedding.address() as AddressInfo).port}/`)
  await firefox.run(
    `const [url, files] = args
    const frame = document.body.appendChild(document.createElement('iframe'))
    frame.style = 'width: 900px; height: 800px'
    frame.src = url
    window.replies = []
    addEventListener('message', ({ data }) => replies.push(data))
    await new Promise(done => {
      const timer = setInterval(() => {
        if (replies.some(({ type }) => type === 'ready')) done(clearInterval(timer))
        else frame.contentWindow.postMessage({ seekscope: 1, type: 'hello', id: 'hello' }, '*')
      }, 100)
    })
    const sent = files.map(({ name, text }) => ({ name, blob: new Blob([Uint8Array.from(atob(text), c => c.charCodeAt(0))]) }))
    frame.contentWindow.postMessage({ seekscope: 1, type: 'open', id: 'open', files: sent }, '*')`,
    host.url,
    PAIR,
  )
  await firefox.intoFrame('iframe')
  await firefox.until('the question', 'return document.querySelector("[data-dialog=sender] .dialog-foot") !== null')
  const buttons = await firefox.run<string[]>(
    'return [...document.querySelectorAll("dialog button")].map(b => b.textContent)',
  )
  expect(buttons).toEqual(['Open in a new tab', 'Cancel'])
  await press('Open in a new tab')
  await firefox.window(2)
  await press('Open')
  await waitForRuns(2)
  await compared()
  expect(await readSentence()).toBe(expected)
  embedding.closeAllConnections()
  embedding.close()
})

test('after a visit it works without its host', async () => {
  await firefox.open(host.url)
  await firefox.until(
    'the service worker',
    'return (await navigator.serviceWorker.ready).active?.state === "activated"',
  )
  await host.close()
  await firefox.open('about:blank')
  await firefox.open(shared)
  await waitForRuns(2)
  await compared()
  expect(await readSentence()).toBe(expected)
  await firefox.open(host.url)
  await drop(PAIR)
  await waitForRuns(2)
  await compared()
  expect(await readSentence()).toBe(expected)
})
