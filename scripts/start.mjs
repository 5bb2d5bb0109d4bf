/** `npm start [-- --port N]`: sets up what is missing, builds, serves dist/ and prints the URL. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { main, ROOT, say } from './lib/run.mjs'
import { serve } from './lib/server.mjs'
import { everything } from './lib/setup.mjs'

await main(async () => {
  const { values } = parseArgs({ options: { port: { type: 'string', default: process.env.PORT ?? '4173' } } })
  await everything()
  const { url } = await serve(join(ROOT, 'dist'), Number(values.port))
  say(`Seekscope: ${url}  (stop with Ctrl-C)`)
})
