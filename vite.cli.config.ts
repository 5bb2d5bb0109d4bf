import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { collectPackages } from './scripts/finish/packages.ts'
import { notices } from './scripts/finish/plugin.ts'

/** What is bundled, for the licence notices. */
const packages = collectPackages()

/** The manual page next to the bundle, as the bundle prints it: `man` in package.json names it. */
const manualPage = (): Plugin => ({
  name: 'seekscope:manual',
  writeBundle({ dir = '' }) {
    writeFileSync(join(dir, 'seekscope.1'), execFileSync(process.execPath, [join(dir, 'seekscope.mjs'), 'man']))
  },
})

/**
 * The command line as one program for Node: `dist-cli/seekscope.mjs`, with all its dependencies in it. Paths in
 * `cli/` are relative to the module, so the bundle is as deep in the project as its sources. Not minified: a stack
 * trace shows readable code. `command.mjs`, `reader.mjs`, `section.mjs` and `fleet.mjs` are what its threads run; `bench.mjs` is
 * for `npm run bench` only.
 */
export default defineConfig({
  plugins: [manualPage(), packages.plugin(), notices(packages)],
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist-cli',
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        seekscope: 'cli/main.ts',
        command: 'cli/program/command.ts',
        reader: 'cli/input/read/reader.ts',
        section: 'cli/input/read/section.ts',
        fleet: 'cli/fleet/reader.ts',
        bench: 'bench/reading/engine.ts',
      },
      output: {
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        banner: chunk => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
      },
    },
  },
})
