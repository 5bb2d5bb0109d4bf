/** The whole app as one HTML file that opens from a disk: `dist/seekscope.html`, made of the files of `dist/`. */
import { gzipSync } from 'node:zlib'
import { metaTag, oneFilePolicy } from './policy.ts'

/** The hosted app's files by their paths in `dist/`. */
export type Files = ReadonlyMap<string, Buffer>

const TYPES: Readonly<Record<string, string>> = { wasm: 'application/wasm', gz: 'application/gzip' }
/** All documents on one page. */
const BOOK = 'docs/all.html'
/** Of what the file carries; nothing else is asked for later. */
const typeOf = (path: string): string | undefined => (path === BOOK ? 'text/html' : TYPES[path.split('.').at(-1) ?? ''])

/** A report has its snapshot and view in this place (`web/share/report.js`). */
const PLACE = '<!--seekscope:snapshot-->'

/** So that the text cannot end its script element, nor change how the rest of it is read. */
const inScript = (code: string): string => code.replace(/<(?=\/script|!--|script)/gi, '\\x3C')

const carry = (path: string, type: string, bytes: Buffer): string =>
  `<script type="text/plain" data-file="${path}" data-type="${type}">${gzipSync(bytes, { level: 9 }).toString('base64')}</script>\n`

function need(files: Files, path: string): string {
  const bytes = files.get(path)
  if (!bytes) throw new Error(`one file: ${path} is not in dist/`)
  return bytes.toString('utf8')
}

/** The only match, with its groups; `html` without it. */
function take(html: string, pattern: RegExp): readonly [group: string, rest: string] {
  const found = [...html.matchAll(new RegExp(pattern, 'g'))]
  const [match] = found
  if (!match || found.length > 1) throw new Error(`one file: ${found.length} matches of ${pattern} in ${html.slice(0, 40)}`)
  return [match[1] ?? '', html.replace(match[0], '')]
}

/** Throws when `dist/` is not what this expects: one script, one stylesheet, nothing loaded later. */
export function oneFile(files: Files): string {
  const scripts = [...files.keys()].filter(path => path.startsWith('assets/') && path.endsWith('.js'))
  if (scripts.length !== 1) throw new Error(`one file: the app must be one script, but is ${scripts.join(', ')}`)
  let html = need(files, 'index.html')
  const cut = (pattern: RegExp): string => {
    const [group, rest] = take(html, pattern)
    html = rest
    return group
  }
  const script = inScript(need(files, cut(/\s*<script type="module" crossorigin src="\.\/([^"]+)"><\/script>/)))
  const style = need(files, cut(/\s*<link rel="stylesheet" crossorigin href="\.\/([^"]+)">/))
  const icon = `data:image/svg+xml,${encodeURIComponent(need(files, cut(/\s*<link rel="icon"[^>]*href="\.\/([^"]+\.svg)"[^>]*>/)))}`
  cut(/\s*<link rel="manifest"[^>]*>/)
  cut(/\s*<meta http-equiv="Content-Security-Policy"[^>]*>/)
  const carried = [...files].flatMap(([path, bytes]) => {
    const type = typeOf(path)
    return type === undefined ? [] : [carry(path, type, bytes)]
  })
  const charset = cut(/(<meta charset="utf-8"[^>]*>)/)
  const [bookStyle] = take(need(files, BOOK), /<style>([^<]*)<\/style>/)
  const [bookScript] = take(need(files, BOOK), /<script>([^<]*)<\/script>/)
  const head = `${charset}\n${metaTag(oneFilePolicy([script, bookScript], [style, bookStyle]))}\n<link rel="icon" type="image/svg+xml" href="${icon}">\n<style>${style}</style>\n`
  const body = `${PLACE}\n${carried.join('')}<script type="module">${script}</script>\n`
  return html.replace('<head>', () => `<head>\n${head}`).replace('</body>', () => `${body}</body>`)
}
