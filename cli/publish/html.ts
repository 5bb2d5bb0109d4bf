/**
 * The index of published runs: a plain table of them, which also works without scripts and from disk. Served by a web
 * server, it leads to the page with the table of digests. All texts in it are hostile: names are those of folders.
 */
import { createHash } from 'node:crypto'
import { ascii } from '../../web/lib/format'
import { visibleLine } from '../../web/lib/text/visible'
import { PUBLISHED } from './labels'
import { addedLabels } from './measure'
import { PAGE } from './page'
import { type PublishedRun, RUN_FILES, runPath } from './runs'
import { ERRORS, TABLE } from './table'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text of HTML, or of a quoted attribute. */
const escaped = (text: string): string => visibleLine(text).replace(/[&<>"']/g, c => ENTITIES[c] ?? c)

/** A relative URL. */
const urlOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** The fragment that keeps the reader at the table of files. */
const STAY = '#runs'

/** Leads to the page: scripts run, and there is a web server, which a page needs to fetch tables. */
const scriptOf = (page: string, tables: readonly string[]): string => `
const here = location.href.replace(/[?#].*$/s, '')
const urls = ${JSON.stringify(tables)}.map(table => '&url=' + encodeURIComponent(new URL(table, here).href))
const page = new URL(${JSON.stringify(page).replaceAll('<', '\\u003c')}, here).href
const fleet = page + '#v=1' + urls.join('') + '&fleet=' + encodeURIComponent('sort=-${PUBLISHED}')
if (/^https?:$/.test(location.protocol)) {
  if (location.hash !== '${STAY}') location.replace(fleet)
  const link = document.getElementById('fleet')
  link.href = fleet
  link.parentElement.hidden = false
}
`

/** Colours are those of the browser, light or dark. */
const STYLE = `
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif }
body { margin: 16px }
h1 { font-size: 20px; margin: 0 0 4px }
p { margin: 0 0 12px }
a { color: inherit }
.box { overflow-x: auto }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: 6px 16px 6px 0; border-bottom: 1px solid GrayText }
thead th { white-space: nowrap }
th[scope=row] { min-width: 12em; max-width: 28em; overflow-wrap: anywhere }
td { max-width: 36em; overflow-wrap: anywhere }
td.result { min-width: 20em }
td a { display: inline-block; padding: 2px 0; margin-right: 12px }
time { white-space: nowrap }
@media (max-width: 700px) {
  thead { display: none }
  table, tbody, tr, th[scope=row], td { display: block; max-width: none; min-width: 0; border: 0; padding: 2px 0 }
  td.result { min-width: 0 }
  tr { padding: 8px 0; border-bottom: 1px solid GrayText }
  td[data-name]::before { content: attr(data-name) ": " }
  td:empty { display: none }
  td a { padding: 10px 0; margin-right: 20px }
}
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Words of the links to the files of a run. */
const FILE_WORDS: Readonly<Record<string, string>> = {
  [RUN_FILES.report]: 'report',
  [RUN_FILES.link]: 'link',
  [RUN_FILES.tests]: 'JUnit',
  [RUN_FILES.summary]: 'figures',
  [RUN_FILES.digest]: 'digest',
}

const problemCount = (count: number): string => ascii.counted(count, 'problem')

const TIME_HEAD = 'Published (UTC)'

function wordsOf({ sentence, outcome, problems }: PublishedRun): string {
  const words = sentence === undefined ? [] : [escaped(sentence)]
  if (outcome === 'slower') words[0] = `<strong>${words[0] ?? ''}</strong>`
  const [first] = problems
  if (first)
    words.push(`<strong>${problemCount(problems.length)}:</strong> ${escaped(`${first.code}: ${first.message}`)}`)
  return words.join('<br>')
}

function rowOf(facts: PublishedRun, labelNames: readonly string[]): string {
  const { run, published, labels, files } = facts
  const named = Object.keys(FILE_WORDS).filter(file => files.includes(file))
  const links = [...named, ...files.filter(file => !(file in FILE_WORDS))].map(
    file => `<a href="${escaped(urlOf(runPath(run, file)))}">${FILE_WORDS[file] ?? 'recording'}</a>`,
  )
  const cells = labelNames.map(name => `<td data-name="${escaped(name)}">${escaped(labels[name] ?? '')}</td>`)
  const time = `<time datetime="${escaped(published)}">${escaped(published.slice(0, 16).replace('T', ' '))}</time>`
  const head = `<th scope="row">${escaped(run)}</th><td data-name="${TIME_HEAD}">${time}</td>`
  return `<tr>${head}${cells.join('')}<td class="result">${wordsOf(facts)}</td><td>${links.join(' ')}</td></tr>`
}

/** `page`: URL of the page, absolute or relative to the index. `problems`: number of rows in the table of errors. */
export function indexPage(
  runs: readonly PublishedRun[],
  { page = `${PAGE}/`, problems }: { readonly page?: string; readonly problems: number },
): string {
  const labelNames = [
    ...new Set([...['kernel'].filter(key => runs.some(({ labels }) => key in labels)), ...addedLabels(runs)]),
  ]
  const script = scriptOf(page, problems > 0 ? [TABLE, ERRORS] : [TABLE])
  const allowed = `script-src ${hashOf(script)}; style-src ${hashOf(STYLE)}`
  const policy = `default-src 'none'; ${allowed}; base-uri 'none'; form-action 'none'`
  const heads = ['Run', TIME_HEAD, ...labelNames, 'Result', 'Files']
  const broken = problems > 0 ? `, ${problemCount(problems)} in <a href="${ERRORS}">${ERRORS}</a>` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Runs – Seekscope</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Runs</h1>
<p>${ascii.counted(runs.length, 'run')} in <a href="${TABLE}">${TABLE}</a>${broken}, the latest first.</p>
<p hidden><a id="fleet">Filter, sort and compare these runs</a></p>
<script>${script}</script>
<div class="box" tabindex="0">
<table>
<thead><tr>${heads.map(head => `<th scope="col">${escaped(head)}</th>`).join('')}</tr></thead>
<tbody>
${[...runs]
  .reverse()
  .map(run => rowOf(run, labelNames))
  .join('\n')}
</tbody>
</table>
</div>
</main>
</body>
</html>
`
}
