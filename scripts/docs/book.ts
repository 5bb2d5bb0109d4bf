/**
 * All documents on one page that needs no other file, pictures in words, for the single-file app (`scripts/finish`).
 */
import { posix } from 'node:path'
import { escapeHtml, pageName, type Rendered } from './render.ts'

const ID = / id="([^"]*)"/g
const LINK = / href="([^"]*)"/g
const IMAGE = /<img src="[^"]*" alt="([^"]*)">/g
const FOREIGN = /^[a-z]+:/

/** Id of a link's target in the book: the link `measures.html#figures` leads to `measures.html/figures`. */
function placeOf(from: string, href: string): string {
  const [file = '', id] = href.split('#')
  const page = file === '' ? from : posix.join(posix.dirname(from), file)
  return id === undefined ? page : `${page}/${id}`
}

function article(name: string, { html }: Rendered): string {
  const inside = html
    .replace(IMAGE, (_, words: string) => `<em>Picture: ${words}.</em>`)
    .replace(ID, (_, id: string) => ` id="${name}/${id}"`)
    .replace(LINK, (link, href: string) => (FOREIGN.test(href) ? link : ` href="#${placeOf(name, href)}"`))
  return `<article id="${name}">\n${inside}</article>`
}

/** The pages in a folder below a page, in the order of its links to them: the chapters of the user guide. */
const chaptersOf = (page: Rendered | undefined): readonly string[] =>
  (page?.links ?? []).flatMap(href => (/^guide\/[^#]+$/.test(href) ? [pageName(href)] : []))

/** Chromium does not follow links within a page that was opened from disk. */
const SCRIPT = `document.addEventListener('click',event=>{const link=event.target.closest('a[href^="#"]');const place=link&&document.getElementById(link.getAttribute('href').slice(1));if(place){event.preventDefault();place.scrollIntoView()}})`

/**
 * Renders all pages as one: those of `first` in this order, each with its chapters, and with these names in the
 * navigation; the others follow.
 */
export function renderBook(
  pages: ReadonlyMap<string, Rendered>,
  first: readonly (readonly [name: string, title: string])[],
  style: string,
): string {
  const names = new Set([...first.flatMap(([name]) => [name, ...chaptersOf(pages.get(name))]), ...pages.keys()])
  const nav = first.map(([name, title]) => `<a href="#${name}">${escapeHtml(title)}</a>`).join('')
  const articles = [...names].flatMap(name => {
    const page = pages.get(name)
    return page ? [article(name, page)] : []
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Documents – Seekscope</title>
<style>${style}</style>
<script>${SCRIPT}</script>
</head>
<body>
<header class="bar"><span class="brand">Seekscope</span><nav aria-label="Documents">${nav}</nav></header>
<div class="columns">
<main>
${articles.join('\n')}
</main>
</div>
</body>
</html>
`
}

/** Adds a document to the end of the book. */
export const appendToBook = (text: string, name: string, page: Rendered): string => {
  const end = text.lastIndexOf('</main>')
  return `${text.slice(0, end)}${article(name, page)}\n${text.slice(end)}`
}
