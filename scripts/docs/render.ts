/**
 * Renders one Markdown file to HTML: headings get anchors, tables and code can scroll, links lead to the built pages.
 */
import { Marked, type Tokens } from 'marked'

export interface DocumentHeading {
  readonly depth: number
  readonly id: string
  readonly text: string
}

export interface Rendered {
  readonly html: string
  readonly headings: readonly DocumentHeading[]
  /** Targets of links: headings, and `<a id="..."></a>` in the text. */
  readonly ids: ReadonlySet<string>
  /** Links to other pages and anchors, as written. */
  readonly links: readonly string[]
  /** Paths of pictures, as written. */
  readonly images: readonly string[]
}

const FOREIGN = /^[a-z]+:/

/** The anchor of a heading: `Where the time goes` becomes `where-the-time-goes`. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** The page of a Markdown file: `decisions/README.md` becomes `decisions/index.html`. */
export const pageName = (file: string): string =>
  file
    .toLowerCase()
    .replace(/readme\.md$/, 'index.html')
    .replace(/\.md$/, '.html')

/** Escapes text for HTML, in elements and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Removes emphasis, code marks and HTML tags. */
const plainMarkdown = (text: string): string => text.replaceAll(/[`*]|<[^>]*>/g, '')

/** Throws if two anchors of a file have the same name. */
export function render(markdown: string): Rendered {
  const headings: DocumentHeading[] = []
  const links: string[] = []
  const images: string[] = []
  const ids = new Set<string>()
  const addId = (id: string) => {
    if (ids.has(id)) throw new Error(`duplicate anchor #${id}`)
    ids.add(id)
  }
  for (const [, id] of markdown.matchAll(/<a id="([^"]+)"><\/a>/g)) if (id !== undefined) addId(id)

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const [name, id] = [plainMarkdown(text), slug(plainMarkdown(text))]
        addId(id)
        headings.push({ depth, id, text: name })
        const mark =
          depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to: ${escapeHtml(name)}">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${mark}</h${depth}>\n`
      },
      table(token: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: 'td' | 'th') =>
          row
            .map(
              cell => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(cell.tokens)}</${tag}>`,
            )
            .join('')
        const rows = token.rows.map(row => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        const label = escapeHtml(`Table: ${token.header.map(cell => plainMarkdown(cell.text)).join(', ')}`)
        return `<div class="table" data-columns="${token.header.length}" role="group" tabindex="0" aria-label="${label}"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>\n${rows}\n</tbody></table></div>\n`
      },
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`,
      image({ href, text }: Tokens.Image) {
        images.push(href)
        return `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}">`
      },
      link({ href, tokens }: Tokens.Link) {
        const [file = '', id] = href.split('#')
        const to = FOREIGN.test(href) ? href : `${pageName(file)}${id === undefined ? '' : `#${id}`}`
        if (!FOREIGN.test(href)) links.push(href)
        return `<a href="${escapeHtml(to)}">${this.parser.parseInline(tokens)}</a>`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { html, headings, ids, links, images }
}
