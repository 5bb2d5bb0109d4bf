/** `seekscope open`: the page with these traces, from this machine to this machine. */
import { spawn } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve as absolute, basename, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endedWords } from '../../web/engine/live/trouble'
import { ascii } from '../../web/lib/format'
import { partText } from '../../web/link/values'
import { closeInputs, type InputFile } from '../input/find/inputs'
import { endAtSignal } from '../input/find/leftovers'
import { systemCode } from '../input/find/system'
import { realPath } from '../input/find/walk'
import { windowOf } from '../input/read/plan'
import { inputsOf } from '../input/read/traces'
import { growingOf, type OpenedGrowing } from '../live/growing'
import { createRing } from '../live/ring'
import type { GrowingStream } from '../live/stream'
import { print } from '../output/output'
import { complain, complainOf, say } from '../output/progress'
import { packageFile } from '../places'
import { SetupError } from '../program/usage'
import type { TimeLimits } from '../program/values'
import { createSecret, originOf } from './localhost'
import { type ServedFile, serve } from './serve'
import { entriesOf, tar, tarSize } from './tar'

const DIST = fileURLToPath(packageFile('dist/'))
/** Maximum number of URLs in a link. */
const MAX_URLS = 20

/** Files that the page opens together: a directory, or the files of a base name. */
interface OpenedTogether {
  readonly name: string
  readonly inputs: readonly InputFile[]
}

/**
 * Files of the page by their URL path, without the service worker: it would keep the page alive at this address after
 * the server ended.
 */
function pageFiles(folder: string): [string, ServedFile][] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter(
    entry => entry.isFile() && entry.name !== 'sw.js',
  )
  return entries.flatMap(entry => {
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    const served = { file, size: statSync(file).size }
    const both: [string, ServedFile][] = [[path, served]]
    if (path.endsWith('/index.html')) both.push([path.slice(0, -'index.html'.length), served])
    return both
  })
}

/** Drops files that a symbolic link brings in from outside of the directory. */
function within(path: string, inputs: readonly InputFile[]): readonly InputFile[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return inputs
  const root = `${realPath({ file: path })}${sep}`
  return inputs.filter(input => {
    const inside = !('file' in input.place) || realPath({ file: nameOf(input.place.file) }).startsWith(root)
    if (!inside)
      complain(input.path, 'outside', `Skipped: a symbolic link out of ${path}. Name the file itself to open it.`)
    return inside
  })
}

/**
 * Batches of files: one per directory or base name; all files that were named individually form one, at the place of
 * the first. `read`: inputs that are already open.
 */
function batchesOf(paths: readonly string[], read: ReadonlyMap<string, InputFile>): readonly OpenedTogether[] {
  const inputOf = (path: string) => {
    const input = read.get(path)
    return input ? [input] : within(path, inputsOf([path]))
  }
  const all = paths.map(path => ({
    path,
    inputs: inputOf(path),
    single: path === '-' || statSync(path, { throwIfNoEntry: false })?.isDirectory() === false,
  }))
  const [first, ...further] = all.filter(batch => batch.single)
  return all
    .filter(batch => !further.includes(batch))
    .map(batch => (batch === first ? { ...batch, inputs: [batch, ...further].flatMap(({ inputs }) => inputs) } : batch))
    .filter(({ inputs }) => inputs.length > 0)
    .map(({ path, inputs }) => ({ name: path === '-' ? 'standard-input' : basename(absolute(path)), inputs }))
}

const nameOf = (file: string | Uint8Array): string | Buffer => (typeof file === 'string' ? file : Buffer.from(file))

export interface StartPage {
  readonly file: string
  /** Removes the file. */
  end(): void
}

/**
 * A page that leads to a URL, which only this user can read. Arguments of a process can be read by everybody on the
 * machine, so the browser is given this file instead of the URL with its secret.
 */
