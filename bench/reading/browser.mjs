/** Times the page in Chromium: from selecting files to the first provisional figures, and to all figures. */
import { join } from 'node:path'
import { ROOT } from '../../scripts/lib/run.mjs'
import { serve } from '../../scripts/lib/server.mjs'
import { launchChromium } from '../lib/chromium.mjs'
import { familyOf } from '../lib/measure.mjs'
import { memoryOf } from '../lib/memory.mjs'
import { traceFiles } from '../lib/recordings.mjs'

/**
 * Runs inside the page; resolves when all figures are shown, fails after ten minutes. @returns {Promise<{ first:
 * number, all: number }>} ms
 */
function watch() {
  const begin = performance.now()
  return new Promise((resolve, reject) => {
    let first = 0
    const check = () => {
      const elapsed = performance.now() - begin
      if (first === 0 && /\d/.test(document.querySelector('section[aria-label="So far"] td')?.textContent ?? ''))
        first = elapsed
      if (document.querySelector('section[aria-label="Summary"]')) resolve({ first: first || elapsed, all: elapsed })
      else if (elapsed > 600_000) reject(new Error('no figures were shown'))
      else requestAnimationFrame(check)
    }
    check()
  })
}

/**
 * @param {number} workers that read sections @returns {Promise<import('./native.mjs').Contender & { close():
 * Promise<void> }>}
 */
export async function browserContender(workers) {
  const server = await serve(join(ROOT, 'dist'), 0)
  return {
    name: `seekscope in Chromium, ${workers}`,
    async run(folder) {
      const browser = await launchChromium()
      try {
        const page = await browser.newPage()
        // One core is for the page itself.
        await page.addInitScript(
          cores => Object.defineProperty(navigator, 'hardwareConcurrency', { value: cores }),
          workers + 1,
        )
        await page.goto(server.url)
        const chooser = page.waitForEvent('filechooser')
        await page.getByRole('button', { name: 'Open files' }).click()
        const watched = page.evaluate(watch)
        await (await chooser).setFiles(traceFiles(folder).map(name => join(folder, name)))
        const { first, all } = await watched
        const peaks = familyOf(process.pid).map(pid => (pid === process.pid ? 0 : (memoryOf(pid, 'VmHWM') ?? 0)))
        return {
          seconds: all / 1000,
          peakBytes: Math.max(...peaks),
          output: `first figures after ${first.toFixed(0)} ms`,
        }
      } finally {
        await browser.close()
      }
    },
    close: server.close,
  }
}
