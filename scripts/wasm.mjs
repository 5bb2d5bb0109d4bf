/** `npm run wasm`: builds only the WASM module and its bindings. */
import { main } from './lib/run.mjs'
import { dependencies, wasm } from './lib/setup.mjs'

await main(async () => {
  await dependencies()
  await wasm()
})
