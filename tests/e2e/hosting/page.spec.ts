import { expect } from '@playwright/test'
import { test } from '../support/recorded'

test('the page opens without an error', async ({ page }) => {
  const errors: Error[] = []
  page.on('pageerror', error => errors.push(error))
  await page.goto('./')
  await expect(page).toHaveTitle(/Seekscope/)
  await expect(page.getByRole('main')).toBeVisible()
  expect(errors).toEqual([])
})
