/**
 * `seekscope movie`: playback of traces as a video file. The page draws it in a browser without a window, and hands it
 * back to the server of this process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { type FilmOrder, ORDER_NAME } from '../../web/lib/filmOrder'
import { closeInputs } from '../input/find/inputs'
import { type Leftover, leftovers } from '../input/find/leftovers'
import { type OutputTarget, outputTarget } from '../output/output'
import { progress } from '../output/progress'
import { SetupError } from '../program/usage'
import type { TimeLimits } from '../program/values'
import { findBrowser, type HeadlessBrowser } from './browsers'
import { type ServedPage, servedPage, startPage } from './open'
import { type Receivers, serve } from './serve'

/** Options of a film. */
export interface FilmOptions {
  readonly format: Omit<FilmOrder, 'path'>
  readonly browser?: string
  /** Further fields of the fragment, each after `&`. */
  readonly view: string
}

export interface MovieOptions extends FilmOptions {
  readonly output: string
  readonly range?: TimeLimits
}

/** Maximum size of a film: five times the longest one with the most frames of the largest size. */
const MAX_BYTES = 4 * 2 ** 30
const MAX_STDERR_BYTES = 64 * 1024
/** The browser says something at least every 5 s while it works. */
const SILENCE_MS = 120_000

/** Progress report of the page. */
const REPORT = v.object({
  reading: v.optional(v.number()),
  frames: v.optional(v.number()),
  of: v.optional(v.number()),
  failed: v.optional(v.string()),
})

function parseReport(text: string): v.InferOutput<typeof REPORT> {
  try {
    const parsed = v.safeParse(REPORT, JSON.parse(text))
    return parsed.success ? parsed.output : {}
  } catch {
    return {}
  }
}

/** The page with the order in it: an address cannot order a film. */
function ordered(html: Buffer, order: FilmOrder): Buffer {
  const content = JSON.stringify(order).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return Buffer.from(html.toString('utf8').replace('<head>', `<head><meta name="${ORDER_NAME}" content="${content}">`))
}

/**
 * The traces, and the page with the order, in a folder that nobody can guess: the order has the secret, and other
 * users of the machine can read what is at the root of the server.
 */
function withOrder(files: ServedPage['files'], folder: string, order: FilmOrder): ServedPage['files'] {
  const isPage = (name: string) => !name.startsWith(folder.replace(/page\/$/, ''))
  const moved = [...files].map(([name, served]) => [isPage(name) ? `${folder}${name.slice(1)}` : name, served] as const)
  const placed = new Map(moved)
  for (const name of [folder, `${folder}index.html`]) {
    const served = placed.get(name)
    if (!served || !('file' in served)) continue
    const html = ordered(readFileSync(served.file), order)
    placed.set(name, {
      size: html.length,
      type: 'text/html; charset=utf-8',
      bytes: (from, to) => [html.subarray(from, to)],
    })
  }
  return placed
}

/** Ends a browser and its processes, and waits until they are gone: its profile is removed then. */
async function endBrowser(browser: ChildProcess): Promise<void> {
  if (browser.exitCode !== null || browser.signalCode !== null || browser.pid === undefined) return
  const exited = once(browser, 'exit')
  try {
    process.kill(-browser.pid, 'SIGKILL')
  } catch {
    browser.kill('SIGKILL')
  }
  await exited
}

function start(browser: HeadlessBrowser, profile: string, file: string): ChildProcess {
  // A process group of its own, so that the browser's helpers end with it.
  return spawn(browser.file, [...browser.args(profile, file)], {
    stdio: 'ignore',
    detached: true,
    // Temporary files are in the profile's folder, so that they are removed even if the browser is killed.
    env: { ...process.env, MOZ_HEADLESS: '1', TMPDIR: profile },
  })
}

/** The film is at `output` when this resolves. Throws SetupError. */
export async function movie(
  paths: readonly string[],
  { output, format, browser: requestedBrowser, range, view }: MovieOptions,
  dist?: string,
): Promise<void> {
  const browser = findBrowser(requestedBrowser)
  const target = outputTarget(output)
  try {
    await film(paths, browser, target, { format, view, ...(range && { range }) }, dist)
  } catch (error) {
    target.drop()
    throw error
  }
}

