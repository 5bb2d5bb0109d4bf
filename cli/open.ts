/** `seekscope open`: the page with these traces, from this machine to this machine. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { resolve as absolute, basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { partText } from '../web/link/values'
import type { InputFile } from './inputs'
import { windowOf } from './plan'
import { complain, say } from './progress'
import { type ServedFile, serve } from './serve'
import { type ArchiveEntry, tar, tarSize } from './tar'
import { inputsOf } from './traces'
import { SetupError } from './usage'
import type { TimeLimits } from './values'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
/** As many URLs as a link may have. */
const MOST_URLS = 20

/** Files that the page opens together: a directory, or the files of a base name. */
interface OpenedTogether {
  readonly name: string
  readonly inputs: readonly InputFile[]
}

/** Files of the page by their URL path, without the service worker: it would keep the page alive at this address after the server ended. */
function pageFiles(folder: string): [string, ServedFile][] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter(entry => entry.isFile() && entry.name !== 'sw.js')
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
  const root = `${realpathSync(path)}${sep}`
  return inputs.filter(input => {
    const inside = realpathSync(input.path).startsWith(root)
    if (!inside) {
      complain(input.path, 'outside', `Skipped: a symbolic link out of ${path}. Name the file itself to open it.`)
      input.close()
    }
    return inside
  })
}

/** Each directory and base name by itself; all files that were named one by one together, in place of the first. */
function batchesOf(paths: readonly string[]): readonly OpenedTogether[] {
  const all = paths.map(path => ({
    path,
    inputs: within(path, inputsOf([path])),
    single: path === '-' || (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false),
  }))
  const [first, ...others] = all.filter(batch => batch.single)
  return all
    .filter(batch => !others.includes(batch))
    .map(batch => (batch === first ? { ...batch, inputs: [batch, ...others].flatMap(({ inputs }) => inputs) } : batch))
    .filter(({ inputs }) => inputs.length > 0)
    .map(({ path, inputs }) => ({ name: path === '-' ? 'standard-input' : basename(absolute(path)), inputs }))
}

/** The innermost folder that contains both. */
const sharedFolder = (a: string, b: string): string =>
  a === b || `${b}${sep}`.startsWith(a.endsWith(sep) ? a : `${a}${sep}`) ? a : sharedFolder(dirname(a), b)

/** Each with the folder that contains it, so that runs can be named after it. */
function entriesOf(inputs: readonly InputFile[]): readonly ArchiveEntry[] {
  const files = inputs.map(input => absolute(input.path))
  const base = dirname(files.map(dirname).reduce(sharedFolder))
  return inputs.map((input, i) => ({
    name: relative(base, files[i] ?? input.name)
      .split(sep)
      .join('/'),
    size: input.size,
    read: (offset, length) => input.read(offset, length),
  }))
}

function startBrowser(url: string): void {
  const [command, ...args] = process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const quoted = process.platform === 'win32' ? url.replaceAll('&', '^&') : url
  const child = spawn(command ?? '', [...args, quoted], { stdio: 'ignore', detached: true })
  child.on('error', () => say('no browser could be started. Open the URL above yourself.'))
  child.unref()
}

export interface OpenOptions {
  readonly port: number
  readonly browser: boolean
  /** The part of each trace that the page reads. */
  readonly range?: TimeLimits
}

/** Serves until SIGINT or SIGTERM. Throws SetupError when the page is not built, rejects when the port is in use. */
export async function open(paths: readonly string[], { port, browser, range }: OpenOptions, dist = DIST): Promise<void> {
  if (!statSync(join(dist, 'index.html'), { throwIfNoEntry: false })) throw new SetupError('the page is not built. Run: npm run build')
  const batches = batchesOf(paths)
  if (batches.length === 0) return
  if (batches.length > MOST_URLS) complain(paths.join(' '), 'too-many-runs', `Only the first ${MOST_URLS} are opened.`)
  const secret = randomBytes(16).toString('base64url')
  const files = new Map(pageFiles(dist))
  const archives = batches.slice(0, MOST_URLS).map(({ name, inputs }, i) => {
    const entries = entriesOf(inputs)
    const path = `/${secret}/${i + 1}/${name}.tar`
    files.set(path, { size: tarSize(entries), bytes: () => tar(entries) })
    return path
  })
  const server = await serve(files, port)
  const origin = `http://127.0.0.1:${server.port}`
  const urls = archives.map(path => `&url=${encodeURIComponent(new URL(path.split('/').map(encodeURIComponent).join('/'), origin).href)}`)
  const opened = urls.length > 1 ? `&opened=${urls.map(() => 1).join(',')}` : ''
  const url = `${origin}/#v=1${urls.join('')}${opened}${range ? `&win=${partText({ window: windowOf(range) })}` : ''}`
  process.stdout.write(`${url}\n`)
  say('serving these traces to this machine only. Press Ctrl-C to stop.')
  if (browser) startBrowser(url)
  await new Promise<void>(stop => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())
  })
  server.close()
  for (const { inputs } of batches) for (const input of inputs) input.close()
}
