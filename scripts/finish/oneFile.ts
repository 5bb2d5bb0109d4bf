/** The whole app as one HTML file that opens from a disk: `dist/seekscope.html`, made of the files of `dist/`. */
import { gzipSync } from 'node:zlib'
import { appPage } from '../../web/share/report.js'
import { metaTag, oneFilePolicy } from './policy.ts'

/** The hosted app's files by their paths in `dist/`. */
export type Files = ReadonlyMap<string, Buffer>

const TYPES: Readonly<Record<string, string>> = { wasm: 'application/wasm', gz: 'application/gzip' }
/** All documents on one page. */
const BOOK = 'docs/all.html'
/** Of what the file carries; nothing else is asked for later. */
const typeOf = (path: string): string | undefined => (path === BOOK ? 'text/html' : TYPES[path.split('.').at(-1) ?? ''])

/** So that the text cannot end its script element, nor change how the rest of it is read. */
const inScript = (code: string): string => code.replace(/<(?=\/script|!--|script)/gi, '\\x3C')

const carry = (path: string, type: string, bytes: Buffer): string =>
  `<script type="text/plain" data-file="${path}" data-type="${type}">${gzipSync(bytes, { level: 9 }).toString('base64')}</script>`

function need(files: Files, path: string): string {
  const bytes = files.get(path)
  if (!bytes) throw new Error(`one file: ${path} is not in dist/`)
  return bytes.toString('utf8')
}

/** The one place in a text, as the pattern's group has it. */
function only(text: string, pattern: RegExp): string {
  const found = [...text.matchAll(new RegExp(pattern, 'g'))]
  if (found.length !== 1) throw new Error(`one file: ${found.length} matches of ${pattern}`)
  return found[0]?.[1] ?? ''
}

/** Throws when `dist/` is not what this expects: one script, one stylesheet, nothing loaded later. */
export function oneFile(files: Files): string {
  const scripts = [...files.keys()].filter(path => path.startsWith('assets/') && path.endsWith('.js'))
  if (scripts.length !== 1) throw new Error(`one file: the app must be one script, but is ${scripts.join(', ')}`)
  const [html, book] = [need(files, 'index.html'), need(files, BOOK)]
  const script = inScript(need(files, only(html, /<script type="module" crossorigin src="\.\/([^"]+)"><\/script>/)))
  const style = need(files, only(html, /<link rel="stylesheet" crossorigin href="\.\/([^"]+)">/))
  const icon = encodeURIComponent(need(files, only(html, /<link rel="icon"[^>]*href="\.\/([^"]+\.svg)"[^>]*>/)))
  const inBook = (name: string) => only(book, new RegExp(`<${name}>([^<]*)</${name}>`))
  const head = [
    '<meta charset="utf-8">',
    metaTag(oneFilePolicy([script, inBook('script')], [style, inBook('style')])),
    ...[...html.matchAll(/<meta name="[^"]*" content="[^"]*"/g)].map(([tag]) => `${tag}>`),
    `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${icon}">`,
    `<style>${style}</style>`,
  ]
  const carried = [...files].flatMap(([path, bytes]) => {
    const type = typeOf(path)
    return type === undefined ? [] : [carry(path, type, bytes)]
  })
  return appPage(head, [...carried, `<script type="module">${script}</script>`])
}
