import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const running: ChildProcess[] = []
test.afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

/** `seekscope open`; the address that it prints. */
const open = (args: readonly string[], env = process.env): Promise<string> => {
  const child = spawn(process.execPath, [join(ROOT, 'cli/seekscope.mjs'), 'open', ...args], {
    cwd: join(ROOT, 'tests/fixtures'),
    env,
  })
  running.push(child)
  return new Promise((resolve, reject) => {
    child.stdout.once('data', text => resolve(String(text).trim()))
    child.once('exit', code => reject(new Error(`ended with ${code}`)))
  })
}

test('seekscope open: the traces stand in the order of the command line, nobody is asked, a reload shows the same', async ({
  page,
  requests,
}) => {
  const { errors, foreign } = watch(page)
  const link = await open(['--no-browser', 'sync-no-fua', 'io-errors/trace'])
  requests.own(link)
  await page.goto(link)
  await waitForRuns(page, 2)
  await expect(chip(page, 'A')).toContainText('sync-no-fua')
  await expect(chip(page, 'B')).toContainText('io-errors')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByLabel(NAMES.rateUnit).selectOption(NAMES.iops)
  await expect(page).toHaveURL(/sha=[0-9a-f]{64}.*rate=ios/)
  await page.reload()
  await waitForRuns(page, 2)
  await expect(chip(page, 'A')).toContainText('sync-no-fua')
  await expect(page.getByLabel(NAMES.rateUnit)).toHaveValue('ios')
  await expect(page.getByRole('region', { name: NAMES.linkProblems })).toHaveCount(0)
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('the file that the browser is given leads to the page with the traces', async ({ page, requests }) => {
  const bin = mkdtempSync(join(tmpdir(), 'seekscope-bin-'))
  const fifo = join(bin, 'started')
  spawnSync('mkfifo', [fifo])
  for (const name of ['xdg-open', 'open'])
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf %s "$1" > ${fifo}\n`, { mode: 0o755 })
  const link = await open(['io-errors/trace'], { ...process.env, PATH: `${bin}:${process.env.PATH}` })
  requests.own(link)
  await page.goto(pathToFileURL(await readFile(fifo, 'utf8')).href)
  await waitForRuns(page, 1)
  await expect(chip(page, 'A')).toContainText('io-errors')
  rmSync(bin, { recursive: true })
})
