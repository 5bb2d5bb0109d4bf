/** Stacks of devices: the table of layers, the rail, and the card of a request with its layers. */
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { chart, type Dropped, drop, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const recorded = (name: string): Dropped => {
  const file = `${name}.tar.xz`
  return { name: file, bytes: readFileSync(new URL(`../../origin/${file}`, import.meta.url)) }
}
const RAID1 = 'raid1-6.1'
const CRYPT = 'crypt-6.1'

const layers = (page: Page) => chart(page, 'Layers')

test('each device of a stack has a row with its kind, its members below it, of two runs side by side', async ({
  page,
}) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [recorded(RAID1), recorded(CRYPT)])
  await waitForRuns(page, 2)
  const rows = layers(page).getByRole('row')
  await expect(rows.filter({ hasText: 'md0 raid1' })).toContainText(/\d%/)
  await expect(rows.filter({ hasText: 'dm-0 crypt' })).toHaveCount(1)
  await expect(rows.filter({ has: page.getByRole('rowheader', { name: 'vda', exact: true }) })).toHaveCount(1)
  await expect(page.getByRole('group', { name: 'Layers' })).toContainText('md0 raid1')
  expect(await violations(page, { within: '.stack-table' })).toEqual([])
  expect(errors).toEqual([])
})

test('a recording of one disk has no layers', async ({ page }) => {
  await page.goto('./#v=1&sample=idling')
  await waitForRuns(page, 2)
  await expect(layers(page)).toHaveCount(0)
})

test('the card leaves its mark free, is moved with the pointer and with keys, and put back', async ({ page }) => {
  await page.goto('./')
  await drop(page, [recorded(RAID1)])
  await waitForRuns(page, 1)
  await page.getByRole('group', { name: /^Seek map, A/ }).focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
  const card = page.locator('.life[data-layers=true]')
  await expect(card).toBeVisible()
  const boxes = async () => {
    const [mark, box] = [await page.locator('[data-selected-mark]').boundingBox(), await card.boundingBox()]
    if (!mark || !box) throw new Error('no mark or no card')
    return { mark, box }
  }
  await expect
    .poll(async () => {
      const { mark, box } = await boxes()
      const isBeside = box.x > mark.x + mark.width || box.x + box.width < mark.x
      return isBeside || box.y > mark.y + mark.height || box.y + box.height < mark.y
    })
    .toBe(true)
  const { box: before } = await boxes()
  await page.mouse.move(before.x + 300, before.y + 20)
  await page.mouse.down()
  await page.mouse.move(before.x + 300, before.y - 40, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => (await boxes()).box.y).toBeLessThan(before.y - 40)
  const back = card.getByRole('button', { name: 'Put back' })
  const { box: moved } = await boxes()
  await back.focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(async () => (await boxes()).box.y).toBe(moved.y - 24)
  expect(await violations(page, { within: '.life' })).toEqual([])
  await back.click()
  await expect.poll(async () => (await boxes()).box.y).toBe(before.y)
})
