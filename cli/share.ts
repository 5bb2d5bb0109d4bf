/** `seekscope link` and `seekscope report`: a comparison as a URL or a file, without the traces. */
import { readFileSync, writeFileSync } from 'node:fs'
import { isEngineError } from '../web/engine/errors'
import type { BenchFigure, CompareQuery, Digest, Geometry, Layer, SnapshotSize, TraceInfo, TraceSnapshot } from '../web/engine/protocol'
import { formatGeometry } from '../web/lib/geometry'
import { reportFile } from '../web/share/report.js'
import { arrayOf, suggestGeometry } from './compare'
import { type Engine, loadEngine, type OpenTrace } from './engine'
import { complain, say } from './progress'
import { summaryText } from './text'
import { ofEachTrace } from './traces'
import { SetupError } from './usage'
import { checkBaseline, type RunArrangement, type TraceInputs } from './values'

/** What the reader of a link gets to see. */
export interface ShareOptions extends RunArrangement {
  /** Process names. */
  readonly names: boolean
  /** File names. */
  readonly files: boolean
}

/** Characters of a URL that mail clients and trackers still take. */
const SHORT = 8000
const LETTERS = 'ABCDEFGHIJKLMNOPQRST'
/** Attempts of the small size until it fits. */
const MOST_STEPS = 20

/** An open trace as a run of what is shared. */
interface SharedRun {
  readonly trace: OpenTrace
  readonly info: TraceInfo
  readonly run: {
    readonly label: string
    readonly kernel?: string
    readonly group?: string
    readonly device?: string
    readonly bench: readonly BenchFigure[]
    readonly trace: Digest
  }
  /** The device that is compared. */
  readonly shown: number
  readonly text: string
  readonly geometry?: Geometry
}

interface SharedRuns {
  readonly engine: Engine
  readonly runs: readonly SharedRun[]
  /** Replace process names; the same in all traces. */
  readonly aliases: Readonly<Record<string, string>>
}

/** Reads all traces and keeps them open. */
async function readAll(inputs: TraceInputs, { geometry, labels, groups, device, names }: ShareOptions): Promise<SharedRuns> {
  const engine = loadEngine()
  const aliases = new Map<string, string>()
  const runs = await ofEachTrace(
    inputs,
    ({ trace, index, notes, bench, label, kernel, path }): SharedRun => {
      const own = geometry ?? arrayOf(notes)
      const ask = own ? { geometry: own } : {}
      const digest = trace.query('digest', ask)
      const info = trace.query('info', {})
      if (!geometry) suggestGeometry(path, digest)
      for (const { name } of info.processes) if (!aliases.has(name)) aliases.set(name, `task ${aliases.size + 1}`)
      const group = groups[index]
      const run = {
        label: labels[index] ?? label,
        ...(kernel && { kernel }),
        ...(group && { group }),
        ...(device && { device }),
        bench,
        trace: digest,
      }
      const named: string | undefined = engine.compare(JSON.stringify({ runs: [run], baseline: 0 } satisfies CompareQuery)).runs[0]?.device
      const shown = info.devices.find(d => named === d.name || named === d.dev) ?? info.devices[0]
      return { trace, info, run, shown: shown?.index ?? 0, text: summaryText(trace.query('summary', ask)), ...ask }
    },
    { keep: true },
  )
  return { engine, runs, aliases: names ? {} : Object.fromEntries(aliases) }
}

/** Runs with equal labels get their letter, as on the page. */
const withLetters = (runs: readonly SharedRun[]): CompareQuery['runs'] =>
  runs.map(({ run }, i) =>
    runs.filter(other => other.run.label === run.label).length === 1 ? run : { ...run, label: `${run.label} (${LETTERS[i]})` },
  )

/** The link's fields next to the snapshot: what differs from the page's defaults. */
function viewOf(runs: readonly SharedRun[], { baseline }: ShareOptions): string {
  const fields = ['v=1']
  const add = (key: string, value: string) => fields.push(`${key}=${encodeURIComponent(value)}`)
  if (baseline > 0) add('base', LETTERS[baseline] ?? 'A')
  for (const [i, { run }] of runs.entries()) if (run.group) add(`group.${LETTERS[i]}`, run.group)
  const specs = runs.map(({ geometry }) => geometry && formatGeometry(geometry))
  const [first] = specs
  if (first !== undefined && specs.every(spec => spec === first)) add('geo', first)
  else for (const [i, spec] of specs.entries()) if (spec !== undefined) add(`geo.${LETTERS[i]}`, spec)
  return `#${fields.join('&')}`
}

/** More than one process made requests: then the map is coloured by process. */
const hasSeveral = ({ processes }: TraceInfo): boolean =>
  new Set(processes.flatMap(({ name, via, queued }) => (queued > 0 ? [`${name} ${via}`] : []))).size > 1

