import { expect } from '@playwright/test'
import { violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

for (const [name, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(`axe finds nothing, light or dark: ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    /** Colours differ between the schemes, elements do not. */
    const violationsInBoth = async (scope?: string) => {
      await page.emulateMedia({ colorScheme: 'light' })
      expect(await violations(page, { within: scope })).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violations(page, { within: scope, rules: ['color-contrast'] })).toEqual([])
    }
    await page.goto('./')
    await violationsInBoth()
    await page.goto('./#v=1&sample=raid5')
    await page.reload()
    await waitForRuns(page, 2)
    await violationsInBoth()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wide, 'nothing sticks out sideways').toBeLessThanOrEqual(0)
    for (const key of ['g', '?']) {
      await page.keyboard.press(key)
      await expect(page.getByRole('dialog')).toBeVisible()
      await violationsInBoth('dialog')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })
}
