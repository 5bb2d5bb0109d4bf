/** `seekscope open`: the page with these traces, from this machine to this machine. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { resolve as absolute, basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from './serve.mjs'
import { tar, tarSize } from './tar.mjs'
import { complain, inputsOf } from './traces.mjs'

/** @typedef {import('./inputs.mjs').Input} Input */

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
/** As many as a link may name. */
const MOST_LOTS = 20

/** The page is not built. */
export class NoPage extends Error {}

/** Files of the page by their path in the address; without the service worker, which would outlive the address. @param {string} folder @returns {[string, import('./serve.mjs').Served][]} */
function pageFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter(entry => entry.isFile() && entry.name !== 'sw.js')
  return entries.flatMap(entry => {
    const file = join(entry.parentPath ?? entry.path, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    const served = { file, size: statSync(file).size }
    return [[path, served], ...(path.endsWith('/index.html') ? [/** @type {[string, typeof served]} */ ([path.slice(0, -10), served])] : [])]
  })
}

/** Files that a link in a directory brings in from elsewhere stay out. @param {string} path @param {readonly Input[]} inputs */
function within(path, inputs) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return inputs
  const root = `${realpathSync(path)}${sep}`
  return inputs.filter(input => {
    const inside = realpathSync(input.path).startsWith(root)
    if (!inside) {
      complain(input.path, 'outside', `a symbolic link leads out of ${path}; name the file itself to open it`)
      input.close()
    }
    return inside
  })
}

/**
 * What is opened at once: a directory, or the files of a base name; all files that were named one by one are one lot.
 * @param {readonly string[]} paths
 * @returns {readonly { name: string, inputs: readonly Input[] }[]}
 */
function lotsOf(paths) {
  const lots = paths.map(path => ({
    path,
    inputs: within(path, inputsOf([path])),
    single: statSync(path, { throwIfNoEntry: false })?.isFile() || path === '-',
  }))
  const [first, ...others] = lots.filter(lot => lot.single)
  const named = lots.map(lot => (lot === first ? { ...lot, inputs: [lot, ...others].flatMap(other => other.inputs) } : lot))
  return named
    .filter(lot => !others.includes(lot) && lot.inputs.length > 0)
    .map(({ path, inputs }) => ({ name: path === '-' ? 'standard-input' : basename(absolute(path)), inputs }))
}

/** The folder that both lie in. @param {string} a @param {string} b @returns {string} */
const sharedBy = (a, b) => (a === b || `${b}${sep}`.startsWith(a.endsWith(sep) ? a : `${a}${sep}`) ? a : sharedBy(dirname(a), b))

/** Entries of the archive of a lot: each with the folder that it lies in, so that runs can be named after it. @param {readonly Input[]} inputs */
function entriesOf(inputs) {
  const files = inputs.map(input => absolute(input.path))
  const base = dirname(files.map(dirname).reduce(sharedBy))
  return inputs.map((input, i) => ({
    name: relative(base, files[i] ?? input.name)
      .split(sep)
      .join('/'),
    size: input.size,
    read: (/** @type {number} */ offset, /** @type {number} */ length) => input.read(offset, length),
  }))
}

/** @param {string} url */
function showIn(url) {
  const [command, ...args] = process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const shown = process.platform === 'win32' ? url.replaceAll('&', '^&') : url
  const child = spawn(command ?? '', [...args, shown], { stdio: 'ignore', detached: true })
  child.on('error', () => process.stderr.write('seekscope: no browser could be started; open the address yourself\n'))
  child.unref()
}

/**
 * Serves until it is told to end.
 * @param {Extract<import('./args.mjs').Command, { command: 'open' }>} command
 * @param {string} [dist]
 */
export async function open({ paths, port, browser }, dist = DIST) {
  if (!statSync(join(dist, 'index.html'), { throwIfNoEntry: false })) throw new NoPage('the page is not built, run npm run build first')
  const lots = lotsOf(paths)
  if (lots.length === 0) return
  if (lots.length > MOST_LOTS) complain(paths.join(' '), 'too-many-runs', `only the first ${MOST_LOTS} are opened`)
  const secret = randomBytes(16).toString('base64url')
  /** @type {Map<string, import('./serve.mjs').Served>} */
  const listed = new Map(pageFiles(dist))
  const addresses = lots.slice(0, MOST_LOTS).map(({ name, inputs }, i) => {
    const entries = entriesOf(inputs)
    const path = `/${secret}/${i + 1}/${name}.tar`
    listed.set(path, { size: tarSize(entries), bytes: () => tar(entries) })
    return path
  })
  const server = await serve(listed, port)
  const origin = `http://127.0.0.1:${server.port}`
  const urls = addresses.map(path => `&url=${encodeURIComponent(new URL(path.split('/').map(encodeURIComponent).join('/'), origin).href)}`)
  const url = `${origin}/#v=1${urls.join('')}${urls.length > 1 ? `&opened=${urls.map(() => 1).join(',')}` : ''}`
  process.stdout.write(`${url}\n`)
  process.stderr.write('seekscope: serves these traces on this machine only; Ctrl-C ends\n')
  if (browser) showIn(url)
  await new Promise(done => {
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, done)
  })
  server.close()
  for (const { inputs } of lots) for (const input of inputs) input.close()
}
