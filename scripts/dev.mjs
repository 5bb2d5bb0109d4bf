/** `npm run dev [-- vite options]`: serves the page with live reload. Run `npm run wasm` after changing Rust code. */
import { spawn } from 'node:child_process'
import { main, ROOT, tool } from './lib/run.mjs'
import { dependencies, wasm } from './lib/setup.mjs'

await main(async () => {
  await dependencies()
  await wasm()
  spawn(process.execPath, [tool('vite/bin/vite.js'), ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' })
})
