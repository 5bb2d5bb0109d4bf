import { defineConfig } from '@playwright/test'
import base from '../../playwright.config'

/** `npm run soak`: one after another, because the processes of the browser are measured. */
export default defineConfig({
  ...base,
  testDir: '.',
  outputDir: '../../test-results',
  workers: 1,
  timeout: 1_800_000,
  reporter: [['list'], ['./reporter.ts']],
})
