/** `npm run build`: the static site in dist/, after setting up what is missing. */
import { main, say } from './lib/run.mjs'
import { everything } from './lib/setup.mjs'

await main(async () => {
  await everything()
  say('dist/ is ready: any static host can serve it')
})
