/** The command line in words, and what was asked for in it. */
import { parseArgs } from 'node:util'
import { FORMATS } from '../web/export/file.js'

/** Wrong usage: exit status 2. */
export class Usage extends Error {}

export const HELP = `usage: seekscope summary  PATH... [--json] [--stripe SPEC] [--range T0:T1]
       seekscope blkparse PATH... [--summary-only] [--messages]
       seekscope btt      PATH... [-A]
       seekscope compare  PATH PATH... [--text | --json] [--stripe SPEC]
                          [--device DEV] [--label L]... [--group G]... [--baseline N]
       seekscope requests PATH... [-o FILE.csv | -o FILE.parquet]
                          [--stripe SPEC] [--range T0:T1]
       seekscope link     PATH... [--size S|M|L] [--base URL]
                          [--names] [--files] and the options of compare
       seekscope report   PATH... -o FILE.html [--title TEXT]
                          [--names] [--files] and the options of compare
       all of these also take [--format-string STR] [--no-limits]
       seekscope open     PATH... [--port N] [--no-browser]

PATH   a per-CPU file, a base name (sda, dir/sda), a directory, a dump of
       blkparse -d, text of blkparse, an archive or a compressed file (tar,
       zip, gzip, bzip2, xz, zstd, also in each other), or - for standard
       input
SPEC   unit=256KiB,disks=4[,start=63s][,level=raid5]
       sizes take s (512-byte sectors), KiB, MiB; level: raid0 raid5 raid6
       raid10; disks counts the data disks
T0:T1  seconds since the first event; either end may be left out
--format-string STR  what blkparse -f was given when it printed the text
--label L    of the first run, the second, ...; also --group G: runs of one
             group are repeats of one thing ('' for none)
--baseline N the run, from 1 on, with which the others are compared
--text       plain text for a mail: ASCII, 72 columns (without --json anyway)
--device DEV the device to compare (vda, md0, 254,0); by default the array,
             else the disk that was asked for most
-o FILE      a line a request, of all traces in one file, as CSV or Parquet by
             its name; without it CSV to standard output
--size S|M|L how much a link holds: S fits two runs into 8,000 characters, L is
             for browsers alone
--base URL   where the Seekscope of the link lies
--names      names of processes are in it; --files: names of files, too
open         serves the page with these traces on 127.0.0.1 and shows it in the
             browser until Ctrl-C; --port N: on this port, else on a free one
-A, --all    also prints btt's tables per process and device, and of Q2D
--messages   also prints the messages that blkparse 1.2.0 drops
--no-limits  unpacks archives of any size, depth and number of files

exit status: 0 done, 1 an input could not be read (the others are still
reported), 2 bad usage`

const LEVELS = ['raid0', 'raid5', 'raid6', 'raid10']
/** Sectors a unit. */
const SIZES = new Map([
  ['s', 1],
  ['KiB', 2],
  ['MiB', 2048],
])

/**
 * @param {string} text `256KiB`
 * @returns {number} sectors
 */
function sectors(text) {
  const [, digits, unit] = /^(\d+)(s|KiB|MiB)$/.exec(text) ?? []
  const scale = SIZES.get(unit ?? '')
  if (!digits || !scale) throw new Usage(`not a size with its unit (s, KiB, MiB): ${text}`)
  return Number(digits) * scale
}

/**
 * @param {string} spec
 * @returns {{ level: string, unit: number, dataDisks: number, start: number }} Geometry of the engine's protocol
 */
export function geometry(spec) {
  const given = new Map(spec.split(',').map(item => /** @type {[string, string]} */ (item.split('=', 2))))
  for (const key of given.keys()) {
    if (!['unit', 'disks', 'start', 'level'].includes(key)) throw new Usage(`--stripe knows no ${key}`)
  }
  const disks = Number(given.get('disks') ?? 1)
  const level = given.get('level') ?? 'raid0'
  if (!given.has('unit')) throw new Usage('--stripe needs unit=SIZE')
  if (!Number.isInteger(disks) || disks < 1) throw new Usage(`not a number of data disks: ${given.get('disks')}`)
  if (!LEVELS.includes(level)) throw new Usage(`not a level (${LEVELS.join(', ')}): ${level}`)
  const unit = sectors(given.get('unit') ?? '')
  if (unit < 1) throw new Usage('the stripe unit is at least one sector')
  return { level, unit, dataDisks: disks, start: sectors(given.get('start') ?? '0s') }
}

