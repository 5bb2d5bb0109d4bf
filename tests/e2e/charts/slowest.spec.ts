/**
 * Why requests were slow: in the panel, from the latency chart, in the details of a request, and in links of one run.
 */
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, drop, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const PANEL = 'Slowest requests'

const ONE_RUN = {
  async open(page: Page) {
    await page.goto('./')
    await drop(page, [
      { name: 'r1.tar.xz', bytes: readFileSync(new URL('../../alone/requests-4.tar.xz', import.meta.url)) },
    ])
    await waitForRuns(page, 1)
    await expect(chart(page, PANEL)).toBeVisible()
  },
}

const summary = (page: Page) => chart(page, PANEL).locator('.chart-what')
const listed = (page: Page) => chart(page, PANEL).locator('.tail-lists h4')

test.describe('one run', () => {
  test.use({ topic: ONE_RUN })

  test('the panel follows the zoom and the filters, and says so', async ({ page }) => {
    await expect(summary(page)).toHaveText('what the time of the slowest 1% went to; complete run')
    await expect(listed(page)).toHaveText(/^A: 18 requests above 32\.6/)
    const plot = chart(page, 'Latency').locator('.plot')
    await plot.focus()
    await plot.press('ArrowRight')
    for (let i = 0; i < 20; i += 1) await plot.press('Shift+ArrowRight')
    await plot.press('Enter')
    await expect(summary(page)).toHaveText(/; visible range$/)
    await expect(listed(page)).not.toHaveText(/^A: 18 requests/)
    await expect(listed(page)).toHaveText(/^A: \d requests? above/)
  })

  test('a click in the latency chart leads to why the slowest request there was slow', async ({ page }) => {
    const { errors } = watch(page)
    const plot = chart(page, 'Latency').locator('.plot')
    await plot.focus()
    await plot.press('ArrowRight')
    await plot.press('Enter')
    const details = page.getByRole('dialog', { name: /read by fio/ })
    await expect(details).toBeInViewport()
    const causes = details.getByRole('region', { name: 'Why it took so long' })
    await expect(causes.getByRole('listitem').first()).toBeVisible()
    const shares = (await causes.getByRole('listitem').allTextContents()).map(text =>
      Number(/([\d.]+)%$/.exec(text)?.[1]),
    )
    expect(Math.abs(shares.reduce((a, b) => a + b, 0) - 100)).toBeLessThan(1)
    expect(errors).toEqual([])
  })

  test('the text for mail is that of the command line, and a small link has what held the run back', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const findings = page.getByRole('region', { name: 'What held it back' })
    await expect(findings.getByRole('listitem').first()).toContainText('waiting-for-tags')
    await page.getByRole('button', { name: NAMES.copyForMail }).click()
    await expect(page.getByRole('button', { name: NAMES.copied })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^Block I\/O trace\n[\s\S]*\(waiting-for-tags\)/,
    )
    await page.getByRole('button', { name: NAMES.share, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^S [\d,]+/ }).click()
    const field = dialog.getByRole('textbox', { name: NAMES.link })
    await expect(field).toHaveValue(/&s=/)
    const link = await field.inputValue()
    await page.goto('about:blank')
    await page.goto(link)
    await waitForRuns(page, 1)
    await expect(findings.getByRole('listitem').first()).toContainText('waiting-for-tags')
    await expect(chart(page, PANEL).getByRole('row', { name: /waiting for a tag/ })).toBeVisible()
    await expect(summary(page)).toHaveText(/complete run$/)
  })
})

test('figures are not cut, and a caption that is has its text at hand', async ({ page }) => {
  await page.goto('./#v=1&sample=idling')
  await waitForRuns(page, 2)
  await expect(chart(page, PANEL)).toBeVisible()
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const truncate = () =>
      page.locator('.charts :is(.chart-what, .chart-figure)').evaluateAll((all: Element[]) =>
        all
          .filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0)
          .filter(e => e.getAttribute('title') !== e.textContent)
          .map(e => e.textContent),
      )
    await expect.poll(truncate, { message: `${width} px` }).toEqual([])
  }
})
