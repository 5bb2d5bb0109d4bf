import { describe, expect, it } from 'vitest'
import { isQuiet, quietRun, triggerMark, triggerOf } from './triggers'

const note = (trigger: string, fired?: number) => ({
  file: 'stall-moment-1/trigger.txt',
  kind: 'trigger',
  facts: [
    { key: 'trigger', name: '', value: trigger },
    ...(fired === undefined ? [] : [{ key: 'trigger_fired', name: '', value: fired }]),
  ],
})
const run = (notes: readonly object[], clockAtZero?: number) =>
  ({ id: 'run-1', notes, info: { span: 30e9, ...(clockAtZero !== undefined && { clockAtZero }) } }) as never

describe('triggers', () => {
  it('marks the time at which the recorder fired', () => {
    expect(triggerMark(run([note('iops<10 for 300ms', 1234.5)], 1220e9))).toEqual({
      run: 'run-1',
      at: 14.5e9,
      text: 'trigger: iops<10 for 300ms',
      author: 'seekscope-record',
    })
  })
  it('marks nothing where the time is on another clock, or none is known', () => {
    for (const clockAtZero of [1_700_000_000e9, 1200e9, undefined])
      expect(triggerMark(run([note('psi>40%', 1234.5)], clockAtZero))).toBeUndefined()
    expect(triggerMark(run([note('none')], 0))).toBeUndefined()
    expect(triggerMark(run([]))).toBeUndefined()
  })
  it('reads a trigger above the samples, which are measurements', () => {
    const mixed = { ...note('iops<10 for 300ms', 1234.5), kind: 'mixed' }
    expect(triggerOf(run([mixed], 1220e9))).toEqual({ time: 14.5e9, condition: 'iops<10 for 300ms' })
    expect(isQuiet(run([{ ...note('none'), kind: 'mixed' }]))).toBe(true)
  })
  it('finds the only quiet recording among others', () => {
    const [moment, quiet, other] = [run([note('iops<10', 1)]), run([note('none')]), run([note('none')])]
    expect(quietRun([moment, quiet])).toBe(quiet)
    expect(quietRun([moment, quiet, other])).toBeUndefined()
    expect(quietRun([quiet])).toBeUndefined()
    expect(quietRun([moment])).toBeUndefined()
  })
})
