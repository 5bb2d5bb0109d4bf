/**
 * The single-file app `dist/seekscope.html`, made from the files of `dist/`. Files that the page loads on demand are
 * in `<script type="text/plain" data-file="PATH">` as base64 of gzip; `web/lib/ownFile.ts` reads them. Its policy
 * allows script and style by hash, so that a report made from it keeps the same policy.
 */
import { gzipSync } from 'node:zlib'
import { appPage } from '../../web/share/report.ts'
import { metaTag, oneFilePolicy } from './policy.ts'
import type { WholePage } from './wholePage.ts'

/** Files of the hosted app by their path in `dist/`. */
export type Files = ReadonlyMap<string, Buffer>

const TYPES: Readonly<Record<string, string>> = { wasm: 'application/wasm', gz: 'application/gzip' }
/** All documents on one page (`scripts/docs/book.ts`). */
const BOOK = 'docs/all.html'
/** The recorder, which the landing page offers for saving. */
const RECORDER = 'seekscope-record'
/** The sample that is a mail instead of traces. */
const MAIL = 'samples/mail.txt'
/** Media type of the files to carry; nothing else is loaded on demand. */
const typeOf = (path: string): string | undefined =>
  path === BOOK ? 'text/html' : path === RECORDER || path === MAIL ? 'text/plain' : TYPES[path.split('.').at(-1) ?? '']

/** Prevents the text from ending its script element or changing how the rest is parsed. */
const inScript = (code: string): string => code.replace(/<(?=\/script|!--|script)/gi, '\\x3C')

const carry = (path: string, type: string, bytes: Buffer): string =>
  `<script type="text/plain" data-file="${path}" data-type="${type}">${gzipSync(bytes, { level: 9 }).toString('base64')}</script>`

function readFile(files: Files, path: string): string {
  const bytes = files.get(path)
  if (!bytes) throw new Error(`single-file app: ${path} is missing in dist/`)
  return bytes.toString('utf8')
}

/** The first group of the pattern's match. Throws unless there is exactly one match. */
function onlyMatch(text: string, pattern: RegExp): string {
  const found = [...text.matchAll(new RegExp(pattern, 'g'))]
  if (found.length !== 1) throw new Error(`single-file app: ${found.length} matches of ${pattern} instead of 1`)
  return found[0]?.[1] ?? ''
}

export function oneFile(files: Files, { code, style }: WholePage): string {
  const [html, book] = [readFile(files, 'index.html'), readFile(files, BOOK)]
  const script = inScript(code)
  const icon = encodeURIComponent(
    readFile(files, onlyMatch(html, /<link rel="icon"[^>]*href="\.\/([^"]+\.svg)"[^>]*>/)),
  )
  const inBook = (name: string) => onlyMatch(book, new RegExp(`<${name}>([^<]*)</${name}>`))
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
