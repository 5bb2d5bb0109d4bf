/**
 * What the browser fetches before the page takes a drop: `index.html` and what it names. The WASM modules, and scripts
 * that are loaded on demand, come after.
 */
import { gzipSync } from 'node:zlib'
import type { Files } from './oneFile.ts'

/** Limit of what is fetched before the landing page works, gzipped bytes. */
const MAX_GZIP_BYTES = 150_000

/**
 * Limits of the WASM modules, gzipped bytes: the first picture waits for `seekscope` alone. They are a little above
 * what the modules weigh, so that what makes one heavier is a decision.
 */
const MAX_MODULE_GZIP_BYTES: Readonly<Record<string, number>> = {
  seekscope: 584_000,
  seekscope_compare: 604_000,
  seekscope_rest: 1_497_000,
  statistics: 45_000,
}

/**
 * Limits of what is fetched before the first picture of a trace, and of all scripts, styles and modules, gzipped bytes.
 * The first is a goal; the second is a little above what they weigh.
 */
const MAX_FIRST_PICTURE_GZIP_BYTES = 900_000
const MAX_GZIP_BYTES_IN_ALL = 3_249_000
const MODULE_NAME = /^assets\/(\w+?)_bg\b.*\.wasm$/

const ASSET_NAMES = /<(?:script|link)\b[^>]*\b(?:src|href)="\.\/(assets\/[^"]+)"/g

/** Bytes of `index.html` and of the scripts and styles that it names, gzipped. Throws when one is missing. */
export function startBytes(files: Files): ReadonlyMap<string, number> {
  const html = files.get('index.html')?.toString('utf8') ?? ''
  const paths = ['index.html', ...[...html.matchAll(ASSET_NAMES)].map(([, path = '']) => path)]
  return new Map(
    paths.map(path => {
      const bytes = files.get(path)
      if (!bytes) throw new Error(`${path} is missing in dist/`)
      return [path, gzipSync(bytes, { level: 9 }).length]
    }),
  )
}

/** Throws when the landing page has become too heavy. */
export function checkStart(files: Files): void {
  const bytes = startBytes(files)
  const sum = [...bytes.values()].reduce((total, size) => total + size, 0)
  if (sum <= MAX_GZIP_BYTES) return
  const sizes = [...bytes].map(([path, size]) => `${path} ${size}`).join(', ')
  throw new Error(
    `the landing page is ${sum} bytes gzipped, more than ${MAX_GZIP_BYTES} (${sizes}): ` +
      'load what it does not show with web/app/views.ts',
  )
}

/**
 * Bytes of what is fetched before the first picture of a trace: the landing page, the script of the views with what it
 * needs (`__vite__mapDeps`), and the first part of the engine. Throws when one is missing.
 */
export function firstPictureBytes(files: Files): ReadonlyMap<string, number> {
  const bytes = new Map(startBytes(files))
  const scripts = [...bytes.keys()].filter(path => path.endsWith('.js')).map(path => String(files.get(path)))
  const needs = scripts.flatMap(script => {
    const [, names] = /\bm\.f=\[([^\]]*)\]/.exec(script) ?? []
    const [, indices] = /\bimport\(`\.\/views-[\w-]+\.js`\)[^_]*__vite__mapDeps\(\[([\d,]+)\]\)/.exec(script) ?? []
    if (names === undefined || indices === undefined) return []
    const paths = [...names.matchAll(/"\.\/([^"]+)"/g)].map(([, name = '']) => `assets/${name}`)
    return indices.split(',').map(index => paths[Number(index)] ?? '')
  })
  const engine = [...files.keys()].find(path => MODULE_NAME.exec(path)?.[1] === 'seekscope')
  if (needs.length === 0 || engine === undefined) throw new Error('what the first picture needs was not found')
  for (const path of [...needs, engine]) {
    const file = files.get(path)
    if (!file) throw new Error(`${path} is missing in dist/`)
    bytes.set(path, gzipSync(file, { level: 9 }).length)
  }
  return bytes
}

/** Throws when what the first picture needs, or all that the page may fetch, has become too heavy. */
export function checkAll(files: Files): void {
  const sum = (sizes: Iterable<number>) => [...sizes].reduce((total, size) => total + size, 0)
  const first = sum(firstPictureBytes(files).values())
  if (first > MAX_FIRST_PICTURE_GZIP_BYTES)
    throw new Error(
      `the first picture needs ${first} bytes gzipped, more than ${MAX_FIRST_PICTURE_GZIP_BYTES}: ` +
        'load what it does not show with web/app/laterViews.ts',
    )
  const assets = [...files].filter(([path]) => path.startsWith('assets/'))
  const all = sum(assets.map(([, bytes]) => gzipSync(bytes, { level: 9 }).length))
  if (all > MAX_GZIP_BYTES_IN_ALL)
    throw new Error(`all assets are ${all} bytes gzipped, more than ${MAX_GZIP_BYTES_IN_ALL}`)
}

/** Throws when a WASM module has become too heavy, or has no limit. */
export function checkModules(files: Files): void {
  for (const [path, bytes] of files) {
    const [, name] = MODULE_NAME.exec(path) ?? []
    if (name === undefined) continue
    const limit = MAX_MODULE_GZIP_BYTES[name]
    if (limit === undefined) throw new Error(`the module ${name} has no limit of its weight`)
    const { length } = gzipSync(bytes, { level: 9 })
    if (length > limit) throw new Error(`the module ${name} is ${length} bytes gzipped, more than ${limit}`)
  }
}
