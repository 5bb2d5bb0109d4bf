import { defineConfig } from '@playwright/test'

/** The installed Chromium; `npm test` finds it and sets CHROMIUM. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  workers: 1,
  timeout: 120_000,
  forbidOnly: true,
  reporter: [['list']],
  use: {
    baseURL: process.env.SEEKSCOPE_URL ?? 'http://127.0.0.1:4173/',
    launchOptions: { executablePath, args: ['--no-sandbox'] },
    trace: 'retain-on-failure',
  },
  ...(process.env.SEEKSCOPE_URL
    ? {}
    : {
        webServer: {
          command: 'node scripts/serve.mjs --port 4173',
          url: 'http://127.0.0.1:4173/',
          reuseExistingServer: true,
          stdout: 'ignore' as const,
        },
      }),
})
