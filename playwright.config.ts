import { defineConfig } from '@playwright/test'

/** `npm run e2e` and `npm test` find the browser, serve dist/ and set both. */
const { CHROMIUM, SEEKSCOPE_URL } = process.env

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: [['list'], ['./tests/e2e/reporter.ts']],
  use: {
    baseURL: SEEKSCOPE_URL ?? 'http://127.0.0.1:4173/',
    launchOptions: { executablePath: CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] },
    trace: 'retain-on-failure',
  },
})
