/**
 * `npm run soak [-- --times N] [playwright options]`: works in one tab N times (500), and lets happen to it what a day
 * brings. Prints a table.
 */
import { join } from 'node:path'
import * as need from './lib/need.mjs'
import { main, must, ROOT, Stop, tool } from './lib/run.mjs'
import { serve } from './lib/server.mjs'
import { everything } from './lib/setup.mjs'

const PLAYWRIGHT = tool('@playwright/test/cli.js')

await main(async () => {
  const args = process.argv.slice(2)
  const at = args.indexOf('--times')
  const times = at < 0 ? '500' : (args.splice(at, 2)[1] ?? '')
  if (!/^[1-9]\d*$/.test(times)) throw new Stop(`--times must be a whole number, 1 or more: ${times}`)
  await everything()
  const CHROMIUM = await need.chromium()
  const { url, close } = await serve(join(ROOT, 'dist'), 0)
  try {
    const env = { CHROMIUM, SEEKSCOPE_URL: url, SOAK_TIMES: times }
    await must('The soak', process.execPath, [PLAYWRIGHT, 'test', '-c', 'tests/soak/playwright.config.ts', ...args], {
      env,
    })
  } finally {
    await close()
  }
})