/** The end of a film, and what may bring it about: the page, the browser, or silence. */
function createEnding(browser: string) {
  let silent: NodeJS.Timeout | undefined
  let finish: (error?: Error) => void = () => undefined
  const finished = new Promise<void>((resolve, reject) => {
    finish = error => (error ? reject(error) : resolve())
  })
  // It may fail before it is awaited.
  finished.catch(() => undefined)
  return {
    finished,
    finish: (error?: Error) => finish(error),
    /** The page is alive: the wait for it begins again. */
    hear() {
      clearTimeout(silent)
      silent = setTimeout(
        () => finish(new SetupError(`${browser} did not answer for ${SILENCE_MS / 1000} s: no movie was made`)),
        SILENCE_MS,
      )
    },
    stop: () => clearTimeout(silent),
  }
}

/** What the page posts: how far it is, at `path/told`, and the film, at `path`. */
function createReceivers(path: string, target: OutputTarget, ending: ReturnType<typeof createEnding>): Receivers {
  let [shown, text] = [0, '']
  const decoder = new TextDecoder()
  const report = () => {
    const { failed, frames, of: total } = parseReport(text)
    text = ''
    if (failed !== undefined) ending.finish(new SetupError(`no movie was made: ${failed}`))
    else if (frames !== undefined && total !== undefined) {
      if (shown === 0) progress.start('drawing', total, 'frames')
      progress.advance(frames - shown)
      shown = frames
    }
  }
  return new Map([
    [
      `${path}/told`,
      {
        maxBytes: MAX_STDERR_BYTES,
        take: (bytes: Uint8Array) => {
          text += decoder.decode(bytes, { stream: true })
        },
        end: () => {
          ending.hear()
          report()
        },
      },
    ],
    [
      path,
      {
        maxBytes: MAX_BYTES,
        take: async (bytes: Uint8Array) => {
          ending.hear()
          try {
            await target.write(bytes)
          } catch (error) {
            ending.finish(error instanceof Error ? error : new SetupError(String(error)))
            throw error
          }
        },
        end: () => ending.finish(),
      },
    ],
  ])
}

async function film(
  paths: readonly string[],
  browser: HeadlessBrowser,
  target: OutputTarget,
  { format, view, range }: Pick<MovieOptions, 'format' | 'view' | 'range'>,
  dist: string | undefined,
): Promise<void> {
  const page = servedPage(paths, dist)
  if (!page) throw new SetupError('none of the paths is a trace: no movie was made')
  const path = `/${page.secret}/movie`
  const folder = `/${page.secret}/page/`
  const ending = createEnding(browser.file)
  const receivers = createReceivers(path, target, ending)
  const files = withOrder(page.files, folder, { path, ...format })
  const server = await serve(files, 0, undefined, receivers)
  const profile = mkdtempSync(join(tmpdir(), 'seekscope-movie-'))
  const first = startPage(page.url(server.port, range, view, folder))
  const child = start(browser, profile, first.file)
  const left: readonly Leftover[] = [
    ...(child.pid === undefined ? [] : [{ group: child.pid }]),
    { path: profile },
    { path: dirname(first.file) },
  ]
  for (const leftover of left) leftovers.keeper.add(leftover)
  const stop = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  try {
    ending.hear()
    child.once('error', error => ending.finish(new SetupError(`cannot run ${browser.file}: ${error.message}`)))
    child.once('exit', (code, signal) =>
      ending.finish(new SetupError(`${browser.file} ended with ${signal ?? code}: no movie was made`)),
    )
    process.once('exit', stop)
    await ending.finished
    target.keep()
  } finally {
    ending.stop()
    progress.stop()
    process.off('exit', stop)
    await endBrowser(child)
    first.end()
    server.close()
    closeInputs()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    for (const leftover of left) leftovers.keeper.remove(leftover)
  }
}
