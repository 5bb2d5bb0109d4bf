/** Which traces make up which runs of a comparison. */
import { basename, dirname } from 'node:path'
import { Usage } from './args.mjs'
import { loadEngine } from './engine.mjs'
import { complain, ofEachTrace } from './traces.mjs'

/** @typedef {{ devices: readonly { dev: string, name: string, array?: object, suggestion?: import('../web/engine/summary').SummaryDevice['geometry_suggestion'] }[] }} Digest */
/** @typedef {{ label: string, kernel?: string, path: string, bench: readonly import('../web/engine/protocol').BenchFigure[], digest: Digest }} Read a trace */
/** @typedef {{ label: string, kernel?: string, path: string, bench: Read['bench'], traces: readonly Read['digest'][] }} Run `path`: of its first file */

/** @param {string} path @param {string} given on the command line: a file, a directory, an archive or a base name */
const isOf = (path, given) => path === given || path.startsWith(`${given.replace(/\/+$/, '')}/`) || path.startsWith(`${given}.blktrace.`)

/**
 * @param {import('./args.mjs').Given} given
 * @param {ReturnType<typeof import('./args.mjs').geometry>} [geometry] by default that of the array which texts beside a trace describe
 * @returns {Promise<readonly Run[]>}
 */
export async function runsOf(given, geometry) {
  const traces = await ofEachTrace(given, (trace, _index, notes, bench, { label, kernel, path }) => {
    const digest = /** @type {Read['digest']} */ (trace.query('digest', JSON.stringify({ geometry: geometry ?? arrayOf(notes) })))
    return { label, ...(kernel && { kernel }), path, bench, digest }
  })
  if (!geometry) for (const { path, digest } of traces) suggest(path, digest)
  return recordings(given.paths, traces)
}

/** Says which geometry a trace shows, if no text beside it does: it is never applied by itself. @param {string} path @param {Read['digest']} digest */
function suggest(path, { devices }) {
  for (const { dev, name, array, suggestion } of devices) {
    if (array || !suggestion?.disks) continue
    const spec = `unit=${suggestion.unit_sectors}s,disks=${suggestion.disks},start=${suggestion.start_sector}s`
    const agreed = `${Math.floor(suggestion.agreement * 100)} % of what was looked at agrees`
    process.stderr.write(`seekscope: ${path}: ${name || dev} looks striped (${agreed}): --stripe ${spec},level=...\n`)
  }
}

/** @param {Extract<import('./args.mjs').Command, { command: 'compare' }>} command */
export async function compare({ json, geometry, labels, groups, baseline, device, ...given }) {
  const found = await runsOf(given, geometry)
  if (found.length < 2) {
    complain(given.paths.join(' '), 'one-run', `There is ${found.length === 1 ? 'one run' : 'no run'}; a comparison needs two.`)
    return
  }
  if (baseline >= found.length) throw new Usage(`there is no run ${baseline + 1}: ${found.length} were read`)
  const runs = found.map((run, i) => ({ ...run, label: labels[i] ?? run.label, ...(groups[i] && { group: groups[i] }), ...(device && { device }) }))
  const engine = await loadEngine()
  const ask = JSON.stringify({ runs, baseline })
  process.stdout.write(json ? `${JSON.stringify(engine.compare(ask))}\n` : engine.compareText(ask))
}

/**
 * Traces of one path that lie in one folder were recorded together, unless that makes a single run of all there is.
 * @param {readonly string[]} paths as given
 * @param {readonly Read[]} traces
 * @returns {readonly Run[]} in the order of the paths
 */
function recordings(paths, traces) {
  const keys = [...new Set(paths)]
  /** @type {Map<string, Read[]>} */
  const byFolder = new Map()
  for (const path of keys) {
    for (const trace of traces.filter(t => isOf(t.path, path))) {
      const key = `${path}\n${dirname(trace.path)}`
      byFolder.set(key, [...(byFolder.get(key) ?? []), trace])
    }
  }
  const together = [...byFolder.values()]
  const runs = together.length > 1 ? together : traces.map(trace => [trace])
  const folder = (/** @type {Read} */ trace) => basename(dirname(trace.path))
  const labels = runs.map(run => run[0]?.label ?? '')
  const telling = new Set(labels).size === labels.length
  return runs.map((run, i) => ({
    label: telling || !run[0] ? (labels[i] ?? '') : folder(run[0]),
    path: run[0]?.path ?? '',
    ...(run[0]?.kernel && { kernel: run[0].kernel }),
    bench: run.flatMap(trace => trace.bench),
    traces: run.map(trace => trace.digest),
  }))
}

/**
 * The stripe geometry of the only array that texts beside a trace describe in full.
 * @param {readonly import('../web/engine/protocol').Note[]} notes
 */
function arrayOf(notes) {
  const arrays = notes.flatMap(note => note.arrays ?? [])
  const [only] = arrays
  if (!only?.level || !only.disks || arrays.some(a => JSON.stringify(a) !== JSON.stringify(only))) return undefined
  return { level: only.level, unit: only.unit_sectors, dataDisks: only.disks, start: 0 }
}
