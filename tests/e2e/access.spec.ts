import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page, test } from '@playwright/test'
import { whole } from './support'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[]
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    return (await axe.run()).violations
  })
  return found.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`)
}

for (const scheme of ['light', 'dark'] as const) {
  for (const [name, viewport] of [
    ['desktop', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    test(`axe finds nothing: ${scheme}, ${name}`, async ({ browser }, info) => {
      const context = await browser.newContext({
        ...(info.project.use.baseURL && { baseURL: info.project.use.baseURL }),
        colorScheme: scheme,
        viewport,
      })
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
