/**
 * Memory of a tab: what its scripts hold after a garbage collection, its workers, and what the system counts for its
 * processes.
 */
import { type Browser, type CDPSession, expect, type Page, test } from '@playwright/test'
import { memoryOf } from '../lib/memory.mjs'

/** Annotation whose description is a line of the table. */
export const MEASURED = 'measured'

export const note = (text: string): void => void test.info().annotations.push({ type: MEASURED, description: text })

export interface TabMemory {
  /** Bytes in use on the JavaScript heap of the page. */
  readonly heap: number
  /** Nodes of the document, also those that only scripts hold. */
  readonly nodes: number
  readonly listeners: number
  /** Engines: each has its WASM memory, which ends with it. */
  readonly workers: number
  /**
   * Resident bytes of all renderer processes, and those of them that are of no file and not shared; 0 where there is no
   * /proc.
   */
  readonly resident: number
  readonly anonymous: number
}

export interface Meter {
  measure(): Promise<TabMemory>
}

export async function meterOf(page: Page, browser: Browser): Promise<Meter> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const whole = await browser.newBrowserCDPSession()
  await session.send('Performance.enable')
  await session.send('HeapProfiler.enable')
  return {
    async measure() {
      // The engine that waits for the next trace is started a second after the last one was taken.
      await expect.poll(() => page.workers().length).toBe(1)
      // What a first collection finalises, a second one frees.
      for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage')
      const { metrics } = await session.send('Performance.getMetrics')
      const metric = (name: string) => metrics.find(entry => entry.name === name)?.value ?? 0
      const { processInfo } = await whole.send('SystemInfo.getProcessInfo')
      const renderers = processInfo.filter(({ type }) => type === 'renderer')
      return {
        heap: metric('JSHeapUsedSize'),
        nodes: metric('Nodes'),
        listeners: metric('JSEventListeners'),
        workers: page.workers().length,
        resident: renderers.reduce((sum, { id }) => sum + (memoryOf(id, 'VmRSS') ?? 0), 0),
        anonymous: renderers.reduce((sum, { id }) => sum + (memoryOf(id, 'RssAnon') ?? 0), 0),
      }
    },
  }
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

export const inWords = (when: string, { heap, nodes, listeners, workers, resident, anonymous }: TabMemory): string =>
  `${when.padEnd(12)} heap ${mb(heap)}, ${nodes} nodes, ${listeners} listeners, ${workers} worker, resident ${mb(resident)} (${mb(anonymous)} anonymous)`

/** Back to the start: within a tenth of it. */
export function expectBack(start: TabMemory, end: TabMemory) {
  expect(end.workers).toBe(start.workers)
  for (const key of ['heap', 'nodes', 'listeners', 'resident'] as const)
    expect(end[key], key).toBeLessThanOrEqual(start[key] * 1.1)
}
