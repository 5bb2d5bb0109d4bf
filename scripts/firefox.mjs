/**
 * `npm run test:firefox [-- vitest options]`: the core of the browser tests in an installed Firefox, which geckodriver
 * drives.
 */
import * as need from './lib/need.mjs'
import { main, must, tool } from './lib/run.mjs'
import { everything } from './lib/setup.mjs'

await main(async () => {
  const env = { FIREFOX: need.firefox(), GECKODRIVER: need.geckodriver() }
  await everything()
  await must(
    'The tests in Firefox',
    process.execPath,
    [tool('vitest/vitest.mjs'), 'run', '--project', 'firefox', ...process.argv.slice(2)],
    { env },
  )
})
