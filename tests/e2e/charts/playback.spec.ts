import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { readWebm } from '../../webm'
import { NAMES } from '../support/names'
import { violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const IDLING = './#v=1&sample=idling'

/** A request as `seekscope requests` exports it, ns. */
interface Exported {
  readonly issued: number
  readonly completed: number
  readonly bytes: number
}

/** All requests of a sample, by the command line. */
function exportRequests(sample: string): readonly Exported[] {
  const { stdout } = spawnSync(process.execPath, ['cli/seekscope.mjs', 'requests', `public/samples/${sample}`], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const [head = '', ...lines] = stdout.trim().split('\n')
  const names = head.split(',')
  // Quoted fields of this table have one comma each.
  const rows = lines.map(line => line.replace(/"[^"]*"/g, '-').split(','))
  const fieldOf = (row: readonly string[], name: string) => Number(row[names.indexOf(name)])
  return rows.map(row => ({
    issued: fieldOf(row, 'issued_ns'),
    completed: fieldOf(row, 'completed_ns'),
    bytes: fieldOf(row, 'bytes'),
  }))
}

const dialog = (page: Page) => page.getByRole('dialog', { name: NAMES.playback })
const table = (page: Page) => page.locator('#play-table')
const timeOf = async (page: Page) => Number(await table(page).getAttribute('data-time'))
const message = (page: Page) => dialog(page).locator('.play-said')

async function open(page: Page, address = IDLING) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(address)
  await page.reload()
  await waitForRuns(page, 2)
  await page.keyboard.press('k')
  await expect(table(page)).toBeAttached()
}

/** Moves the slider to a time, and waits for its picture. */
async function seek(page: Page, t: number) {
  await dialog(page).getByRole('slider', { name: NAMES.time }).fill(String(t))
  await expect(table(page)).toHaveAttribute('data-time', String(t))
}

const counter = async (page: Page, run: string, key: string) =>
  (await table(page).locator(`tr[data-run="${run}"] td[data-counter="${key}"]`).textContent())?.replace(/^[^:]*: /, '')

test('the counters are those of the exported requests at that time', async ({ page }) => {
  const { errors } = watch(page)
  await open(page)
  const window = Number(await table(page).getAttribute('data-window'))
  expect(window).toBe(1e9)
  for (const [run, sample] of [
    ['A', 'idling/a'],
    ['B', 'idling/b'],
  ] as const) {
    const requests = exportRequests(sample)
    expect(requests).toHaveLength(1280)
    for (const t of [1_500_000_000, 2_620_000_000, 3_900_000_001]) {
      await seek(page, t)
      const completed = requests.filter(r => r.completed <= t)
      const last = completed.filter(r => r.completed > t - window)
      await expect(table(page).locator(`tr[data-run="${run}"]`)).toContainText(
        `${completed.length.toLocaleString('en')} of 1,280 reads and writes`,
      )
      expect(await counter(page, run, 'iops'), `${run} ${t}`).toBe(String(last.length))
      expect(await counter(page, run, 'depth'), `${run} ${t}`).toBe(
        String(requests.filter(r => r.issued <= t && r.completed > t).length),
      )
      expect(Number.parseFloat((await counter(page, run, 'done')) ?? ''), `${run} ${t}`).toBeCloseTo(
        (completed.length * 4096) / 2 ** 20,
        1,
      )
    }
  }
  expect(errors).toEqual([])
})

test('plays, pauses, goes faster, repeats and ends, with buttons and keys', async ({ page }) => {
  await open(page)
  // Reduced motion: it does not start by itself.
  await expect(dialog(page).getByRole('button', { name: NAMES.play })).toBeFocused()
  expect(await timeOf(page)).toBe(0)
  await page.keyboard.press('k')
  await expect(dialog(page).getByRole('button', { name: NAMES.pausePlay })).toBeVisible()
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0)
  await page.keyboard.press(' ')
  await expect(dialog(page).getByRole('button', { name: NAMES.play })).toBeVisible()
  const paused = await timeOf(page)
  const speed = dialog(page).locator('.play-speed b')
  await expect(speed).toHaveText('0.3×')
  await page.keyboard.press('[')
  await expect(speed).toHaveText('0.2×')
  for (const key of [']', '+', ']']) await page.keyboard.press(key)
  await expect(speed).toHaveText('0.6×')
  expect(await timeOf(page), 'another speed shows the same time').toBe(paused)
  await page.keyboard.press('End')
  await expect(table(page)).toHaveAttribute('data-time', /^77\d{8}$/)
  const end = await timeOf(page)
  await expect(table(page).locator('tr[data-run="B"]')).toContainText('1,280 of 1,280')
  await page.keyboard.press('l')
  await expect(dialog(page).getByRole('button', { name: NAMES.repeat })).toHaveAttribute('aria-pressed', 'true')
  // From the end it begins again, and at the end once more.
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(() => timeOf(page)).toBeLessThan(end)
  await page.keyboard.press('k')
  await expect.poll(() => timeOf(page)).toBeLessThan(end / 2)
  await page.keyboard.press('Home')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.locator('.chip')).toHaveCount(2)
})