export function startPage(url: string): StartPage {
  removeStalePages()
  const folder = mkdtempSync(join(tmpdir(), `${START_PAGE}${process.pid}-`))
  const file = join(folder, 'open.html')
  const escaped = url.replaceAll('&', '&amp;')
  const html = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${escaped}"><title>Seekscope</title><a href="${escaped}">Open Seekscope</a>\n`
  writeFileSync(file, html, { mode: 0o600, flag: 'wx' })
  return { file, end: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The name of the folder of a page that leads to a URL, before the number of the process that made it. */
const START_PAGE = 'seekscope-open-'

/** Removes what commands of this user left that were killed: they are gone, and so are their addresses. */
function removeStalePages(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${START_PAGE}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || isRunning(Number(pid))) continue
    const folder = join(tmpdir(), name)
    try {
      const stats = lstatSync(folder)
      if (stats.isDirectory() && stats.uid === process.getuid?.()) rmSync(folder, { recursive: true })
    } catch {
      // Another command has removed it.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

function startBrowser(file: string): void {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(command ?? '', [...args, file], { stdio: 'ignore', detached: true })
  child.on('error', () => say('no browser could be started. Open the URL above yourself.'))
  child.unref()
}

export interface OpenOptions {
  readonly port: number
  readonly browser: boolean
  /** Whether directories are streams. */
  readonly follow: boolean
  /** The part of each trace that the page reads. */
  readonly range?: TimeLimits
}

/** Paths that are streams, and those of which all was read. */
interface SortedPaths {
  readonly streams: readonly GrowingStream[]
  readonly read: ReadonlyMap<string, InputFile>
  readonly otherPaths: readonly string[]
}

/** Waits for the first bytes of pipes. */
async function sortPaths(paths: readonly string[], follow: boolean): Promise<SortedPaths> {
  const opened = new Map<string, OpenedGrowing>()
  const failed = new Set<string>()
  for (const path of new Set(paths)) {
    try {
      const growing = await growingOf(path, follow)
      if (growing) opened.set(path, growing)
    } catch (error) {
      complainOf(path, error)
      failed.add(path)
    }
  }
  const openedPaths = [...opened]
  return {
    streams: openedPaths.flatMap(([, growing]) => (growing.kind === 'growing' ? [growing.stream] : [])),
    read: new Map(
      openedPaths.flatMap(([path, growing]) => (growing.kind === 'input' ? [[path, growing.input] as const] : [])),
    ),
    otherPaths: paths.filter(path => opened.get(path)?.kind !== 'growing' && !failed.has(path)),
  }
}

/** Runs a stream, and serves the last part of it. */
function serveStream(stream: GrowingStream, path: string, files: Map<string, ServedFile>): Promise<void> {
  const ring = createRing()
  const name = basename(stream.name)
  files.set(path, { stream: () => ring.frames({ name, label: name }) })
  return stream.run(ring).then(state => {
    ring.ended(state)
    if (state.why === 'failed') complain(stream.name, 'unreadable', endedWords(state, ascii))
    else if (state.why === 'broken') complain(stream.name, 'truncated-tail', endedWords(state, ascii))
    else
      say(
        `${stream.name}: ${endedWords(state, ascii)}${state.why === 'end' ? ' The page stays open until Ctrl-C.' : ''}`,
      )
  })
}

/** The page with traces, ready to be served. */
export interface ServedPage {
  readonly files: Map<string, ServedFile>
  /** 128 random bits, the first part of every path of a trace. */
  readonly secret: string
  /** Number of traces, directories and groups of files. */
  readonly batches: number
  /** The address that opens them; `more` is added to it. `folder`: where the page is, with slashes at both ends. */
  url(port: number, range?: TimeLimits, more?: string, folder?: string): string
}

/**
 * `read`: inputs that are open already; `always`: also without any. Absent if none of the paths can be read. Throws
 * SetupError when the page is not built.
 */
export function servedPage(
  paths: readonly string[],
  dist = DIST,
  read: ReadonlyMap<string, InputFile> = new Map(),
  always = false,
): ServedPage | undefined {
  if (!statSync(join(dist, 'index.html'), { throwIfNoEntry: false }))
    throw new SetupError('the page is not built. Run: npm run build')
  const batches = batchesOf(paths, read)
  if (batches.length === 0 && !always) return undefined
  if (batches.length > MAX_URLS) complain(paths.join(' '), 'too-many-runs', `Only the first ${MAX_URLS} are opened.`)
  const secret = createSecret()
  const files = new Map(pageFiles(dist))
  const archives = batches.slice(0, MAX_URLS).map(({ name, inputs }, i) => {
    const entries = entriesOf(inputs)
    const path = `/${secret}/${i + 1}/${name}.tar`
    files.set(path, { size: tarSize(entries), bytes: (from, to) => tar(entries, from, to) })
    return path
  })
  return {
    files,
    secret,
    batches: archives.length,
    url(port, range, more = '', folder = '/') {
      const origin = originOf(port)
      const urls = archives.map(
        path => `&url=${encodeURIComponent(new URL(path.split('/').map(encodeURIComponent).join('/'), origin).href)}`,
      )
      const opened = urls.length > 1 ? `&opened=${urls.map(() => 1).join(',')}` : ''
      return `${origin}${folder}#v=1${urls.join('')}${opened}${range ? `&win=${partText({ window: windowOf(range) })}` : ''}${more}`
    },
  }
}

/**
 * Serves until SIGINT, SIGTERM or SIGHUP, which ends the process; streams are ended first. Throws SetupError when the page is not built,
 * rejects when the port is in use.
 */
export async function open(
  paths: readonly string[],
  { port, browser, follow, range }: OpenOptions,
  dist = DIST,
): Promise<void> {
  if (!statSync(join(dist, 'index.html'), { throwIfNoEntry: false }))
    throw new SetupError('the page is not built. Run: npm run build')
  // Until here a signal ends the process as it is: there is nothing to remove.
  const { streams, read, otherPaths } = await sortPaths(paths, follow)
  const page = servedPage(otherPaths, dist, read, streams.length > 0)
  if (!page) return
  const served = streams.map((_, i) => `/${page.secret}/live/${i + 1}`)
  const server = await serve(page.files, port)
  const followed = served.map(path => `&live=${encodeURIComponent(`${originOf(server.port)}${path}`)}`).join('')
  const url = page.url(server.port, range, followed)
  let start: StartPage | undefined
  const running = Promise.all(streams.map((stream, i) => serveStream(stream, served[i] ?? '', page.files)))
  // The page gets the end of the streams.
  const finish = async () => {
    for (const stream of streams) stream.stop()
    await running
    if (streams.length > 0) await server.idle()
  }
  endAtSignal(finish, () => start?.end())
  try {
    await print(`${url}\n`)
    const activity = streams.length > 0 ? 'following the stream; serving it' : 'serving these traces'
    say(
      `${activity} to this machine only. Press Ctrl-C to stop.${browser ? ' If no page appears, open the URL yourself.' : ''}`,
    )
    if (browser) {
      start = startPage(url)
      startBrowser(start.file)
    }
    await new Promise<never>(() => undefined)
  } finally {
    start?.end()
    server.close()
    closeInputs()
  }
}
