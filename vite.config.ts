import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { docs } from './scripts/docs/plugin.ts'
import { collectPackages } from './scripts/finish/packages.ts'
import { finish } from './scripts/finish/plugin.ts'

/** What is bundled, for the licence notices. */
const packages = collectPackages()

/**
 * dist/ works from any subdirectory, and as one file: one script, with the worker in it, and the addresses
 * of other files relative to the page instead of to the script.
 */
export default defineConfig({
  root: 'web',
  publicDir: '../public',
  base: './',
  plugins: [react(), docs(), packages.plugin(), finish(packages)],
  worker: { format: 'iife', plugins: () => [packages.plugin()] },
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'js' ? { runtime: JSON.stringify(file) } : { relative: true }) },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
    rolldownOptions: { output: { codeSplitting: false }, checks: { pluginTimings: false } },
  },
  test: {
    root: '.',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: '100%',
    // Half of the time was spent on importing the same modules for each file.
    isolate: false,
    globalSetup: './cli/build.ts',
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['web/**/*.test.{ts,tsx}', 'cli/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/golden/*.test.ts'] },
      },
      { extends: true, test: { name: 'conformance', include: ['tests/conformance/**/*.test.ts'] } },
    ],
  },
})
