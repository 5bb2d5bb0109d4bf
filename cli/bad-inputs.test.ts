import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { TABLE } from '../tests/bad-inputs/table'
import type { SummaryTrace } from '../web/engine/summary'

const CLI = fileURLToPath(new URL('seekscope.mjs', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-bad-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Every input in a folder of its own, all of them given to one run of the command. */
const paths = TABLE.map(({ name, make }, i) => {
  const folder = join(scratch, `n${i}-`)
  mkdirSync(folder)
  writeFileSync(join(folder, name), make())
  return join(folder, name)
})
const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'summary', '--json', ...paths], { encoding: 'utf8', maxBuffer: 1 << 30 })
const traces = (JSON.parse(stdout) as { traces: SummaryTrace[] }).traces
const lines = stderr.split('\n')

test('the command tells of what it could not read, and ends', () => {
  expect(status).toBe(1)
  expect(TABLE.length).toBeGreaterThan(60)
  expect(traces.length).toBe(TABLE.filter(({ events }) => events !== undefined).length)
  expect(new Set(TABLE.map(({ what }) => what)).size).toBe(TABLE.length)
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^seekscope: \S.*: [a-z-]+: .{20}/)
})

const sum = (numbers: Record<string, number>) => Object.values(numbers).reduce((a, b) => a + b, 0)

describe('bad input', () => {
  test.each(TABLE.map((input, i) => ({ ...input, i })))('$what', ({ i, codes, says, events }) => {
    // Traces come in the order of their files.
    const before = TABLE.slice(0, i).filter(other => other.events !== undefined).length
    const own = events === undefined ? [] : traces.slice(before, before + 1)
    const said = lines.filter(line => line.includes(`/n${i}-/`)).join('\n')
    const warnings = own.flatMap(trace => trace.quality.warnings)
    const words = [said, ...warnings.map(w => `${w.message} ${w.remedy ?? ''}`)].join('\n')
    for (const code of codes) expect(said.includes(`: ${code}: `) || warnings.some(w => w.code === code), `${code}: ${words}`).toBe(true)
    if (codes.length === 0) expect(said).toBe('')
    for (const part of says ?? []) expect(words).toContain(part)
    if (events) expect(own.flatMap(trace => trace.devices).reduce((n, device) => n + sum(device.events), 0)).toBe(events)
  })
})
