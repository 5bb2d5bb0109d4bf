import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, drop, verdictSentence, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const story = (name: string) => ({
  name: `${name}.tar.xz`,
  bytes: readFileSync(new URL(`../../stories/${name}.tar.xz`, import.meta.url)),
})
const code = (page: Page) => page.locator('.finding-rule code')

const IDLING = {
  async open(page: Page) {
    await page.goto('./#v=1&sample=idling')
    await waitForRuns(page, 2)
  },
}

test.describe('two runs', () => {
  test.use({ topic: IDLING })

  test('the scheduler that idles is the first finding, and its evidence is one key away', async ({ page }) => {
    await expect(code(page)).toHaveText('starved-while-waiting')
    await expect(verdictSentence(page)).toContainText(/19\.5.?%/)
    await expect(verdictSentence(page)).toContainText(/2\.9\d?%/)
    // The sentence is the largest text of the page.
    const largest = await page.evaluate(() => {
      const sizes = [...document.querySelectorAll('.workspace *')].map(e =>
        Number.parseFloat(getComputedStyle(e).fontSize),
      )
      return Math.max(...sizes)
    })
    expect(await verdictSentence(page).evaluate(e => Number.parseFloat(getComputedStyle(e).fontSize))).toBe(largest)
    await expect(page.locator('.verdict-work')).toHaveAttribute('data-same', 'true')

    // Where the time went adds up to the whole.
    await page.keyboard.press('3')
    const lost = page.locator('.lost-bars')
    const parts = await lost.locator('.lost-bars-ns').allTextContents()
    const ms = parts.map(
      text =>
        Number(text.replace('\u2212', '-').replace(/ .*/, '')) *
        (text.endsWith(' ms') ? 1 : text.endsWith(' s') ? 1000 : 0.001),
    )
    const [total, ...sides] = ms.toReversed()
    expect(sides).toHaveLength(4)
    expect(total).toBeCloseTo(3740, -2)
    expect(Math.abs(sides.reduce((sum, v) => sum + v, 0) - (total ?? 0))).toBeLessThan(3)
    await page.keyboard.press('1')

    await page.keyboard.press('e')
    await expect(page.locator('[data-evidence]')).toHaveCount(1)
    await expect(chart(page, 'Queue depth')).toHaveAttribute('data-evidence', '')
    await expect(chart(page, 'Queue depth')).toBeInViewport()
    await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/[#&]t=/)

    await page.keyboard.press('n')
    await expect(code(page)).not.toHaveText('starved-while-waiting')
    await expect(page.locator('[data-evidence]')).toHaveCount(0)
    await page.keyboard.press('Shift+N')
    await expect(code(page)).toHaveText('starved-while-waiting')
    const rule = page.locator('.finding-rule')
    await expect(rule.getByRole('row', { name: /2\.9.*19\.5/ })).toBeVisible()
    await expect(rule.getByRole('link')).toHaveAttribute('href', 'docs/findings.html#starved-while-waiting')
  })

  test('the table of differences has intervals and tells noise', async ({ page }) => {
    const table = page.getByRole('region', { name: NAMES.differencesTable })
    const span = table.getByRole('row', { name: /^Throughput, write/ })
    await expect(span).toContainText(/\u2212\d+ to \u2212\d+%/)
    await expect(span.locator('[data-verdict]')).toHaveAttribute('data-verdict', 'worse')
    await expect(table.getByRole('row', { name: /^Q2C, p99 / }).locator('[data-verdict]')).toHaveAttribute(
      'data-verdict',
      'worse',
    )
  })

  test('copied for a mail: the same text as on the command line', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: NAMES.copyForMail }).click()
    await expect(page.getByRole('button', { name: NAMES.copied })).toBeVisible()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text).toMatch(/^ 1\. \S/m)
    for (const line of text.split('\n')) expect(line, 'ASCII of 72 columns').toMatch(/^[ -~]{0,72}$/)
  })

  test('one run is told as before', async ({ page }) => {
    await expect(code(page)).toHaveText('starved-while-waiting')
    await page.keyboard.press('Shift+Digit2')
    await expect(page.locator('.verdict-bar')).toContainText(/1,280.*4 KiB.*4\.03 s/)
    await expect(code(page)).toHaveCount(0)
    await page.keyboard.press('Shift+Digit2')
    await expect(code(page)).toHaveText('starved-while-waiting')
  })
})

