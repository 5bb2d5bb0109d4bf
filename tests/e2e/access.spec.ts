import { expect } from '@playwright/test'
import { test } from './recorded'
import { violations, whole } from './support'

for (const scheme of ['light', 'dark'] as const) {
  for (const [name, viewport] of [
    ['desktop', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    test(`axe finds nothing: ${scheme}, ${name}`, async ({ browser, requests }, info) => {
      const context = await browser.newContext({
        ...(info.project.use.baseURL && { baseURL: info.project.use.baseURL }),
        colorScheme: scheme,
        viewport,
      })
      requests.follow(context)
      const page = await context.newPage()
      await page.goto('./')
      expect(await violations(page)).toEqual([])
      await page.goto('./#v=1&sample=raid5')
      await page.reload()
      await whole(page, 2)
      expect(await violations(page)).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(wide, 'nothing sticks out sideways').toBeLessThanOrEqual(0)
      await page.keyboard.press('g')
      await expect(page.getByRole('dialog')).toBeVisible()
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog')).toBeVisible()
      expect(await violations(page)).toEqual([])
      await context.close()
    })
  }
}
