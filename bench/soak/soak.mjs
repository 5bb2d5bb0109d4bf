/** A tab that is worked in for as long as nobody would, and what must not stay in it. */
import { join } from 'node:path'
import * as need from '../../scripts/lib/need.mjs'
import { must, ROOT, Stop, tool } from '../../scripts/lib/run.mjs'
import { serve } from '../../scripts/lib/server.mjs'
import { everything } from '../../scripts/lib/setup.mjs'

const CONFIG = 'bench/soak/playwright.config.ts'

/** @type {import('../lib/bench.mjs').Bench} */
export const soak = {
  summary: 'works in one tab N times, and lets happen to it what a day brings: memory, and what stays stuck',
  options: { times: { type: 'string', default: '500', help: 'how often' } },
  operands: '[-- OPTIONS OF PLAYWRIGHT]',
  async run({ values: { times = '' }, operands }) {
    if (!/^[1-9]\d*$/.test(times)) throw new Stop(`--times must be a whole number, 1 or more: ${times}`)
    await everything()
    const CHROMIUM = await need.chromium()
    const { url, close } = await serve(join(ROOT, 'dist'), 0)
    try {
      const env = { CHROMIUM, SEEKSCOPE_URL: url, SOAK_TIMES: times }
      const args = [tool('@playwright/test/cli.js'), 'test', '-c', CONFIG, ...operands]
      await must('The soak', process.execPath, args, { env })
    } finally {
      await close()
    }
  },
}
