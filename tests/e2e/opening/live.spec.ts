/** A stream that the real command serves is followed, and becomes an ordinary run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { recordLength } from '../../../web/engine/live/records'
import { buffersOf, growingFolder } from '../../streams'
import { chip, drop, recording, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const running: ChildProcess[] = []
test.afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

function start(...args: string[]) {
  const child = spawn(process.execPath, [join(ROOT, 'dist-cli/seekscope.mjs'), 'open', '--no-browser', ...args])
  running.push(child)
  return child
}

const linkOf = async (child: ReturnType<typeof start>) => String((await once(child.stdout, 'data'))[0]).trim()

/** `seekscope open -`, and the link that it prints once the first bytes have come. */
async function openStream(first: Buffer) {
  const child = start('-')
  child.stdin.write(first)
  return { child, link: await linkOf(child) }
}

const buffers = buffersOf('partitions-bfq-1w')

/** The recording once more, `times` 10 s later. */
const shiftRecording = (times: number): Buffer => {
  const bytes = Buffer.from(Buffer.concat(buffers))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (
    let offset = 0, length = recordLength(view, 0);
    length > 0;
    offset += length, length = recordLength(view, offset)
  )
    view.setBigUint64(offset + 8, view.getBigUint64(offset + 8, true) + BigInt(times) * 10_000_000_000n, true)
  return bytes
}

const tile = (page: Page, figure: string) => page.locator(`.stream-tile[data-figure="${figure}"] strong`)

test('a stream is drawn while it comes, paused, followed, and ends as a complete run', async ({ page, requests }) => {
  const { child, link } = await openStream(buffers[0] ?? Buffer.alloc(0))
  requests.own(link)
  await page.goto(link)
  // The first buffer has the names of tasks only.
  await expect(page.locator('.stream-tag')).toHaveText('waiting')
  for (const buffer of buffers.slice(1)) child.stdin.write(buffer)
  for (let i = 1; i < 10; i++) child.stdin.write(shiftRecording(i))
  await expect(page.locator('.stream-tag')).toHaveText('live')
  await expect(tile(page, 'iops')).not.toHaveText('0')
  await expect(page.locator('.minimap-range')).toBeVisible()
  // The last minute is in view.
  await expect(page.locator('.time-words p').first()).toHaveText(/^Full run › 3\d(\.\d+)? to 9\d(\.\d+)? s$/)
  await expect(page.locator('.stream-strip svg')).toBeVisible()
  await page.keyboard.press('f')
  await expect(page.locator('.stream-tag')).toHaveText('paused')
  const words = await page.locator('.time-words p').first().textContent()
  for (let i = 10; i < 14; i++) child.stdin.write(shiftRecording(i))
  await expect(page.locator('.stream-state')).toContainText('0:02:')
  expect(await page.locator('.time-words p').first().textContent()).toBe(words)
  await page.getByRole('button', { name: 'Follow' }).click()
  await expect(page.locator('.stream-tag')).toHaveText('live')
  // A zoom by hand pauses.
  await page.keyboard.press('w')
  await expect(page.locator('.stream-tag')).toHaveText('paused')
  child.stdin.end()
  await expect(page.locator('.streamed')).toHaveAttribute('data-why', 'end')
  await expect(page.getByRole('region', { name: 'Summary' })).toBeVisible()
  await expect(chip(page, 'A')).toContainText('complete')
  await expect(page.getByRole('button', { name: 'Share' })).toBeEnabled()
})

test('a page that is loaded again has all of it again; a stream that breaks off keeps what came', async ({
  page,
  requests,
}) => {
  const { child, link } = await openStream(Buffer.concat(buffers))
  requests.own(link)
  await page.goto(link)
  await expect(tile(page, 'iops')).toBeVisible()
  await page.reload()
  await expect(tile(page, 'iops')).toBeVisible()
  child.stdin.end((buffers[0] ?? Buffer.alloc(0)).subarray(0, 30))
  await expect(page.locator('.streamed')).toHaveAttribute('data-why', 'broken')
  await expect(page.locator('.streamed')).toContainText('30 bytes of it arrived')
})

