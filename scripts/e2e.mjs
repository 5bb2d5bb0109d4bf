/** `npm run e2e [-- playwright options]`: the tests in an installed Chromium, against dist/ served on a free port. */
import { join } from 'node:path'
import * as need from './lib/need.mjs'
import { main, must, ROOT, tool } from './lib/run.mjs'
import { serve } from './lib/server.mjs'
import { everything } from './lib/setup.mjs'

await main(async () => {
  await everything()
  const CHROMIUM = await need.chromium()
  const { url, close } = await serve(join(ROOT, 'dist'), 0)
  try {
    await must('Playwright', process.execPath, [tool('@playwright/test/cli.js'), 'test', ...process.argv.slice(2)], {
      env: { CHROMIUM, SEEKSCOPE_URL: url },
    })
  } finally {
    await close()
  }
})
