import react from '@vitejs/plugin-react'
import { defineConfig, type ViteUserConfig as UserConfig } from 'vitest/config'
import { docs } from './scripts/docs/plugin.ts'
import { collectPackages } from './scripts/finish/packages.ts'
import { finish } from './scripts/finish/plugin.ts'

/** What is bundled, for the licence notices. */
const packages = collectPackages()

/**
 * dist/ works from any subdirectory, and as one file: the worker is in the script, and the addresses
 * of other files than scripts and styles are relative to the page instead of to the script.
 */
const page = {
  root: 'web',
  base: './',
  worker: { format: 'iife', plugins: () => [packages.plugin()] },
  experimental: {
    renderBuiltUrl: (file, { hostType }) =>
      hostType === 'js' && !/\.(js|css)$/.test(file) ? { runtime: JSON.stringify(file) } : { relative: true },
  },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
} satisfies UserConfig

export default defineConfig({
  ...page,
  publicDir: '../public',
  plugins: [react(), docs(), packages.plugin(), finish(packages, { ...page, plugins: [react(), packages.plugin()] })],
  build: { ...page.build, outDir: '../dist', emptyOutDir: true },
  test: {
    root: '.',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As in Playwright: tests of signals and shells race with programs that the machine may stall.
    retry: 1,
    maxWorkers: '100%',
    // Half of the time was spent on importing the same modules for each file.
    isolate: false,
    // Read as text for pictures; other styles are of no use in tests.
    css: { include: [/tokens\.css/] },
    globalSetup: './cli/testing/build.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'web/**/*.test.{ts,tsx}',
            'cli/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/golden/*.test.ts',
            'bench/**/*.test.ts',
            'tests/recorder/*.test.ts',
            'tests/origin/*.test.ts',
            'tests/stacks/*.test.ts',
          ],
        },
      },
      { extends: true, test: { name: 'limits', include: ['bench/limits/table.ts'] } },
      // `npm run test:firefox` sets up what they need.
      { extends: true, test: { name: 'firefox', include: ['tests/firefox/*.test.ts'], testTimeout: 180_000 } },
      { extends: true, test: { name: 'conformance', include: ['tests/conformance/**/*.test.ts'] } },
    ],
  },
})
