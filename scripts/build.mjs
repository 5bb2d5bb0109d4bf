/**
 * `npm run build`: the static site in dist/, after setting up what is missing.
 * `npm run build:single [-- FILE]`: the whole app as one HTML file, `dist/seekscope.html`, copied to FILE when one is named.
 */
import { copyFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { main, ROOT, say } from './lib/run.mjs'
import { everything } from './lib/setup.mjs'

await main(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { single: { type: 'boolean' } } })
  await everything()
  if (!values.single) {
    say('dist/ is ready: any static host can serve it')
    return
  }
  const built = join(ROOT, 'dist/seekscope.html')
  const [named] = positionals
  const file = named === undefined ? built : resolve(named)
  if (file !== built) copyFileSync(built, file)
  say(`${file} is ready: ${(statSync(file).size / 1e6).toFixed(1)} MB, opens in a browser from any disk`)
})
