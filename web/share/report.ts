/**
 * A report: the single-file app with a snapshot in it. DOM-free: shared by the page, the build and the command line.
 */

export const SNAPSHOT_ID = 'seekscope-snapshot'
export const VIEW_ID = 'seekscope-view'
const WORDS_ID = 'seekscope-words'

/** Placeholder for the contents of a report; `dist/seekscope.html` has it once. */
export const PLACE = '<!--seekscope:snapshot-->'

/** The single-file app. `head`: elements next to the title. */
export const appPage = (head: readonly string[], scripts: readonly string[]): string =>
  `<!doctype html>
<html lang="en">
<head>
${head.join('\n')}
<title>Seekscope</title>
</head>
<body>
<div id="root"></div>
${PLACE}
${scripts.join('\n')}
</body>
</html>
`

/** Samples are the larger half of the app, and a report does not need them. */
const SAMPLES = /<script type="text\/plain" data-file="samples\/[^>]*>[^<]*<\/script>\n?/g
const TITLE = /<title>[^<]*<\/title>/

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replace(/[&<>]/g, c => ENTITIES[c] ?? c)

export interface ReportContents {
  /** The packed snapshot, base64url. */
  readonly snapshot: string
  /** The view as a fragment, `#v=1&...`. */
  readonly view: string
  readonly title: string
  /** Plain text, printed below the charts, and shown alone when scripts are blocked. */
  readonly words: string
}

/** HTML. `app`: the text of `seekscope.html`. Throws when `app` is not that file, or the snapshot is not base64url. */
export function reportFile(app: string, { snapshot, view, title, words }: ReportContents): string {
  if (app.split(PLACE).length !== 2 || !TITLE.test(app)) throw new Error('report: this is not the single-file app')
  if (!/^[\w-]+$/.test(snapshot)) throw new Error('report: the snapshot is not base64url')
  // Percent-encoding means the same in a fragment, and cannot end the element.
  const inView = view.replaceAll('<', '%3C')
  const carried = [
    `<script type="text/plain" id="${SNAPSHOT_ID}">${snapshot}</script>`,
    `<script type="text/plain" id="${VIEW_ID}">${inView}</script>`,
    `<pre id="${WORDS_ID}">${escaped(words)}</pre>`,
  ].join('\n')
  return app
    .replace(SAMPLES, '')
    .replace(TITLE, () => `<title>${escaped(title)} \u2013 Seekscope</title>`)
    .replace(PLACE, () => carried)
}