/**
 * @param {string} text `0.5:2`, seconds
 * @returns {{ t0?: number, t1?: number }} ns; an open end is absent
 */
export function range(text) {
  const match = /^(\d+(?:\.\d+)?)?:(\d+(?:\.\d+)?)?$/.exec(text)
  if (!match) throw new Usage(`not a range T0:T1 in seconds: ${text}`)
  const [, from, to] = match
  const t0 = from === undefined ? undefined : Math.round(Number(from) * 1e9)
  const t1 = to === undefined ? undefined : Math.round(Number(to) * 1e9)
  if (t0 !== undefined && t1 !== undefined && t1 <= t0) throw new Usage(`the range ${text} is empty`)
  return { ...(t0 === undefined ? {} : { t0 }), ...(t1 === undefined ? {} : { t1 }) }
}

/** @param {string} [text] @returns {number} 0: any free one */
function portOf(text = '0') {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65535) throw new Usage(`not a port: ${text}`)
  return port
}

/** @param {string} [text] @returns {string} without a fragment */
function baseOf(text = '') {
  if (text !== '' && !/^(https?|file):$/.test(URL.canParse(text) ? new URL(text).protocol : '')) throw new Usage(`--base is an address, not ${text}`)
  return text.replace(/#.*$/s, '')
}

/**
 * How runs are compared.
 * @param {{ label?: string[], group?: string[], baseline?: string, device?: string, stripe?: string }} values
 */
function arranged({ label, group, baseline: given = '1', device, stripe }) {
  const baseline = Number(given)
  if (!Number.isInteger(baseline) || baseline < 1) throw new Usage(`--baseline is a run, from 1 on, not ${given}`)
  return {
    labels: label ?? [],
    groups: group ?? [],
    baseline: baseline - 1,
    ...(device === undefined ? {} : { device }),
    ...(stripe ? { geometry: geometry(stripe) } : {}),
  }
}

/** @param {string | undefined} output */
function formatOf(output) {
  const format = output === undefined ? 'csv' : FORMATS.find(name => output.toLowerCase().endsWith(`.${name}`))
  if (!format) throw new Usage(`-o names a file that ends in .csv or .parquet, not ${output}`)
  return format
}

const OPTIONS = /** @type {const} */ ({
  json: { type: 'boolean' },
  text: { type: 'boolean' },
  stripe: { type: 'string' },
  range: { type: 'string' },
  'summary-only': { type: 'boolean' },
  messages: { type: 'boolean' },
  all: { type: 'boolean', short: 'A' },
  label: { type: 'string', multiple: true },
  group: { type: 'string', multiple: true },
  baseline: { type: 'string' },
  device: { type: 'string' },
  port: { type: 'string' },
  'no-browser': { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  size: { type: 'string' },
  base: { type: 'string' },
  title: { type: 'string' },
  names: { type: 'boolean' },
  files: { type: 'boolean' },
  'no-limits': { type: 'boolean' },
  'format-string': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
})
const COMPARED = ['stripe', 'label', 'group', 'baseline', 'device']
/** @type {Readonly<Record<string, readonly string[]>>} */
const ALLOWED = {
  link: ['size', 'base', 'names', 'files', ...COMPARED],
  report: ['output', 'title', 'names', 'files', ...COMPARED],
  summary: ['json', 'stripe', 'range'],
  blkparse: ['summary-only', 'messages'],
  btt: ['all'],
  open: ['port', 'no-browser'],
  compare: ['json', 'text', 'stripe', 'label', 'group', 'baseline', 'device'],
  requests: ['output', 'stripe', 'range'],
}
const ALWAYS_ALLOWED = ['no-limits', 'format-string']

/** @param {readonly string[]} argv without node and script */
function split(argv) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error))
  }
}

