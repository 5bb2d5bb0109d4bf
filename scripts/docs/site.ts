/** Renders all Markdown of `docs/` to static pages that need only their stylesheet. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { documentPolicy, metaTag } from '../finish/policy.ts'
import { renderBook } from './book.ts'
import { type DocumentHeading, escapeHtml, pageName, type Rendered, render } from './render.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
export const DOCS = join(HERE, '../../docs')
const STYLES = [join(HERE, '../../web/app/tokens.css'), join(HERE, 'docs.css')]

const NAV = [
  ['user-guide.html', 'User guide'],
  ['measures.html', 'Measures'],
  ['findings.html', 'Findings'],
  ['statistics.html', 'Statistics'],
  ['formats.html', 'Formats'],
  ['at-scale.html', 'At scale'],
  ['hosting.html', 'Hosting'],
  ['security.html', 'Security'],
  ['architecture.html', 'Architecture'],
  ['glossary.html', 'Glossary'],
  ['decisions/index.html', 'Decisions'],
] as const

/** Applies the theme that was chosen in the app, before the first paint. */
const THEME = `try{const t=localStorage.getItem('seekscope.theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`

const contents = (headings: readonly DocumentHeading[]): string => {
  const listed = headings.filter(h => h.depth === 2)
  if (listed.length < 3) return ''
  const entries = listed.map(h => `<li><a href="#${h.id}">${escapeHtml(h.text)}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><ul>${entries.join('')}</ul></nav>`
}

/** Marks the place of the page at `path` in the navigation: the pages in `docs/guide` are those of the user guide. */
function currentIn(target: string, path: string): string {
  if (target === path) return ' aria-current="page"'
  return target === 'docs/user-guide.html' && path.startsWith('docs/guide/') ? ' aria-current="true"' : ''
}

/** A document as a page at `path` of the built site, `docs/measures.html`. */
export function documentPage(path: string, { html, headings }: Rendered): string {
  const depth = path.split('/').length - 1
  const up = depth === 0 ? './' : '../'.repeat(depth)
  const nav = NAV.map(
    ([name, text]) =>
      `<a href="${posix.relative(posix.dirname(path), `docs/${name}`)}"${currentIn(`docs/${name}`, path)}>${text}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${metaTag(documentPolicy(THEME))}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${up}icon.svg">
<link rel="stylesheet" href="${up}docs/docs.css">
<title>${escapeHtml(headings[0]?.text ?? 'Documents')} – Seekscope</title>
<script>${THEME}</script>
</head>
<body>
<header class="bar"><a class="brand" href="${up}index.html">Seekscope</a><nav aria-label="Documents">${nav.join('')}</nav></header>
<div class="columns">
${contents(headings)}
<main>
${html}</main>
</div>
</body>
</html>
`
}

/** Throws unless every link leads to an existing page and anchor. */
function check(pages: ReadonlyMap<string, Rendered>) {
  for (const [name, { links }] of pages) {
    for (const href of links) {
      const [file = '', id] = href.split('#')
      const target = pages.get(file === '' ? name : posix.join(posix.dirname(name), pageName(file)))
      if (target === undefined || (id !== undefined && !target.ids.has(id)))
        throw new Error(`docs: broken link in ${name}: ${href}`)
    }
  }
}

/** Pictures of the pages, by their names in the built site. Throws where one is not below `docs/`. */
function imagesOf(pages: ReadonlyMap<string, Rendered>): ReadonlyMap<string, Uint8Array> {
  const names = [...pages].flatMap(([name, { images }]) => images.map(href => posix.join(posix.dirname(name), href)))
  return new Map(names.map(name => [name, readFileSync(join(DOCS, name))]))
}

/** The files below `docs/` of the built site: name and content. Throws on a broken link, and without a picture. */
export function renderSite(): ReadonlyMap<string, string | Uint8Array> {
  const files = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.md'))
  const pages = new Map(
    files.sort().map(file => [pageName(file.replaceAll('\\', '/')), render(readFileSync(join(DOCS, file), 'utf8'))]),
  )
  check(pages)
  const pagesAndPictures = new Map<string, string | Uint8Array>(
    [...pages].map(([name, rendered]) => [name, documentPage(`docs/${name}`, rendered)]),
  )
  for (const [name, bytes] of imagesOf(pages)) pagesAndPictures.set(name, bytes)
  const style = STYLES.map(file => readFileSync(file, 'utf8')).join('\n')
  return pagesAndPictures.set('docs.css', style).set('all.html', renderBook(pages, NAV, style))
}