test('steps go to the next and the previous event of any run', async ({ page }) => {
  await open(page)
  const times = [...exportRequests('idling/a'), ...exportRequests('idling/b')]
    .flatMap(r => [r.issued, r.completed])
    .sort((a, b) => a - b)
  const start = 2_620_000_000
  await seek(page, start)
  const later = times.filter(t => t > start)
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press(i === 1 ? '.' : 'ArrowRight')
    await expect(table(page)).toHaveAttribute('data-time', String(later[i]))
    await expect(message(page)).toHaveText(/^[AB]: 1 (issued|completed)$/)
  }
  await dialog(page).getByRole('button', { name: NAMES.previousEvent }).click()
  await expect(table(page)).toHaveAttribute('data-time', String(later[1]))
  await page.keyboard.press('End')
  await dialog(page).getByRole('button', { name: NAMES.nextEvent }).click()
  await expect(message(page)).toHaveText('No later event in this range.')
})

test('without reduced motion it starts by itself; only the range in view is played', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(`${IDLING}&t=2..3`)
  await page.reload()
  await waitForRuns(page, 2)
  await page.getByRole('button', { name: NAMES.play, exact: true }).first().click()
  await expect(dialog(page).getByRole('button', { name: NAMES.pausePlay })).toBeVisible()
  await expect.poll(() => timeOf(page)).toBeGreaterThan(2e9)
  const slider = dialog(page).getByRole('slider', { name: NAMES.time })
  expect([await slider.getAttribute('min'), await slider.getAttribute('max')]).toEqual(['2000000000', '3000000000'])
  await expect(dialog(page).locator('.play-speed b')).toHaveText('0.04×')
})

test('on a phone everything is in sight, large enough to touch, and has a name', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page)
  await seek(page, 2_620_000_000)
  for (const name of [
    NAMES.play,
    NAMES.previousEvent,
    NAMES.nextEvent,
    NAMES.slower,
    NAMES.faster,
    NAMES.repeat,
    NAMES.saveVideo,
    'Close',
  ]) {
    const box = await dialog(page).getByRole('button', { name, exact: true }).boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844 && box.height >= 44, name).toBe(
      true,
    )
  }
  const canvas = await dialog(page).locator('canvas').boundingBox()
  const slider = await dialog(page).getByRole('slider').boundingBox()
  expect((canvas?.y ?? 0) + (canvas?.height ?? 0)).toBeLessThanOrEqual(slider?.y ?? 0)
  expect(await violations(page, { within: 'dialog' })).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(page, { within: 'dialog', rules: ['color-contrast'] })).toEqual([])
})

test('the picture changes as time goes on, and is the same at the same time', async ({ page }) => {
  await open(page)
  const picture = () =>
    dialog(page)
      .locator('canvas')
      .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  await seek(page, 1_500_000_000)
  const first = await picture()
  await seek(page, 2_500_000_000)
  expect(await picture()).not.toBe(first)
  await seek(page, 1_500_000_000)
  expect(await picture()).toBe(first)
})

