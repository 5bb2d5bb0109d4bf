import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TraceInfo } from '../../engine/protocol'
import { ns } from '../../lib/units'
import { extentOf } from '../filter'
import type { Run } from '../types'
import { alignRuns, clockError, noClock, shiftRuns, shiftsOf } from './align'
import { placeRuns } from './runs'

interface TestRun {
  readonly io?: number
  readonly end?: number
  readonly clock?: number
  readonly hidden?: boolean
}

const run = (i: number, { io = 0, end = 4e9, clock, hidden = false }: TestRun): Run => ({
  id: `r${i}`,
  trace: i,
  letter: 'A',
  linkLetter: 'A',
  label: '',
  baseline: false,
  hidden,
  status: { kind: 'ready' },
  client: { query: () => new Promise(() => undefined) },
  device: 0,
  info: {
    devices: [{ index: 0, active: [io, end] }],
    span: end,
    ...(clock !== undefined && { startedAt: clock }),
  } as unknown as TraceInfo,
})
const row = (...specs: TestRun[]) => placeRuns(specs.map((g, i) => run(i, g)))
const shifts = (runs: readonly Run[]) => runs.map(r => r.shift ?? 0)

describe('runs on the time axis', () => {
  it('begin together by default, and are the same runs then', () => {
    const runs = row({ io: 5 }, { io: 7 })
    expect(alignRuns(runs, undefined)).toBe(runs)
    expect(shifts(alignRuns(alignRuns(runs, 'io'), undefined))).toEqual([0, 0])
  })
  it('have their first I/O at one time', () => {
    const runs = alignRuns(row({ io: 100, end: 1000 }, { io: 300, end: 900 }), 'io')
    expect(shifts(runs)).toEqual([200, 0])
    expect(extentOf(runs)).toEqual({ t0: 0, t1: 1200 })
  })
  it('begin together where they are parts of recordings that begin at different times', () => {
    const [a, b] = row({}, {})
    const part = (run: Run | undefined, from: number): Run => ({ ...(run as Run), window: { from_ns: ns(from) } })
    expect(shifts(alignRuns([part(a, 100), part(b, 250)], undefined))).toEqual([0, -150])
    expect(shifts(alignRuns([a as Run, part(b, 250)], undefined))).toEqual([0, -250])
    expect(
      extentOf([part({ ...(a as Run), info: { devices: [], span: ns(900) } as unknown as TraceInfo }, 100)]),
    ).toEqual({ t0: 100, t1: 900 })
    expect(extentOf([part(run(0, { end: 50 }), 100)])).toEqual({ t0: 100, t1: 100 + 1e9 })
    // By the user they stand as before.
    expect(shifts(alignRuns(shiftRuns([a as Run, part(b, 250)], { r0: 0, r1: 0 }), 'hand'))).toEqual([0, 0])
  })
  it('stand by the wall clock where all have one, to the ns that a float of ms holds', () => {
    const runs = row({ clock: 1.7e12 + 0.25 }, { clock: 1.7e12 })
    expect(shifts(alignRuns(runs, 'clock'))).toEqual([250_000, 0])
    expect(noClock(runs)).toBeUndefined()
    const without = row({ clock: 1.7e12 + 0.25 }, {})
    expect(noClock(without)).toBe(
      'B has no wall clock time: the trace has no TIMESTAMP record, or its format lacks one.',
    )
    expect(shifts(alignRuns(without, 'clock'))).toEqual([0, 0])
    // What is hidden does not matter.
    expect(noClock(row({ clock: 1.7e12 }, { hidden: true }))).toBeUndefined()
  })
  it('stand by the clock of each host after its correction, within the error of the two worst clocks', () => {
    const noted = (run: Run, facts: Record<string, number>): Run => ({
      ...run,
      notes: [
        {
          blob: new Blob(),
          file: 'clock-sync.txt',
          kind: 'clock-sync',
          what: '',
          facts: Object.entries(facts).map(([key, value]) => ({ key, name: key, value, unit: 'ns' as const })),
        },
      ],
    })
    const [a, b, c] = row({ clock: 1.7e12 }, { clock: 1.7e12 + 2 }, { clock: 1.7e12 }) as [Run, Run, Run]
    const first = noted(a, { clock_correction: 1e6, clock_error: 2e6 })
    const second = noted(b, { clock_correction: -5e5, clock_error: 1e5 })
    expect(shifts(alignRuns([first, second], 'clock'))).toEqual([0, 500_000])
    expect(clockError([first, second])).toBe(2_100_000)
    // An offset that its host did not note is not assumed.
    expect(clockError([first, second, c])).toBeUndefined()
    expect(clockError([first])).toBeUndefined()
  })
  it('stand where the reader puts them; the earliest in sight at 0', () => {
    const runs = alignRuns(shiftRuns(row({}, {}, {}), { r1: -250, r2: 100 }), 'hand')
    expect(shifts(runs)).toEqual([250, 0, 350])
    expect(alignRuns(runs, 'hand')).toBe(runs)
    // Going on from what is seen.
    expect(shifts(alignRuns(shiftRuns(runs, { ...shiftsOf(runs), r0: 0 }), 'hand'))).toEqual([0, 0, 350])
  })
  it('never begin before 0, and only differences count', () => {
    const numbers = fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(numbers, fc.integer({ min: -1e9, max: 1e9 }), (to, more) => {
        const runs = row(...to.map(() => ({})))
        const put = (offset: number) =>
          shifts(alignRuns(shiftRuns(runs, Object.fromEntries(to.map((t, i) => [`r${i}`, t + offset]))), 'hand'))
        expect(Math.min(...put(0))).toBe(0)
        expect(put(more)).toEqual(put(0))
      }),
    )
  })
})
