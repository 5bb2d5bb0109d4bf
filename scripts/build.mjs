/**
 * `npm run build`: sets up what is missing and builds the static site in dist/.
 * `npm run build:single [-- FILE]`: the single-file app, `dist/seekscope.html`, also copied to FILE if given.
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
    say('dist/ is ready for any static host')
    return
  }
  const built = join(ROOT, 'dist/seekscope.html')
  const [target] = positionals
  const file = target === undefined ? built : resolve(target)
  if (file !== built) copyFileSync(built, file)
  say(`${file} is ready: ${(statSync(file).size / 1e6).toFixed(1)} MB, opens in a browser from disk`)
})
