/** `node scripts/icons.mjs`: renders public/icons/app.svg to the PNG icons of the installed app, in the same folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import * as need from './lib/need.mjs'
import { main, ROOT, say } from './lib/run.mjs'

const FOLDER = join(ROOT, 'public/icons')
const SIZES = [192, 512]

await main(async () => {
  const source = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(FOLDER, 'app.svg'), 'utf8'))}`
  const browser = await chromium.launch({ executablePath: await need.chromium(), args: ['--no-sandbox'] })
  try {
    for (const size of SIZES) {
      const page = await browser.newPage({ viewport: { width: size, height: size } })
      await page.setContent(`<style>body{margin:0}img{display:block;width:100vw}</style><img src="${source}">`)
      await page.locator('img').screenshot({ path: join(FOLDER, `app-${size}.png`) })
      say(`public/icons/app-${size}.png`)
    }
  } finally {
    await browser.close()
  }
})
