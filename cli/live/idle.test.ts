/** Intervals in which nothing happens: a damaged time may be years away. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cpuFiles, recordsOf } from '../../tests/streams'
import { run, runProcess } from '../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-idle-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const NOTIFY = 1 << 26
const DAYS_NS = 5_000_000n * 1_000_000_000n
const YEARS_NS = 315_000_000n * 1_000_000_000n

/** `io-errors` with all times behind its first second so much later; as if it had been written a while ago. */
function jumping(distance: bigint): string {
  const folder = join(scratch, `jumping-${distance}`)
  mkdirSync(folder)
  const files = [...cpuFiles('io-errors')].map(([name, bytes]) => ({ name, records: recordsOf(bytes) }))
  const isEvent = (record: Buffer) => (record.readUInt32LE(28) & NOTIFY) === 0
  const times = files.flatMap(({ records }) => records.filter(isEvent).map(record => record.readBigUInt64LE(8)))
  const first = times.reduce((least, time) => (time < least ? time : least))
  for (const { name, records } of files) {
    for (const record of records.filter(isEvent)) {
      const time = record.readBigUInt64LE(8)
      if (time > first + 1_000_000_000n) record.writeBigUInt64LE(time + distance, 8)
    }
    writeFileSync(join(folder, name), Buffer.concat(records))
    utimesSync(join(folder, name), 0, 0)
  }
  return folder
}

test('top leaves out days without events of a recording, and years of a stream', async () => {
  const intervals = (stdout: string) =>
    new Set(
      stdout
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line).from_ns as number),
    )
  const recorded = await run(['top', '--json', jumping(DAYS_NS)])
  expect(recorded).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/no events from \S+ to \S+ s: [\d,]+ intervals left out/),
  })
  expect(intervals(recorded.stdout).size).toBeLessThan(5)
  const folder = jumping(YEARS_NS)
  const [file = ''] = readdirSync(folder).sort(
    (a, b) => statSync(join(folder, b)).size - statSync(join(folder, a)).size,
  )
  const streamed = await runProcess(['top', '--json', '-'], { input: readFileSync(join(folder, file)) })
  expect(streamed.stderr).toMatch(/no events from \S+ to \S+ s: [\d,]+ intervals left out/)
  expect(intervals(streamed.stdout).size).toBeLessThan(5)
  expect(Math.max(...intervals(streamed.stdout))).toBeGreaterThan(3e17)
})
