import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SizeCount, SummaryDevice, SummaryStage } from '../../web/engine/summary'
import { devicesOf, FIXTURES, runSeekscope } from './engine'
import { AFFECTED_TABLES, EXCEPTIONS } from './exceptions'
import {
  type BlkparseCount,
  type BttStage,
  blkparse,
  blkparseSummary,
  blkparseText,
  bttStages,
  bttTables,
  bttText,
  type Direction,
  sortByTime,
} from './native'
import { basesOf, copyPlain, deviceOf } from './plain'

const STAGES: readonly SummaryStage[] = ['q2g', 'g2i', 'i2d', 'q2m', 'm2d', 'd2c', 'q2c']
const fixtures = readdirSync(FIXTURES, { withFileTypes: true }).filter(entry => entry.isDirectory())
const bytesOf = (rows: readonly SizeCount[]): Record<Direction, number> => {
  const sum = { read: 0, write: 0, discard: 0 }
  for (const { sectors, reads, writes, discards } of rows) {
    sum.read += sectors * reads * 512
    sum.write += sectors * writes * 512
    sum.discard += sectors * discards * 512
  }
  return sum
}

const inNs = ({ n, min, max }: { n: number; min: number; max: number }) => ({ n, min, max })

describe.each(fixtures.map(entry => entry.name))('%s', fixture => {
  const folder = join(FIXTURES, fixture)
  const copies = mkdtempSync(join(tmpdir(), 'seekscope-conformance-'))
  let devices: ReadonlyMap<string, SummaryDevice>
  beforeAll(async () => {
    devices = await devicesOf(folder)
  })
  afterAll(() => rmSync(copies, { recursive: true }))

  describe.each(basesOf(folder))('%s', base => {
    let device: SummaryDevice
    let text: BlkparseCount
    let theirTables: string
    let stages: ReadonlyMap<string, BttStage>
    beforeAll(() => {
      copyPlain(folder, base, copies)
      text = blkparse(copies, base)
      theirTables = bttText(copies, base)
      stages = bttStages(theirTables)
      const found = devices.get(deviceOf(folder, base))
      if (!found) throw new Error(`no figures for ${deviceOf(folder, base)}`)
      device = found
    })

    test('failed requests are the C that blkparse prints with an error', () => {
      const errors = (device.failed?.by_error ?? []).map(
        ({ errno, requests }) => [String(65_536 - errno), requests] as const,
      )
      expect(Object.fromEntries(errors)).toEqual(text.failed)
      const sum = Object.values(text.failed).reduce((a, b) => a + b, 0)
      expect(device.failed?.requests ?? 0).toBe(sum)
    })

    test('events by action are those of blkparse', () => {
      expect(Object.fromEntries(Object.entries(device.events).filter(([, n]) => n > 0))).toEqual(text.events)
    })

    test('queued and completed bytes are those of blkparse', () => {
      expect(bytesOf(device.sizes.queued ?? [])).toEqual(text.bytes.Q)
      expect(device.bytes).toEqual(text.bytes.C)
    })

    test('lines and summary are those of blkparse, byte for byte, but for the order within a nanosecond', async () => {
      const actual = await runSeekscope(['blkparse', join(copies, base)])
      const expected = blkparseText(copies, base)
      expect(sortByTime(actual)).toEqual(sortByTime(expected))
      expect(actual.slice(actual.indexOf('\nCPU'))).toBe(expected.slice(expected.indexOf('\nCPU')))
    })

    test('the summary is that of blkparse, line by line', async () => {
      expect(await runSeekscope(['blkparse', '--summary-only', join(copies, base)])).toBe(blkparseSummary(copies, base))
    })

    test('the dump of blkparse -d gives the same figures as the files it is made of', async () => {
      expect([...(await devicesOf(join(copies, `${base}.dump`))).values()]).toEqual([
        ...(await devicesOf(join(copies, base))).values(),
      ])
    })

    test('tables are those of btt, line by line', async () => {
      const actual = bttTables(await runSeekscope(['btt', '-A', join(copies, base)]))
      const expected = bttTables(theirTables)
      expect([...actual.keys()]).toEqual([...expected.keys()])
      const excepted = new Set<string>(
        EXCEPTIONS.filter(e => e.fixture === fixture && (e.base ?? base) === base).flatMap(e =>
          e.stages.map(stage => stage.toUpperCase()),
        ),
      )
      const isExcepted = (line: string) => excepted.has(line.split(' ')[0]?.replace('Q2Cdm', 'Q2C') ?? '')
      for (const [title, lines] of expected) {
        if (excepted.size > 0 && AFFECTED_TABLES.includes(title)) continue
        expect(actual.get(title)?.filter(line => !isExcepted(line))).toEqual(lines.filter(line => !isExcepted(line)))
      }
    })

    test.each(STAGES)('%s per bio is that of btt', stage => {
      const actual = device.latency_bio_ns[stage]
      const expected = stages.get(stage)
      const exception = EXCEPTIONS.find(
        e => e.fixture === fixture && (e.base ?? base) === base && e.stages.includes(stage),
      )
      if (exception) {
        // An exception that is no longer one must go.
        expect(actual && inNs(actual)).not.toEqual(expected && inNs(expected))
        if (stage === 'q2c') expect(actual?.n).toBe(text.bios)
        return
      }
      expect(actual && inNs(actual)).toEqual(expected && inNs(expected))
      if (actual && expected) expect(Math.abs(actual.mean - expected.avg)).toBeLessThanOrEqual(1)
    })
  })
})

test('every reason for an exception is explained', () => {
  const document = readFileSync(join(FIXTURES, '../../docs/measures.md'), 'utf8')
  for (const { reason } of EXCEPTIONS) expect(document).toContain(`\n#### ${reason}\n`)
})
