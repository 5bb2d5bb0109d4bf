import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { chart, chip, type Dropped, drop, issues, maps, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const TEXTS = join(fileURLToPath(new URL('.', import.meta.url)), '../../texts')

/** Files of a run that blktrace and another tracer recorded: the text, or the per-CPU files. */
function files(run: string, kind: 'text' | 'twin'): Dropped[] {
  const isWanted = (file: string) => file.endsWith('.txt') === (kind === 'text')
  return readdirSync(join(TEXTS, run))
    .filter(isWanted)
    .map(name => ({ name: kind === 'text' ? `${run}.txt` : name, bytes: readFileSync(join(TEXTS, run, name)) }))
}

/** Opens files; their only run shows so many requests. */
async function expectRequests(page: Page, dropped: readonly Dropped[], requests: number) {
  await page.goto('./')
  await drop(page, dropped)
  await waitForRuns(page, 1)
  await maps(page, [requests])
}

for (const run of ['ftrace-6.12', 'trace-cmd-6.12', 'perf-6.1']) {
  test(`${run} gives the requests of its blktrace twin, and says what it cannot tell`, async ({ page }) => {
    const { errors, foreign } = watch(page)
    const twin = files(run, 'twin')
    await expectRequests(page, twin, issues(twin))
    await expectRequests(page, files(run, 'text'), issues(twin))
    await chip(page, 'A').locator('.chip-quality').click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(`${run.replace(/-6.*/, '')}-text`)
    await expect(dialog).toContainText('sequence numbers')
    await expect(chip(page, 'A').locator('.chip-quality')).toHaveAttribute('data-lost-events', 'unknown')
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
  })
}

test('three tools beside each other; what a text lost is said with its line', async ({ page }) => {
  const [ftrace] = files('ftrace-6.1', 'text')
  if (!ftrace) throw new Error('the run has no text')
  const lossy = { ...ftrace, bytes: Buffer.concat([ftrace.bytes, Buffer.from('CPU:1 [LOST 17 EVENTS]\n')]) }
  await page.goto('./')
  await drop(page, [lossy, ...files('trace-cmd-6.1', 'text'), ...files('perf-6.1', 'text')])
  await waitForRuns(page, 3)
  await expect(chart(page, /Seek map/).getByRole('img')).toHaveCount(3)
  await expect(chip(page, 'A').locator('.chip-quality')).toHaveAttribute('data-lost-events', '17')
  await expect(chip(page, 'B').locator('.chip-quality')).toHaveAttribute('data-lost-events', 'unknown')
  await chip(page, 'A').locator('.chip-quality').click()
  await expect(page.getByRole('dialog').locator('[data-code=lost-events]')).toContainText(/line 1,?525/)
})

test('a text without block events says which to enable', async ({ page }) => {
  await page.goto('./')
  const text = '# tracer: nop\n#\n  dd-7 [000] ..... 1.000001: sched_switch: prev_comm=dd ==> next_comm=x\n'
  await drop(page, [{ name: 'trace.txt', bytes: Buffer.from(text) }])
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('[data-code=no-block-events] .remedy')).toContainText('events/block/enable')
})