/** A colour for each of the five busiest processes, one for all others. */
function slotsOf({ processes }: TraceInfo): readonly number[] {
  const busiest = [...processes].sort((a, b) => b.queued - a.queued)
  const slots: number[] = []
  for (const { index } of processes) {
    slots[index] = Math.min(
      5,
      busiest.findIndex(p => p.index === index),
    )
  }
  return slots
}

/** The snapshot as text; of at most `most` characters where the size can be made to fit. */
function takeSnapshot({ engine, runs, aliases }: SharedRuns, { baseline, names, files }: ShareOptions, size: SnapshotSize, most: number): string {
  const document = runs.length > 1 ? engine.compare(JSON.stringify({ runs: withLetters(runs), baseline } satisfies CompareQuery)) : null
  const about = runs.map(({ run: { label, kernel, bench } }) => ({ label, ...(kernel && { kernel }), ...(bench.length > 0 && { bench }) }))
  const shot = ({ trace, info, shown, geometry }: SharedRun, step: number): TraceSnapshot => {
    const first: Layer = geometry ? 'alignment' : hasSeveral(info) ? 'process' : 'op'
    const layers = [first, ...(size === 'S' ? [] : (['op', 'process', 'size', 'latency', 'sync'] as const))]
    return trace.query('snapshot', {
      filters: [{ device: shown, ...(geometry && { geometry }) }],
      ranges: [[0, info.span]],
      ...(geometry && { geometry }),
      stage: 'q2c',
      layers: [...new Set(layers)],
      slots: slotsOf(info),
      names,
      aliases,
      files,
      size,
      step,
    })
  }
  let text = ''
  for (let step = 0; step < MOST_STEPS; step += 1) {
    try {
      const traces = runs.map(one => shot(one, step))
      text = engine.packSnapshot(JSON.stringify({ snapshot: { head: { size, runs: about }, document, of: runs.map((_, i) => i), traces }, size }))
    } catch (error) {
      if (text === '' || !isEngineError(error) || error.code !== 'bad-query') throw error
      return text
    }
    if (size !== 'S' || text.length <= most) return text
  }
  return text
}

/** Whether there is something to share. */
function check({ paths }: TraceInputs, options: ShareOptions, runs: readonly SharedRun[]): boolean {
  if (runs.length === 0) {
    complain(paths.join(' '), 'no-run', 'No trace could be read.')
    return false
  }
  checkBaseline(options, runs.length)
  return true
}

const release = (runs: readonly SharedRun[]): void => {
  for (const { trace } of runs) trace.free()
}

export async function link(inputs: TraceInputs, { size, base, ...options }: ShareOptions & { size: SnapshotSize; base: string }): Promise<void> {
  const all = await readAll(inputs, options)
  if (!check(inputs, options, all.runs)) return
  const begin = `${base}${viewOf(all.runs, options)}&s=`
  const url = `${begin}${takeSnapshot(all, options, size, SHORT - begin.length)}`
  release(all.runs)
  process.stdout.write(`${url}\n`)
  if (size === 'S' && url.length > SHORT) {
    say(`the link has ${url.length} characters; mail clients and trackers may truncate it. Use seekscope report for any number of runs.`)
  }
  if (base === '') say('append this to the URL of a Seekscope instance, or give it with --base URL')
}

export async function report(inputs: TraceInputs, { output, title, ...options }: ShareOptions & { output: string; title?: string }): Promise<void> {
  const app = appFile()
  const all = await readAll(inputs, options)
  if (!check(inputs, options, all.runs)) return
  const { engine, runs } = all
  const lettered = withLetters(runs)
  const labels = lettered.map(run => run.label)
  const words =
    runs.length > 1
      ? engine.compareText(JSON.stringify({ runs: lettered, baseline: options.baseline } satisfies CompareQuery))
      : (runs[0]?.text ?? '')
  const named = title ?? (labels.length === 2 ? `${labels[0]} against ${labels[1]}` : labels.join(', '))
  const view = `${viewOf(runs, options)}${title === undefined ? '' : `&title=${encodeURIComponent(title)}`}`
  const html = reportFile(app, { snapshot: takeSnapshot(all, options, 'File', Number.POSITIVE_INFINITY), view, title: named, words })
  release(runs)
  writeFileSync(output, html)
  say(`wrote ${output}, ${(html.length / 1e6).toFixed(1)} MB`)
}

function appFile(): string {
  try {
    return readFileSync(new URL('../dist/seekscope.html', import.meta.url), 'utf8')
  } catch {
    throw new SetupError('the page is not built (dist/seekscope.html is missing). Run: npm run build')
  }
}
