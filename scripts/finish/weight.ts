/**
 * What the browser fetches before the page takes a drop: `index.html` and what it names. The engine, and scripts that
 * are loaded on demand, come after.
 */
import { gzipSync } from 'node:zlib'
import type { Files } from './oneFile.ts'

/** Limit of what is fetched before the landing page works, gzipped bytes. */
const MAX_GZIP_BYTES = 150_000

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
