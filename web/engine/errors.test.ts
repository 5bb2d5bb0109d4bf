import { describe, expect, it } from 'vitest'
import { asEngineError, isEngineError, toEngineError } from './errors'

describe('an error of the engine', () => {
  const error = { code: 'no-events', message: 'Nothing.' }
  it('is one, also from another thread', () => {
    expect([isEngineError(error), isEngineError(structuredClone(error))]).toEqual([true, true])
    expect([asEngineError(error), toEngineError(error)]).toEqual([error, error])
  })
  it('is not an error of the system, which has a code, too', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      errno: -28,
      syscall: 'write',
    })
    expect([isEngineError(full), isEngineError(structuredClone(full)), isEngineError(undefined)]).toEqual([
      false,
      false,
      false,
    ])
    expect(asEngineError(full).code).toBe('internal')
    expect(toEngineError(full).code).toBe('engine-crashed')
  })
})
