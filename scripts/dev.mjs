/** `npm run dev [-- vite options]`: the page with live reload. After a change in Rust, run `npm run wasm`. */
import { spawn } from 'node:child_process'
import { main, ROOT, tool } from './lib/run.mjs'
import { dependencies, wasm } from './lib/setup.mjs'

await main(async () => {
  await dependencies()
  await wasm()
  spawn(process.execPath, [tool('vite/bin/vite.js'), ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' })
})
