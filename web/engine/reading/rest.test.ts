import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beginTask, untilRest } from './rest'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function watchRest(): { readonly rested: boolean } {
  const watched = { rested: false }
  void untilRest().then(() => {
    watched.rested = true
  })
  return watched
}

test('rest begins a second after the last task has ended', async () => {
  const end = beginTask()
  const watched = watchRest()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(watched.rested).toBe(false)
  end()
  end()
  await vi.advanceTimersByTimeAsync(999)
  expect(watched.rested).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(watched.rested).toBe(true)
})

test('a task within that second delays rest, also a short one', async () => {
  const watched = watchRest()
  await vi.advanceTimersByTimeAsync(900)
  beginTask()()
  await vi.advanceTimersByTimeAsync(900)
  const end = beginTask()
  await vi.advanceTimersByTimeAsync(5000)
  expect(watched.rested).toBe(false)
  end()
  await vi.advanceTimersByTimeAsync(1000)
  expect(watched.rested).toBe(true)
})
