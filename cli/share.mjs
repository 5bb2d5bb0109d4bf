/** `seekscope link` and `seekscope report`: a comparison as an address or a file, with nothing left behind. */
import { readFileSync, writeFileSync } from 'node:fs'
import { reportFile } from '../web/share/report.js'
import { Usage } from './args.mjs'
import { arrayOf, suggest } from './compare.mjs'
import { engineError, loadEngine } from './engine.mjs'
import { NoPage } from './open.mjs'
import { summaryText } from './text.mjs'
import { complain, ofEachTrace } from './traces.mjs'

/** @typedef {ReturnType<typeof import('./args.mjs').geometry>} Geometry */
/** @typedef {import('../web/engine/protocol').SnapshotSize} Size */
/** @typedef {{ paths: readonly string[], limited: boolean, pattern?: string, geometry?: Geometry, labels: readonly string[], groups: readonly string[], baseline: number, device?: string, names: boolean, files: boolean }} Asked */

/** Characters of an address that mail programs and trackers still take. */
const SHORT = 8000
const LETTERS = 'ABCDEFGHIJKLMNOPQRST'
/** Tries of the small size until it fits. */
const STEPS = 20

/**
 * Everything of the traces that is asked again and again, while they are open.
 * @param {Asked} asked
 */
async function readAll({ geometry, labels, groups, device, names, ...given }) {
  const engine = await loadEngine()
  /** The same in all traces. @type {Map<string, string>} */
  const aliases = new Map()
  const read = await ofEachTrace(
    given,
    (trace, index, notes, bench, { label, kernel, path }) => {
      const own = geometry ?? arrayOf(notes)
      const digest = trace.query('digest', JSON.stringify({ geometry: own }))
      const info = trace.query('info', '{}')
      if (!geometry) suggest(path, digest)
      for (const { name } of info.processes) if (!aliases.has(name)) aliases.set(name, `task ${aliases.size + 1}`)
      const run = {
        label: labels[index] ?? label,
        ...(kernel && { kernel }),
        ...(groups[index] && { group: groups[index] }),
        ...(device && { device }),
        bench,
        trace: digest,
      }
      const named = engine.compare(JSON.stringify({ runs: [run], baseline: 0 })).runs[0]?.device
      const shown = info.devices.find((/** @type {{ name: string, dev: string }} */ d) => named === d.name || named === d.dev) ?? info.devices[0]
      const text = summaryText(trace.query('summary', JSON.stringify({ geometry: own })))
      return { trace, info, run, shown, text, ...(own && { geometry: own }) }
    },
    { keep: true },
  )
  return { engine, read, aliases: names ? {} : Object.fromEntries(aliases) }
}

/** @typedef {Awaited<ReturnType<typeof readAll>>} Read */

/** The page tells runs of one label apart by their letters. @param {Read['read']} read */
const withLetters = read =>
  read.map(({ run }, i) =>
    read.filter(other => other.run.label === run.label).length === 1 ? run : { ...run, label: `${run.label} (${LETTERS[i]})` },
  )

/**
 * What the address says besides the snapshot: what is not as the page has it by itself.
 * @param {Read['read']} read
 * @param {Asked} asked
 */
function viewOf(read, { baseline }) {
  const fields = ['v=1']
  const add = (/** @type {string} */ key, /** @type {string} */ value) => fields.push(`${key}=${encodeURIComponent(value)}`)
  if (baseline > 0) add('base', LETTERS[baseline] ?? 'A')
  for (const [i, { run }] of read.entries()) if (run.group) add(`group.${LETTERS[i]}`, run.group)
  const spec = (/** @type {Geometry} */ g) => `unit=${g.unit}s,disks=${g.dataDisks},start=${g.start}s,level=${g.level}`
  const [first] = read
  if (first?.geometry && read.every(r => r.geometry && spec(r.geometry) === spec(/** @type {Geometry} */ (first.geometry))))
    add('geo', spec(first.geometry))
  else for (const [i, { geometry }] of read.entries()) if (geometry) add(`geo.${LETTERS[i]}`, spec(geometry))
  return `#${fields.join('&')}`
}

/** @typedef {{ processes: readonly { index: number, name: string, via?: string, queued: number }[] }} Info */

/** More than one process asked for something: then they are what is seen first. @param {Info} info */
const several = ({ processes }) => new Set(processes.flatMap(({ name, via, queued }) => (queued > 0 ? [`${name} ${via}`] : []))).size > 1