test('writes that lost their stripe', async ({ page }) => {
  await page.goto('./#v=1&sample=raid5')
  await waitForRuns(page, 2)
  await expect(code(page)).toHaveText('alignment-lost')
  await expect(page.locator('.finding-row')).toHaveCount(2)
  await page.locator('.finding-row').nth(1).click()
  await expect(code(page)).toHaveText('rmw-cost')
  await page.getByRole('button', { name: /Show evidence/ }).click()
  await expect(page.locator('[data-evidence]')).toBeInViewport()
})

test('four schedulers without a difference are told as plainly as a regression; each can be chosen', async ({
  page,
}) => {
  await page.goto('./')
  await drop(page, [story('cgroup-dsync')])
  await waitForRuns(page, 4)
  // One pair behaves differently: the page does not begin with one that does not.
  await expect(code(page)).toHaveText('starved-while-waiting')
  const side = page.getByRole('combobox', { name: NAMES.comparedWith })
  await expect(side.getByRole('option')).toHaveCount(3)
  for (const [index, letter, found] of [
    [0, 'B', 'no-real-difference'],
    [1, 'C', 'starved-while-waiting'],
  ] as const) {
    await side.selectOption({ index })
    await expect(page.getByRole('columnheader', { name: `${letter} / A` })).toBeAttached()
    await expect(code(page)).toHaveText(found)
  }
  await side.selectOption({ index: 0 })
  await expect(page.locator('.verdict-facts')).toContainText('Others differ: C, D')
})

test('groups show mean, deviation and number', async ({ page }) => {
  await page.goto(
    `./#v=1&${[...'ABC'].map(l => `group.${l}=6.1`).join('&')}&${[...'DEF'].map(l => `group.${l}=6.12`).join('&')}`,
  )
  await drop(page, [story('repeat')])
  await waitForRuns(page, 6)
  await expect(code(page)).toHaveText('no-real-difference')
  const table = page.getByRole('region', { name: NAMES.differencesTable })
  await expect(table.getByRole('columnheader', { name: 'B / A' })).toBeAttached()
  await expect(table.getByRole('row', { name: /^D2C, mean / })).toContainText(/[\d.]+ \u00b1 [\d.]+ \(3\)/)
  await expect(table.getByRole('row', { name: /^Events P / }).locator('[data-verdict]')).toHaveAttribute(
    'data-verdict',
    'changed',
  )
})

test('of an unsure total, what certainly behaves differently is named without a share of lost time', async ({
  page,
}) => {
  await page.goto('./')
  await drop(page, [story('unsure')])
  await waitForRuns(page, 2)
  await expect(code(page)).toHaveText('starved-while-waiting')
  await expect(page.locator('.verdict-facts [data-behaves]')).toBeVisible()
  await expect(page.locator('.finding-row')).toHaveCount(3)
  await expect(page.locator('.finding-row', { hasText: 'of the lost time' })).toHaveCount(0)
  await expect(page.locator('.verdict-facts').first()).toContainText(/1\.12 MB\/s against 1\.63 MB\/s.*2 more runs of/)
  const table = page.getByRole('region', { name: NAMES.differencesTable })
  await expect(table.getByRole('row', { name: /^Throughput, write/ }).locator('[data-verdict]')).toHaveAttribute(
    'data-verdict',
    'unsure',
  )
  await expect(table.getByRole('row', { name: /^Run time/ }).locator('[data-verdict]')).toHaveAttribute(
    'data-verdict',
    'unsure',
  )
  await expect(table.getByRole('row', { name: /^Starved time / }).locator('[data-verdict]')).toHaveAttribute(
    'data-verdict',
    'worse',
  )
})

test('a device that is certainly slower is named although the total is unsure', async ({ page }) => {
  await page.goto('./')
  await drop(page, [story('device-20')])
  await waitForRuns(page, 2)
  await expect(code(page)).toHaveText('device-slower')
  await expect(page.locator('.verdict-facts').first()).toContainText(
    /may be slower.* 2\.54 MB\/s against 3(\.00?)? MB\/s/,
  )
})