test('a saved video has every frame; a cancelled one is not saved', async ({ page }, info) => {
  await open(page)
  await page.getByRole('button', { name: NAMES.saveVideo }).click()
  const form = page.getByRole('dialog', { name: NAMES.saveVideo })
  await form.getByLabel(NAMES.length).fill('0')
  await expect(form.getByRole('button', { name: NAMES.saveWebm })).toBeDisabled()
  await form.getByLabel(NAMES.length).fill('300')
  await form.getByRole('button', { name: NAMES.saveWebm }).click()
  await expect(form.getByRole('status')).toHaveText(/^Frame \d+ of 9,000/)
  await form.getByRole('button', { name: NAMES.cancel }).click()
  await expect(form.getByRole('status')).toHaveText('Cancelled, nothing saved.')
  await form.getByLabel(NAMES.length).fill('2')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: NAMES.saveWebm }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/playback\.webm$/)
  const path = info.outputPath('film.webm')
  await download.saveAs(path)
  const facts = readWebm(readFileSync(path))
  expect(facts).toMatchObject({
    docType: 'webm',
    width: 1280,
    height: 720,
    durationMs: 2000,
    keyFrames: [0],
    cues: [0],
  })
  expect(facts.codec).toMatch(/^V_VP[89]$/)
  expect(facts.frames).toEqual(Array.from({ length: 60 }, (_, i) => Math.round((i * 1000) / 30)))
  // The browser plays it; the policy of the page allows no films in it.
  const viewer = await page.context().newPage()
  const played = await viewer.evaluate(async bytes => {
    const video = document.createElement('video')
    video.src = URL.createObjectURL(
      new Blob([Uint8Array.from(atob(bytes), c => c.charCodeAt(0))], { type: 'video/webm' }),
    )
    await new Promise((resolve, reject) => {
      video.onloadeddata = resolve
      video.onerror = () => reject(new Error(video.error?.message))
    })
    return [video.videoWidth, video.videoHeight, video.duration]
  }, readFileSync(path).toString('base64'))
  expect(played).toEqual([1280, 720, 2])
  await form.getByRole('button', { name: 'Close' }).click()
  await expect(dialog(page)).toBeVisible()
})

test.describe('in a page without WebCodecs', () => {
  test.use({ fresh: true })
  test('there is still a GIF, with its own bounds', async ({ page }, info) => {
    await page.addInitScript(() => Reflect.deleteProperty(window, 'VideoEncoder'))
    await open(page)
    await page.getByRole('button', { name: NAMES.saveVideo }).click()
    const form = page.getByRole('dialog', { name: NAMES.saveVideo })
    await expect(form.getByLabel(NAMES.filmFormat, { exact: true })).toBeDisabled()
    await expect(form.getByText(/WebCodecs/)).toBeVisible()
    const save = form.getByRole('button', { name: NAMES.saveGif })
    await form.getByLabel(NAMES.length).fill('61')
    await expect(save).toBeDisabled()
    await form.getByLabel(NAMES.length).fill('1')
    expect(await violations(page, { within: 'dialog' })).toEqual([])
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
    expect(download.suggestedFilename()).toMatch(/playback\.gif$/)
    const path = info.outputPath('film.gif')
    await download.saveAs(path)
    const bytes = readFileSync(path)
    expect([bytes.toString('latin1', 0, 6), bytes.readUInt16LE(6), bytes.readUInt16LE(8), bytes.at(-1)]).toEqual([
      'GIF89a',
      960,
      540,
      0x3b,
    ])
  })
})

test('a snapshot has no requests to play, and says so', async ({ page }) => {
  const { stdout } = spawnSync(
    process.execPath,
    ['cli/seekscope.mjs', 'link', '--base', 'http://x/', 'public/samples/osync/a', 'public/samples/osync/b'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
  await page.goto(`./${new URL(stdout.trim()).hash}`)
  await page.reload()
  await expect(page.locator('.chip')).toHaveCount(2)
  await page.keyboard.press('k')
  await expect(dialog(page)).toContainText('Playback needs the traces')
  await expect(dialog(page).getByRole('slider')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
})
