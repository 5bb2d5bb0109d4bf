/** Splits the engine in parts: `parser-wasm/xtask/src/parts.rs` says why and how. */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { LATER_PARTS } from '../../web/engine/laterParts.mjs'
import { must, ROOT, WORKSPACE } from './run.mjs'

/** Recordings whose first picture needs the first part alone; the samples are pairs, which are compared. */
export const SAMPLES = 'public/samples'
export const RECORDINGS = 'tests/fixtures'
/** Texts that describe traces. */
export const NOTES = 'tests/notes'
const FOLDER = join(ROOT, '.cache/parts')

/**
 * Replaces the engine in a folder of bindings by its parts.
 * @param {string} bindings the folder
 */
export async function splitEngine(bindings) {
  const engine = join(bindings, 'seekscope_bg.wasm')
  const [instrumented, entered] = [join(FOLDER, 'instrumented.wasm'), join(FOLDER, 'entered.txt')]
  mkdirSync(FOLDER, { recursive: true })
  const xtask = (/** @type {readonly string[]} */ ...args) =>
    must('Splitting the engine', 'cargo', ['run', '-q', '--locked', '-p', 'xtask', '--', ...args], { cwd: WORKSPACE })
  await xtask('instrument', engine, instrumented)
  const script = join(ROOT, 'scripts/lib/entered.mjs')
  const args = [
    script,
    join(bindings, 'seekscope.js'),
    instrumented,
    entered,
    join(ROOT, NOTES),
    join(ROOT, RECORDINGS),
    ...pairs(),
  ]
  await must('Running the engine on recordings', process.execPath, args)
  const later = LATER_PARTS.map(part => join(bindings, `seekscope_${part}_bg.wasm`))
  await xtask('split', engine, entered, engine, ...later)
}

const pairs = () =>
  readdirSync(join(ROOT, SAMPLES), { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? [join(ROOT, SAMPLES, entry.name)] : [],
  )
