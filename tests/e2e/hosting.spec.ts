import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { serve } from '../../scripts/lib/server.mjs'
import { test } from './recorded'
import { watch, whole } from './support'

const DIST = join(dirname(fileURLToPath(import.meta.url)), '../../dist')

test('works from any folder of any static host, and asks no other host for anything', async ({ page, requests }) => {
  const root = mkdtempSync(join(tmpdir(), 'seekscope-host-'))
  mkdirSync(join(root, 'some/folder'), { recursive: true })
  cpSync(DIST, join(root, 'some/folder/of mine'), { recursive: true })
  const { url, close } = await serve(root, 0)
  requests.own(url)
  const { errors, foreign } = watch(page)
  await page.goto(`${url}some/folder/of%20mine/`)
  await page.getByRole('button', { name: /O_SYNC/ }).click()
  await whole(page, 2)
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
  await page.goto('about:blank')
  await close()
  rmSync(root, { recursive: true })
})
