/** Sentence, findings, figures and tables are those of the visible range. */
import { execFileSync } from 'node:child_process'
import { expect, type Page } from '@playwright/test'
import { drop, recording, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const PAIR = ['partitions-deadline-1w', 'partitions-bfq-1w'] as const

interface Figure {
  readonly key: string
  readonly values: readonly number[]
}

/** What the command line says of the part from 1 to 2 s, which it reads alone. */
function partOfCommandLine(): { readonly figures: readonly Figure[]; readonly findings: readonly unknown[] } {
  const paths = PAIR.map(name => `tests/fixtures/${name}`)
  const args = ['cli/seekscope.mjs', 'compare', '--json', '--range', '1:2', ...paths]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

const range = (page: Page) => page.locator('.verdict-range')
const cells = (page: Page, key: string) => page.locator(`.differences tr[data-key="${key}"] td`)

test('figures and findings of a range are those of the same part read alone', async ({ page }) => {
  const { errors, foreign } = watch(page)
  const part = partOfCommandLine()
  await page.goto('./#v=1&t=1..2')
  for (const name of PAIR) await drop(page, recording(name, name))
  await waitForRuns(page, 2)
  await expect(range(page)).toContainText('only 1.00 to 2.00 s')
  await expect(page.locator('.finding-row')).toHaveCount(part.findings.length)
  const values = (key: string) => part.figures.find(figure => figure.key === key)?.values ?? []
  for (const key of ['bytes.write', 'events.C', 'starved.intervals']) {
    // The first cell is the unit.
    const [, ...shown] = await cells(page, key).allInnerTexts()
    const numbers = shown.slice(0, 2).map(text => Number.parseFloat(text.replaceAll(',', '')))
    expect(numbers, key).toEqual(values(key).map(value => (key.startsWith('bytes') ? value / 1024 : value)))
  }
  expect(await violations(page, { within: '.head' })).toEqual([])

  // The full run and back: each step has its own figures, and evidence leads back to the range it was opened in.
  const sentence = page.locator('.verdict-sentence')
  const ranged = (await sentence.textContent()) ?? ''
  await page.keyboard.press('e')
  await expect(page.locator('.evidence-sentence')).toHaveText(ranged)
  await page.keyboard.press('Escape')
  await expect(range(page)).toContainText('only 1.00 to 2.00 s')
  await expect(sentence).toHaveText(ranged)
  await range(page).getByRole('button', { name: 'Full run' }).click()
  await expect(range(page)).toHaveCount(0)
  await expect(sentence).not.toHaveText(ranged)
  await page.goBack()
  await expect(sentence).toHaveText(ranged)
  expect([errors, foreign]).toEqual([[], []])
})

test('one run says what held it back in the range', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording(PAIR[1], PAIR[1]))
  await waitForRuns(page, 1)
  const whole = await page.locator('.verdict-bar').innerText()
  await page.keyboard.press('w')
  await page.keyboard.press('w')
  await expect(range(page)).toContainText(/only .* s/)
  await expect(page.locator('.verdict-bar')).not.toHaveText(whole)
  await page.getByRole('tab', { name: 'Where the time went' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Where the time went' })).toBeVisible()
})

test('where a run has no request there is no verdict', async ({ page }) => {
  await page.goto('./#v=1&sample=idling&t=5..6')
  await waitForRuns(page, 2)
  await expect(page.locator('.verdict-sentence')).toHaveText('No request of A begins or ends from 5.00 to 6.00 s.')
  await expect(page.getByRole('tablist', { name: 'Panel' })).toHaveCount(0)
  await range(page).getByRole('button', { name: 'Full run' }).click()
  await expect(page.locator('.verdict-sentence')).toContainText('19.5%')
})
