import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, expect } from '@playwright/test'
import { serve } from '../../../scripts/lib/server.mjs'
import { chip, paths, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const DIST = fileURLToPath(new URL('../../../dist', import.meta.url))

test('installed as an app from any folder, it opens the files that the system hands to it', async ({
  launchOptions,
  requests,
}) => {
  const root = mkdtempSync(join(tmpdir(), 'seekscope-app-'))
  mkdirSync(join(root, 'host/some'), { recursive: true })
  cpSync(DIST, join(root, 'host/some/folder'), { recursive: true })
  const { url, close } = await serve(join(root, 'host'), 0)
  const app = `${url}some/folder/`
  // What an installation leaves in the home folder goes with it.
  const context = await chromium.launchPersistentContext(join(root, 'profile'), {
    ...launchOptions,
    env: { ...process.env, HOME: root },
  })
  requests.own(url)
  requests.follow(context)
  try {
    const page = await context.newPage()
    await page.goto(app)
    const browser = await context.newCDPSession(page)
    const send = browser.send.bind(browser) as unknown as (method: string, ask: object) => Promise<unknown>
    await send('PWA.install', { manifestId: app, installUrlOrBundleUrl: app })
    const opened = context.waitForEvent('page')
    await send('PWA.launchFilesInApp', { manifestId: app, files: paths('io-errors') })
    const window = await opened
    await waitForRuns(window, 1)
    await expect(chip(window, 'A')).toContainText('records')
  } finally {
    await context.close()
    await close()
    rmSync(root, { recursive: true, force: true })
  }
})
