import { defineConfig } from '@playwright/test'
import base from '../../playwright.config'

/**
 * The code of the optimizing compilers is on the heap, and grows for hours: without it, what is left over is the
 * page's.
 */
const UNOPTIMIZED = '--js-flags=--no-opt --no-maglev --no-sparkplug'

const { use } = base

/** `npm run soak`: one after another, because the processes of the browser are measured. */
export default defineConfig({
  ...base,
  testDir: '.',
  outputDir: '../../test-results',
  workers: 1,
  use: { ...use, launchOptions: { ...use?.launchOptions, args: [...(use?.launchOptions?.args ?? []), UNOPTIMIZED] } },
  timeout: 1_800_000,
  reporter: [['list'], ['./reporter.ts']],
})
