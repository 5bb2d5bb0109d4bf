/** `npm run screenshot`: takes the README's picture, the first sample in Chromium. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import * as need from './lib/need.mjs'
import { main, ROOT, say } from './lib/run.mjs'
import { serve } from './lib/server.mjs'
import { everything } from './lib/setup.mjs'

const FOLDER = join(ROOT, 'docs/images')
const SIZE = { width: 1440, height: 900 }

await main(async () => {
  await everything()
  const executablePath = await need.chromium()
  const { url, close } = await serve(join(ROOT, 'dist'), 0)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' })
    await page.goto(`${url}#v=1&sample=idling`)
    await page.locator('.chip-quality').nth(1).waitFor()
    await page.getByRole('img', { name: /Seek map of B: 1,280 requests/ }).waitFor()
    await page.getByRole('region', { name: 'Verdict' }).waitFor()
    await page.waitForLoadState('networkidle')
    mkdirSync(FOLDER, { recursive: true })
    await page.screenshot({ path: join(FOLDER, 'workspace.png') })
    say(`docs/images/workspace.png, ${SIZE.width} x ${SIZE.height}`)
  } finally {
    await browser.close()
    await close()
  }
})
