/** The recordings that are measured: generated ones, or one of the user's. */
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Stop } from '../../scripts/lib/run.mjs'
import { readNumbers } from './bench.mjs'
import { generate, KINDS } from './generate.mjs'
import { inMB } from './report.mjs'

/** @type {import('./bench.mjs').BenchOption} */
export const FOLDER = { type: 'string', help: 'a recording of your own, instead of generated ones' }

/** @type {import('./bench.mjs').BenchOption} */
export const KIND_LIST = { type: 'string', default: 'deep,null', help: `of ${Object.keys(KINDS).join(', ')}` }

/** Names of the per-CPU files in a folder. @param {string} folder */
export const traceFiles = folder => readdirSync(folder).filter(name => name.includes('.blktrace.'))

/** @param {string} text */
function readKinds(text) {
  return text.split(',').map(name => {
    const kind = /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS)).find(key => key === name)
    if (!kind) throw new Stop(`unknown recording kind: ${name} (known: ${Object.keys(KINDS).join(', ')})`)
    return kind
  })
}

/**
 * The recording of a folder, linked as `trace` into a folder of its own: the native tools write next to what they read.
 *
 * @param {string} folder
 * @param {(folder: string) => Promise<void>} work
 */
export async function withLinks(folder, work) {
  const target = mkdtempSync(join(tmpdir(), 'seekscope-bench-'))
  try {
    const parts = traceFiles(folder)
    const names = new Set(parts.map(name => name.slice(0, name.indexOf('.blktrace.'))))
    if (names.size !== 1) throw new Stop(`expected one recording in ${folder}, found ${names.size}`)
    for (const name of parts)
      symlinkSync(resolve(folder, name), join(target, `trace${name.slice(name.indexOf('.blktrace.'))}`))
    await work(target)
  } finally {
    rmSync(target, { recursive: true })
  }
}

/** About as many as its records of version 7 without a payload. @param {string} folder */
export const eventsIn = folder =>
  traceFiles(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 48

/**
 * Generates each recording in turn, and removes it again: 20 M events are a gigabyte.
 * @param {string | undefined} kinds @param {string | undefined} sizes millions of events
 * @param {(folder: string, title: string, events: number) => Promise<void>} work
 */
export async function eachRecording(kinds, sizes, work) {
  for (const kind of readKinds(kinds ?? '')) {
    for (const size of readNumbers(sizes)) {
      const folder = mkdtempSync(join(tmpdir(), 'seekscope-bench-'))
      try {
        const { events, files } = generate(folder, size * 1e6, kind)
        const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
        await work(folder, `${kind}: ${events.toLocaleString('en-US')} events, ${inMB(bytes)}, 4 CPUs`, events)
      } finally {
        rmSync(folder, { recursive: true })
      }
    }
  }
}
