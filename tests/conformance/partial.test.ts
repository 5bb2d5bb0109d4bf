/** Recordings that begin while the device is busy, as most do, or lack a CPU: what blkparse and btt print of them. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FIXTURES, runSeekscope } from './engine'
import { EXCEPTIONS } from './exceptions'
import { blkparse, blkparseText, bttTables, bttText, sortByTime } from './native'
import { basesOf, copyPlain, cutBefore, timesOf } from './plain'

const fixtures = readdirSync(FIXTURES, { withFileTypes: true }).filter(entry => entry.isDirectory())
const cases = fixtures
  .filter(({ name }) => !EXCEPTIONS.some(({ fixture }) => fixture === name))
  .flatMap(({ name }) => basesOf(join(FIXTURES, name)).map(base => [name, base] as const))

/** Leaves out the mode if several distances are equally frequent: btt prints the first one in its tree. */
const withoutTies = (tables: ReadonlyMap<string, readonly string[]>) =>
  new Map(
    [...tables].map(([title, lines]) => [
      title,
      lines.map((line, i) =>
        lines[i + 1]?.includes(' more)') || line.startsWith('   Average') ? line.replace(/\d+(\(\d+\))$/, '$1') : line,
      ),
    ]),
  )

describe.each(cases)('%s, %s', (fixture, base) => {
  let copies: string
  beforeEach(() => {
    copies = mkdtempSync(join(tmpdir(), 'seekscope-cut-'))
    copyPlain(join(FIXTURES, fixture), base, copies)
  })
  afterEach(() => rmSync(copies, { recursive: true }))

  const compare = async () => {
    blkparse(copies, base)
    expect(sortByTime(await runSeekscope(['blkparse', join(copies, base)]))).toEqual(
      sortByTime(blkparseText(copies, base)),
    )
    const actual = bttTables(await runSeekscope(['btt', '-A', join(copies, base)]))
    expect(withoutTies(actual)).toEqual(withoutTies(bttTables(bttText(copies, base))))
  }

  // Shares that make the recording begin with different kinds of events.
  test.each([0.1, 0.3, 0.5, 0.501, 0.7])('from %d of its events on', async part => {
    const times = BigUint64Array.from([...timesOf(copies, base).values()].flat()).sort()
    cutBefore(copies, base, times[Math.floor(times.length * part)] ?? 0n)
    await compare()
  })

  const busy = [...timesOf(join(FIXTURES, fixture), base)].filter(([, times]) => times.length > 0).map(([name]) => name)
  test.each(busy.length > 1 ? busy : [])('without %s', async name => {
    writeFileSync(join(copies, name), '')
    await compare()
  })
})
