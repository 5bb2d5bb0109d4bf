/** Time windows of recordings, and recordings that do not fit. */
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import type { TimeWindow } from '../../../web/engine/protocol'
import type { TraceInputs } from '../../program/values'
import { FIXTURES, run } from '../../testing/run'
import { ofEachTrace } from './traces'

const FUA = join(FIXTURES, 'sync-fua')
const BASE: TraceInputs = { paths: [FUA], limited: true, withRange: range => `again ${range}` }
/** Bytes; the recording takes about twice as many. */
const HALF = 150_000

interface Outcome {
  readonly windows: readonly (TimeWindow | undefined)[]
  readonly events: readonly number[]
  readonly codes: readonly string[]
  readonly messages: string
}

/** Reads as a command does, with its messages. */
const read = async (inputs: TraceInputs): Promise<Outcome> => {
  const messages: string[] = []
  const before = process.exitCode
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(text => messages.push(String(text)) > 0)
  try {
    const infos = await ofEachTrace(inputs, ({ trace }) => trace.query('info', {}))
    return {
      windows: infos.map(({ window }) => window),
      events: infos.map(({ events }) => events),
      codes: infos.flatMap(({ quality }) => quality.warnings.map(w => w.code)),
      messages: messages.join(''),
    }
  } finally {
    process.exitCode = before
    spy.mockRestore()
  }
}

let whole: Outcome
beforeAll(async () => {
  whole = await read(BASE)
})

test('a recording that does not fit is refused before it is read, with a window that fits', async () => {
  expect(whole.windows).toEqual([undefined])
  const refused = await read({ ...BASE, capacity: HALF })
  expect(refused.windows).toEqual([])
  const offer = /too-large: .*Run: again 0:(\d+(?:\.\d+)?)\n/.exec(refused.messages)
  const end = Math.round(Number(offer?.[1]) * 1e9)
  expect(end).toBeGreaterThan(0)
  const range = { t0: 0, t1: end }
  for (const prefersComplete of [false, true]) {
    const part = await read({ ...BASE, capacity: HALF, range, prefersComplete })
    expect(part.messages).toBe('')
    expect(part.windows).toEqual([{ from_ns: 0, to_ns: end }])
    expect(part.codes).toContain('time-window')
    expect(part.events[0]).toBeGreaterThan(0)
    expect(part.events[0]).toBeLessThan(whole.events[0] ?? 0)
  }
})

test('a window that does not fit is refused too; figures of a range are those of the complete recording where it fits', async () => {
  const range = { t1: 1e15 }
  expect((await read({ ...BASE, capacity: HALF, range })).messages).toContain('too-large')
  expect((await read({ ...BASE, range: { t0: 1e8 }, prefersComplete: true })).windows).toEqual([undefined])
})

test('every command that reads traces takes a window, with the times of the recording', async () => {
  const times = (text: string) =>
    text
      .split('\n')
      .map(line => /^ *\d+,\d+ +\d+ +\d+ +(\d+\.\d+)/.exec(line)?.[1])
      .filter(time => time !== undefined)
  const [all, part, btt, compared] = await Promise.all([
    run(['blkparse', FUA]),
    run(['blkparse', '--range', '0.1:0.5', FUA]),
    run(['btt', '--range', '0.1:0.5', FUA]),
    run(['compare', '--json', '--range', ':0.5', FUA, FUA]),
  ])
  const expected = times(all.stdout).filter(time => Number(time) >= 0.1 && Number(time) < 0.5)
  expect(expected.length).toBeGreaterThan(10)
  expect(times(part.stdout)).toEqual(expected)
  expect([btt.status, compared.status]).toEqual([0, 0])
  const { figures } = JSON.parse(compared.stdout)
  const span = figures.find(({ key }: { key: string }) => key === 'span').values
  expect(span[0]).toBeLessThanOrEqual(5e8)
})
