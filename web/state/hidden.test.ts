import { describe, expect, it } from 'vitest'
import { NOTHING_HIDDEN } from './filter'
import {
  leavesOut,
  MAX_LEFT_OUT,
  ONLY_ASYNC,
  onlyAlignment,
  onlyObjects,
  onlyOp,
  onlyProcesses,
  withLeftOut,
} from './hidden'

describe('showing a value alone', () => {
  it('leaves out all others of its facet, and a second time none', () => {
    const filtered = { ...NOTHING_HIDDEN, cpus: [3], ops: ['write' as const] }
    const alone = withLeftOut(filtered, onlyOp('write'))
    expect(alone).toEqual({ ...NOTHING_HIDDEN, cpus: [3], ops: ['read', 'discard', 'flush'] })
    expect(leavesOut(alone, onlyOp('write'))).toBe(true)
    expect(leavesOut(alone, onlyOp('read'))).toBe(false)
    expect(withLeftOut(alone, onlyOp('read')).ops).toEqual(['write', 'discard', 'flush'])
    expect(withLeftOut(alone, onlyOp('write'))).toEqual({ ...NOTHING_HIDDEN, cpus: [3] })
  })

  it('changes several facets where it needs them', () => {
    const alone = withLeftOut(NOTHING_HIDDEN, ONLY_ASYNC)
    expect(alone).toMatchObject({ ops: ['flush'], flags: ['sync', 'fua', 'preflush'] })
    expect(leavesOut({ ...alone, flags: ['sync', 'fua'] }, ONLY_ASYNC)).toBe(false)
    expect(withLeftOut(alone, ONLY_ASYNC)).toEqual(NOTHING_HIDDEN)
    expect(onlyAlignment('full').alignment).toEqual(['unit', 'inside', 'straddles'])
  })

  it('of processes is no filter where there are no others, or more than fit into a link', () => {
    const keys = Array.from({ length: MAX_LEFT_OUT + 1 }, (_, i) => `task ${i}`)
    expect(onlyProcesses(['dd', 'init'], key => key === 'dd')).toEqual({ processes: ['init'] })
    expect(onlyProcesses(['dd'], key => key === 'dd')).toBeUndefined()
    expect(onlyProcesses(keys, key => key === keys[0])?.processes).toHaveLength(MAX_LEFT_OUT)
    expect(onlyProcesses(keys, key => key === 'dd')).toBeUndefined()
    expect(onlyObjects(['journal', '/d/x'], name => name === 'journal')).toEqual({ objects: ['/d/x'] })
    expect(onlyObjects(keys, () => false)).toBeUndefined()
  })
})