/** A colour of its own for each of the busiest processes; the page puts its own in their place. @param {Info} info */
function slotsOf({ processes }) {
  const busiest = [...processes].sort((a, b) => b.queued - a.queued)
  /** @type {number[]} */
  const slots = []
  for (const { index } of processes)
    slots[index] = Math.min(
      5,
      busiest.findIndex(p => p.index === index),
    )
  return slots
}

/**
 * The snapshot as text; of at most `most` characters, where the size can be made to fit.
 * @param {Read} all
 * @param {Asked} asked
 * @param {Size} size
 * @param {number} most
 */
function take({ engine, read, aliases }, { baseline, names, files }, size, most) {
  const document = read.length > 1 ? engine.compare(JSON.stringify({ runs: withLetters(read), baseline })) : null
  const runs = read.map(({ run: { label, kernel, bench } }) => ({ label, ...(kernel && { kernel }), ...(bench.length > 0 && { bench }) }))
  const about = { head: { size, runs }, document, of: read.map((_, i) => i) }
  const shot = (/** @type {Read['read'][number]} */ { trace, info, shown, geometry }, /** @type {number} */ step) => {
    const first = geometry ? 'alignment' : several(info) ? 'process' : 'op'
    const layers = [first, ...(size === 'S' ? [] : ['op', 'process', 'size', 'latency', 'sync'])]
    const filter = { device: shown.index, ...(geometry && { geometry }) }
    const ask = {
      filters: [filter],
      ranges: [[0, info.span]],
      geometry,
      stage: 'q2c',
      layers: [...new Set(layers)],
      slots: slotsOf(info),
      names,
      aliases,
      files,
      size,
      step,
    }
    return trace.query('snapshot', JSON.stringify(ask))
  }
  let text = ''
  for (let step = 0; step < STEPS; step += 1) {
    try {
      const traces = read.map(one => shot(one, step))
      text = engine.packSnapshot(JSON.stringify({ snapshot: { ...about, traces }, size }))
    } catch (error) {
      if (text === '' || engineError(error)?.code !== 'bad-query') throw error
      return text
    }
    if (size !== 'S' || text.length <= most) return text
  }
  return text
}

/** @param {Asked} asked @param {Read['read']} read */
function check({ paths, baseline }, read) {
  if (read.length === 0) complain(paths.join(' '), 'no-run', 'There is no run to show.')
  else if (baseline >= read.length) throw new Usage(`there is no run ${baseline + 1}: ${read.length} were read`)
  return read.length > 0
}

/** @param {Read['read']} read */
const release = read => {
  for (const { trace } of read) trace.free()
}

/** @param {Extract<import('./args.mjs').Command, { command: 'link' }>} command */
export async function link({ size, base, ...asked }) {
  const all = await readAll(asked)
  if (!check(asked, all.read)) return
  const begin = `${base}${viewOf(all.read, asked)}&s=`
  const address = `${begin}${take(all, asked, size, SHORT - begin.length)}`
  release(all.read)
  process.stdout.write(`${address}\n`)
  if (size === 'S' && address.length > SHORT)
    process.stderr.write(`seekscope: ${address.length} characters: mail programs and trackers may cut it. A report file holds any number of runs.\n`)
  if (base === '') process.stderr.write('seekscope: this stands behind the address of a Seekscope; --base URL puts it there\n')
}

/** @param {Extract<import('./args.mjs').Command, { command: 'report' }>} command */
export async function report({ output, title, ...asked }) {
  const app = appFile()
  const all = await readAll(asked)
  if (!check(asked, all.read)) return
  const { engine, read } = all
  const labels = withLetters(read).map(run => run.label)
  const words = read.length > 1 ? engine.compareText(JSON.stringify({ runs: withLetters(read), baseline: asked.baseline })) : (read[0]?.text ?? '')
  const named = title ?? (labels.length === 2 ? `${labels[0]} against ${labels[1]}` : labels.join(', '))
  const view = `${viewOf(read, asked)}${title === undefined ? '' : `&title=${encodeURIComponent(title)}`}`
  const html = reportFile(app, { snapshot: take(all, asked, 'File', Number.POSITIVE_INFINITY), view, title: named, words })
  release(read)
  writeFileSync(output, html)
  process.stderr.write(`seekscope: ${output}: ${(html.length / 1e6).toFixed(1)} MB, opens in any browser\n`)
}

function appFile() {
  try {
    return readFileSync(new URL('../dist/seekscope.html', import.meta.url), 'utf8')
  } catch {
    throw new NoPage('the page is not built, run npm run build first (dist/seekscope.html is missing)')
  }
}