test('after Ctrl-C in the command the page keeps what came', async ({ page, requests }) => {
  const { child, link } = await openStream(Buffer.concat(buffers))
  requests.own(link)
  await page.goto(link)
  await expect(tile(page, 'iops')).toBeVisible()
  child.kill('SIGINT')
  await expect(page.locator('.streamed')).toHaveAttribute('data-why', 'interrupted')
  await expect(page.getByRole('region', { name: 'Summary' })).toBeVisible()
  await expect.poll(() => child.signalCode).toBe('SIGINT')
})

test('lost events and a killed command are said, and another host is refused', async ({ page, requests }) => {
  const all = Buffer.concat(buffers)
  // A record of an event is left out: its number is missing.
  let lost = Math.floor(all.length / 2)
  const view = new DataView(all.buffer, all.byteOffset, all.byteLength)
  for (
    let offset = 0, length = recordLength(view, 0);
    length > 0;
    offset += length, length = recordLength(view, offset)
  )
    if (offset <= all.length / 2 && view.getUint32(offset + 4, true) > 0) lost = offset
  const { child, link } = await openStream(
    Buffer.concat([all.subarray(0, lost), all.subarray(lost + recordLength(view, lost))]),
  )
  requests.own(link)
  await page.goto(link)
  await expect(page.locator('[data-trouble="lost-events"]')).toBeVisible()
  child.kill('SIGKILL')
  await expect(page.locator('.streamed')).toHaveAttribute('data-why', 'lost')
  await expect(chip(page, 'A')).toBeVisible()
  await page.goto('about:blank')
  await page.goto('/#v=1&live=http%3A%2F%2F127.0.0.1%3A9%2Fx%2Flive%2F1')
  await expect(page.getByRole('dialog')).toContainText(
    'A stream is followed only from the command that serves this page.',
  )
})

/** Events of which the page says that they have come. */
const arrivedEvents = async (page: Page): Promise<number> =>
  Number((/([\d,]+) events/.exec(await page.locator('.stream-state').innerText())?.[1] ?? '0').replaceAll(',', ''))

/** What a reader takes from the page of one run, once it has what held the run back, which comes last. */
const figures = async (page: Page) => {
  await waitForRuns(page, 1)
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary.locator('[data-alone] code')).not.toHaveCount(0)
  return { summary: await summary.innerText(), quality: await chip(page, 'A').locator('.chip-quality').innerText() }
}

test('a folder that blktrace writes is followed file by file, and ends with the figures of the complete recording', async ({
  page,
  requests,
}) => {
  const name = 'raid5-misaligned'
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-follow-'))
  try {
    const growing = growingFolder(name, folder)
    const child = start('--follow', folder)
    const link = await linkOf(child)
    requests.own(link)
    await page.goto(link)
    // The page must also show a stream that has no events so far.
    await expect(page.getByRole('region', { name: 'Live' })).toHaveAttribute('data-shown')
    await expect(page.locator('.stream-tag')).toHaveText('waiting')
    let events = 0
    for (const [from, to] of [
      [1, 30],
      [31, 60],
      [61, 100],
    ] as const) {
      for (let part = from; part <= to; part++) growing.grow(part / 100)
      await expect.poll(() => arrivedEvents(page), { message: `${to} % of the records` }).toBeGreaterThan(events)
      events = await arrivedEvents(page)
      await expect(tile(page, 'iops').first()).not.toHaveText('0')
    }
    await expect(page.locator('.stream-tag')).toHaveText('live')
    growing.end()
    await expect(page.locator('.streamed')).toHaveAttribute('data-why', 'end')
    const followed = await figures(page)
    await page.goto('about:blank')
    await page.goto('./')
    await drop(page, recording(name))
    expect(await figures(page)).toEqual(followed)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
