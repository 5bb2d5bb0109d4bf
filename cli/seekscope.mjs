#!/usr/bin/env node
/** Runs the built command line from a checkout. The package runs the built file itself. */
import { existsSync } from 'node:fs'

const built = new URL('../dist-cli/seekscope.mjs', import.meta.url)
if (existsSync(built)) await import(built.href)
else {
  process.stderr.write('seekscope: the command line is not built. Run: npm run build\n')
  process.exitCode = 1
}
