/** A command in a thread has the memory that it would have without one. */
import { once } from 'node:events'
import { getHeapStatistics } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { heapLimits } from './supervise'

test('limits above 4 GiB are limits above 4 GiB', () => {
  expect(heapLimits(4_345_298_944)).toEqual({ maxOldGenerationSizeMb: 4144 })
  expect(heapLimits(512 * 2 ** 20)).toEqual({ maxOldGenerationSizeMb: 512 })
})

test('the thread has the heap of the main thread', async () => {
  const code = `require('node:worker_threads').parentPort.postMessage(require('node:v8').getHeapStatistics().heap_size_limit)`
  const worker = new Worker(code, { eval: true, resourceLimits: heapLimits() })
  const [bytes] = await once(worker, 'message')
  expect(bytes).toBeGreaterThanOrEqual(getHeapStatistics().heap_size_limit * 0.9)
})
