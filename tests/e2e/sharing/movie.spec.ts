import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { readWebm } from '../../webm'
import { waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

interface Ended {
  readonly code: number | null
  readonly messages: string
}

/** `seekscope movie` with this PATH and a folder of its own for temporary files. */
function runMovie(args: readonly string[], path: string, temporary: string): Promise<Ended> {
  const child = spawn(process.execPath, [join(ROOT, 'cli/seekscope.mjs'), 'movie', ...args], {
    cwd: join(ROOT, 'public/samples'),
    env: { ...process.env, PATH: path, TMPDIR: temporary },
  })
  let messages = ''
  child.stderr.on('data', text => {
    messages += text
  })
  return new Promise(resolve => child.once('exit', code => resolve({ code, messages })))
}

const folders: string[] = []
const createFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'seekscope-film-'))
  folders.push(path)
  return path
}
test.afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true })
})

/** A GIF as the browser decodes it; runs in the page. */
async function decodeGif(base64: string) {
  const data = Uint8Array.from(atob(base64), c => c.charCodeAt(0))
  const decoder = new ImageDecoder({ data, type: 'image/gif' })
  await decoder.completed
  await decoder.tracks.ready
  const track = decoder.tracks.selectedTrack
  const frames = track?.frameCount ?? 0
  const [durations, pictures, ground] = [[] as number[], [] as string[], [] as number[]]
  let [width, height, colours] = [0, 0, 0]
  for (let frameIndex = 0; frameIndex < frames; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex })
    width = image.displayWidth
    height = image.displayHeight
    durations.push((image.duration ?? 0) / 1000)
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    canvas?.drawImage(image, 0, 0)
    image.close()
    const pixels = canvas?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
    if (frameIndex === 0 || frameIndex === frames - 1) ground.push(...pixels.slice(0, 3))
    const sum = await crypto.subtle.digest('SHA-256', pixels)
    pictures.push(new Uint8Array(sum).slice(0, 8).join(' '))
    colours = new Set(new Uint32Array(pixels.buffer)).size
  }
  return { width, height, frames, repeats: track?.repetitionCount, durations, pictures, ground, colours }
}

test('seekscope movie: a browser from PATH draws the film; nothing of it is left behind', async ({ page }) => {
  const [bin, temporary, target] = [createFolder(), createFolder(), createFolder()]
  symlinkSync(CHROMIUM, join(bin, 'chromium'))
  const file = join(target, 'idling.webm')
  const size = ['--resolution', '640x360', '--fps', '10', '--duration', '3', '--title', 'two runs', '--dark']
  const ended = await runMovie(['idling/a', 'idling/b', '-o', file, ...size], `${bin}:${process.env.PATH}`, temporary)
  expect(ended).toEqual({ code: 0, messages: '' })
  const facts = readWebm(readFileSync(file))
  expect(facts).toMatchObject({ width: 640, height: 360, durationMs: 3000, keyFrames: [0, 2000] })
  expect(facts.frames).toEqual(Array.from({ length: 30 }, (_, i) => i * 100))
  expect(readdirSync(target)).toEqual(['idling.webm'])
  await page.goto('./')
  const blank = await page.context().newPage()
  const dark = await blank.evaluate(async bytes => {
    const video = document.createElement('video')
    video.src = URL.createObjectURL(
      new Blob([Uint8Array.from(atob(bytes), c => c.charCodeAt(0))], { type: 'video/webm' }),
    )
    await new Promise((resolve, reject) => {
      video.onloadeddata = resolve
      video.onerror = () => reject(new Error(video.error?.message))
    })
    const canvas = new OffscreenCanvas(1, 1).getContext('2d')
    canvas?.drawImage(video, 2, 2, 1, 1, 0, 0, 1, 1)
    return (canvas?.getImageData(0, 0, 1, 1).data[0] ?? 255) < 60
  }, readFileSync(file).toString('base64'))
  expect(dark).toBe(true)
  expect(readdirSync(temporary).filter(name => name.startsWith('seekscope'))).toEqual([])
})

test('seekscope movie -o x.gif: an animated GIF that repeats, decoded by the browser', async ({ page }) => {
  const [temporary, target] = [createFolder(), createFolder()]
  const file = join(target, 'idling.gif')
  const size = ['--resolution', '640x360', '--fps', '5', '--duration', '3', '--browser', CHROMIUM]
  expect(await runMovie(['idling/a', 'idling/b', '-o', file, ...size], process.env.PATH ?? '', temporary)).toEqual({
    code: 0,
    messages: '',
  })
  expect(readdirSync(target)).toEqual(['idling.gif'])
  await page.goto('./')
  const found = await page.evaluate(decodeGif, readFileSync(file).toString('base64'))
  // The last frame stays for 2 s.
  expect(found).toMatchObject({
    width: 640,
    height: 360,
    frames: 15,
    repeats: Number.POSITIVE_INFINITY,
    durations: [...Array<number>(14).fill(200), 2000],
  })
  expect(found.ground, 'the ground has its colour in all frames').toEqual([255, 255, 255, 255, 255, 255])
  expect(found.colours).toBeGreaterThan(20)
  // Playback goes on from frame to frame.
  expect(new Set(found.pictures).size).toBe(15)
})

test('what the page cannot read is the error of the command, and no file', async ({ page }) => {
  const [temporary, target] = [createFolder(), createFolder()]
  const text = join(target, 'letter.txt')
  writeFileSync(text, 'Dear all, this is no trace.\n'.repeat(20))
  const bad = await runMovie(
    [text, '-o', join(target, 'x.webm'), '--browser', CHROMIUM],
    process.env.PATH ?? '',
    temporary,
  )
  expect(bad).toEqual({ code: 1, messages: expect.stringMatching(/^seekscope: no movie was made: .+\n$/) })
  expect(readdirSync(target)).toEqual(['letter.txt'])
  // An address cannot order a film: nothing is sent.
  const posts: string[] = []
  page.on('request', request => request.method() === 'POST' && posts.push(request.url()))
  await page.goto('./#v=1&sample=osync&seekscope-movie=%7B%22path%22%3A%22%2Fx%2Fmovie%22%7D')
  await waitForRuns(page, 2)
  await page.evaluate(() => {
    document.head.insertAdjacentHTML('beforeend', '<meta name="seekscope-movie" content="{}">')
  })
  expect(posts).toEqual([])
})
