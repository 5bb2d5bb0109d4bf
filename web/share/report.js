/** A report: the single-file app with a snapshot in it. DOM-free: shared by the page, the build and the command line. */

export const SNAPSHOT_ID = 'seekscope-snapshot'
export const VIEW_ID = 'seekscope-view'
export const WORDS_ID = 'seekscope-words'

/** Placeholder for the contents of a report; `dist/seekscope.html` has it once. */
export const PLACE = '<!--seekscope:snapshot-->'

/**
 * The app as one file, of the elements that it is made of.
 * @param {readonly string[]} head beside the title
 * @param {readonly string[]} scripts
 */
export const appPage = (head, scripts) =>
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

/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (/** @type {string} */ text) => text.replace(/[&<>]/g, c => ENTITIES[c] ?? c)

/**
 * @typedef {{
 *   snapshot: string,
 *   view: string,
 *   title: string,
 *   words: string,
 * }} Report `snapshot`: base64url; `view`: a fragment, `#v=1&...`; `words`: plain text, printed below the charts and
 * shown alone when scripts are blocked
 */

/**
 * @param {string} app the text of `seekscope.html`
 * @param {Report} report
 * @returns {string} HTML. Throws when `app` is not that file, or the snapshot is no base64url
 */
export function reportFile(app, { snapshot, view, title, words }) {
  if (app.split(PLACE).length !== 2 || !TITLE.test(app)) throw new Error('report: this is not the app as one file')
  if (!/^[\w-]+$/.test(snapshot)) throw new Error('report: a snapshot is base64url text')
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
