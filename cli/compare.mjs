/** Which traces make up which runs of a comparison, and the comparison in a few lines. */
import { basename, dirname } from 'node:path'

/** @typedef {{ label: string, path: string, bench: readonly import('../web/engine/protocol').BenchFigure[], digest: { devices: readonly { dev: string }[] } }} Read a trace */
/** @typedef {{ label: string, bench: Read['bench'], traces: readonly Read['digest'][] }} Run */

/** @param {string} path @param {string} given on the command line: a file, a directory, an archive or a base name */
const isOf = (path, given) => path === given || path.startsWith(`${given.replace(/\/+$/, '')}/`) || path.startsWith(`${given}.blktrace.`)

/**
 * Traces of one path that lie in one folder were recorded together, unless that makes a single run of all there is.
 * @param {readonly string[]} paths as given
 * @param {readonly Read[]} traces
 * @returns {readonly Run[]} in the order of the paths
 */
export function recordings(paths, traces) {
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
    bench: run.flatMap(trace => trace.bench),
    traces: run.map(trace => trace.digest),
  }))
}

/**
 * The stripe geometry of the only array that texts beside a trace describe in full.
 * @param {readonly import('../web/engine/protocol').Note[]} notes
 */
export function arrayOf(notes) {
  const arrays = notes.flatMap(note => note.arrays ?? [])
  const [only] = arrays
  if (!only?.level || !only.disks || arrays.some(a => JSON.stringify(a) !== JSON.stringify(only))) return undefined
  return { level: only.level, unit: only.unit_sectors, dataDisks: only.disks, start: 0 }
}

/** @param {{ verdict?: string, findings?: readonly { code: string, sentence: string }[] }} document */
export const compareText = ({ verdict = '', findings = [] }) =>
  [verdict, ...findings.map(f => `${f.code}: ${f.sentence}`)].map(line => `${line}\n`).join('')
