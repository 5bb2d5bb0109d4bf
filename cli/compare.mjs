/** Traces as the runs of a comparison. */
import { Usage } from './args.mjs'
import { loadEngine } from './engine.mjs'
import { complain, ofEachTrace } from './traces.mjs'

/** @typedef {{ devices: readonly { dev: string, name: string, array?: object, suggestion?: import('../web/engine/summary').SummaryDevice['geometry_suggestion'] }[] }} Digest */
/** @typedef {{ label: string, kernel?: string, path: string, bench: readonly import('../web/engine/protocol').BenchFigure[], trace: Digest }} Run `path`: of its first file */

/**
 * A run is a trace: what was recorded together is one.
 * @param {import('./args.mjs').Given} given
 * @param {ReturnType<typeof import('./args.mjs').geometry>} [geometry] by default that of the array which texts beside a trace describe
 * @returns {Promise<readonly Run[]>} in the order of the paths
 */
export async function runsOf(given, geometry) {
  const runs = await ofEachTrace(given, (read, _index, notes, bench, { label, kernel, path }) => {
    const trace = /** @type {Digest} */ (read.query('digest', JSON.stringify({ geometry: geometry ?? arrayOf(notes) })))
    return { label, ...(kernel && { kernel }), path, bench, trace }
  })
  if (!geometry) for (const { path, trace } of runs) suggest(path, trace)
  return runs
}

/** Says which geometry a trace shows, if no text beside it does: it is never applied by itself. @param {string} path @param {Digest} digest */
export function suggest(path, { devices }) {
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
 * The stripe geometry of the only array that texts beside a trace describe in full.
 * @param {readonly import('../web/engine/protocol').TraceNote[]} notes
 */
export function arrayOf(notes) {
  const arrays = notes.flatMap(note => note.arrays ?? [])
  const [only] = arrays
  if (!only?.level || !only.disks || arrays.some(a => JSON.stringify(a) !== JSON.stringify(only))) return undefined
  return { level: only.level, unit: only.unit_sectors, dataDisks: only.disks, start: 0 }
}
