import { defineConfig } from '@playwright/test'

/** `npm run e2e` and `npm test` find the browser, serve dist/ and set both. */
const { CHROMIUM, SEEKSCOPE_URL } = process.env

/** Without a GPU Chromium would run its compositor on a software GL; the plain one draws the same with less work. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--mute-audio',
  '--disable-background-networking',
  '--disable-component-update',
]

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  // More are slower, because the tests are bound by the CPU: on two cores 260 s with three workers, 220 s with two.
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // A machine that is shared stalls for seconds now and then. `npm test` names the tests that passed only then: each of
  // them waits for too little, or the page answers in another order.
  retries: 1,
  reporter: [['list'], ['./tests/e2e/support/reporter.ts']],
  use: {
    baseURL: SEEKSCOPE_URL ?? 'http://127.0.0.1:4173/',
    launchOptions: { executablePath: CHROMIUM ?? '/usr/bin/chromium', args: ARGS },
    // In the context that the tests of a worker share a service worker would keep a version of the page, and load all
    // of it in each test. Tests that are about it allow it in a context of their own.
    serviceWorkers: 'block',
    // Recording a trace takes as long as the test itself: `npm run e2e -- --trace on tests/e2e/x.spec.ts` where one is
    // needed.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