/**
 * @typedef {{ paths: readonly string[], limited: boolean, pattern?: string }} Given `pattern`: a format of blkparse -f
 * @typedef {{ geometry?: ReturnType<typeof geometry>, labels: readonly string[], groups: readonly string[], baseline: number, device?: string }} Arranged how runs are compared
 * @typedef {{ command: 'help' }
 *   | Given & { command: 'summary', json: boolean, geometry?: ReturnType<typeof geometry>, range?: ReturnType<typeof range> }
 *   | Given & { command: 'btt', all: boolean }
 *   | Given & Arranged & { command: 'compare', json: boolean }
 *   | { command: 'open', paths: readonly string[], port: number, browser: boolean }
 *   | Given & { command: 'requests', output?: string, format: import('../web/export/file.js').Format, geometry?: ReturnType<typeof geometry>, range?: ReturnType<typeof range> }
 *   | Given & Arranged & { command: 'link', size: 'S' | 'M' | 'L', base: string, names: boolean, files: boolean }
 *   | Given & Arranged & { command: 'report', output: string, title?: string, names: boolean, files: boolean }
 *   | Given & { command: 'blkparse', summaryOnly: boolean, messages: boolean }} Command
 * @param {readonly string[]} argv
 * @returns {Command}
 */
export function parse(argv) {
  const { values, positionals } = split(argv)
  if (values.help) return { command: 'help' }
  const [command, ...paths] = positionals
  const allowed = ALLOWED[command ?? '']
  if (!allowed) throw new Usage(command ? `no such command: ${command}` : 'a command is missing')
  for (const name of Object.keys(values)) {
    if (!allowed.includes(name) && (command === 'open' || !ALWAYS_ALLOWED.includes(name))) throw new Usage(`${command} takes no --${name}`)
  }
  if (paths.length === 0) throw new Usage(`${command} needs a PATH`)
  if (command === 'open') return { command, paths, port: portOf(values.port), browser: !values['no-browser'] }
  const pattern = values['format-string']
  const given = { paths, limited: !values['no-limits'], ...(pattern === undefined ? {} : { pattern }) }
  if (command === 'btt') return { command, ...given, all: values.all ?? false }
  if (command === 'compare') {
    if (values.json && values.text) throw new Usage('one document: --text or --json')
    return { command, ...given, ...arranged(values), json: values.json ?? false }
  }
  const taken = { names: values.names ?? false, files: values.files ?? false }
  if (command === 'link') {
    const size = /** @type {const} */ (['S', 'M', 'L']).find(name => name === (values.size ?? 'S'))
    if (!size) throw new Usage(`--size is S, M or L, not ${values.size}`)
    return { command, ...given, ...arranged(values), ...taken, size, base: baseOf(values.base) }
  }
  if (command === 'report') {
    if (values.output === undefined) throw new Usage('report needs -o FILE.html')
    return { command, ...given, ...arranged(values), ...taken, output: values.output, ...(values.title === undefined ? {} : { title: values.title }) }
  }
  if (command === 'blkparse') {
    const summaryOnly = values['summary-only'] ?? false
    const messages = values.messages ?? false
    if (summaryOnly && messages) throw new Usage('the summary has no messages: --summary-only or --messages')
    return { command, ...given, summaryOnly, messages }
  }
  const scope = {
    ...(values.stripe ? { geometry: geometry(values.stripe) } : {}),
    ...(values.range ? { range: range(values.range) } : {}),
  }
  if (command === 'requests') {
    const { output } = values
    return { command, ...given, ...scope, format: formatOf(output), ...(output === undefined ? {} : { output }) }
  }
  return { command: 'summary', ...given, ...scope, json: values.json ?? false }
}
