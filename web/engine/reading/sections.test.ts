import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generate } from '../../../bench/lib/generate.mjs'
import { compiledEngine, type RunningWorker, startWorker } from '../../../tests/engine'
import type { TraceFile } from '../protocol'

/** Large enough for two sections. */
const EVENTS = 800_000

let folder = ''
let parts: TraceFile[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'seekscope-sections-'))
  generate(folder, EVENTS, 'deep')
  parts = readdirSync(folder)
    .sort()
    .map(name => ({ name, blob: new Blob([readFileSync(join(folder, name))]) }))
})
afterAll(() => rmSync(folder, { recursive: true }))

const open = async (workers: number): Promise<RunningWorker> => {
  const worker = await startWorker()
  worker.post({ type: 'open', engine: compiledEngine(), name: 'test', label: 'test', parts, workers })
  return worker
}

/** All that is known of a trace. */
const everythingOf = async (worker: RunningWorker) => {
  const { info } = await worker.hear('ready')
  worker.post({ type: 'query', id: 1, kind: 'summary', ask: {} })
  worker.post({ type: 'query', id: 2, kind: 'digest', ask: {} })
  return { info, summary: await worker.hear('answer', 1), digest: await worker.hear('answer', 2) }
}

it('reads the same in one worker, in two, and when a section is lost', async () => {
  const alone = await everythingOf(await open(1))
  expect(alone.info.events).toBeGreaterThan(EVENTS)
  for (const lost of [false, true]) {
    const worker = await open(2)
    const { section: wanted } = await worker.hear('wanted')
    expect(wanted.index).toBe(0)
    if (lost) worker.post({ type: 'section', index: 0 })
    else {
      const helper = await startWorker()
      helper.post({ type: 'readSection', engine: compiledEngine(), parts, section: wanted })
      const { section } = await helper.hear('section')
      expect(section?.length).toBeGreaterThan(1e6)
      worker.post({ type: 'section', index: 0, ...(section && { section }) })
    }
    expect(await everythingOf(worker)).toEqual(alone)
  }
})

it('shares nothing of a small trace', async () => {
  const small = await startWorker()
  const [first] = parts
  small.post({
    type: 'open',
    engine: compiledEngine(),
    name: 'test',
    label: 'test',
    parts: first ? [first] : [],
    workers: 4,
  })
  await small.hear('ready')
  expect(small.heard.some(message => message.type === 'wanted')).toBe(false)
})
