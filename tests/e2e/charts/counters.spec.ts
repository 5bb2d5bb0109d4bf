/** Counters of other tools as lanes below the charts. */
import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { drop, recording, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const packed = { name: 'psync.tar.xz', bytes: readFileSync(new URL('../../counters/psync.tar.xz', import.meta.url)) }

test('counters next to a trace are lanes, by tool; a file without times has its reason', async ({ page }) => {
  await page.goto('./')
  await drop(page, [packed])
  await waitForRuns(page, 1)
  const lanes = page.getByRole('region', { name: 'Counters' })
  const iowait = lanes.getByRole('heading', { name: '%iowait', exact: true })
  await expect(iowait).toBeVisible()
  await expect(lanes.getByRole('heading', { name: 'vda %util' })).toBeVisible()
  await expect(lanes.getByText(/iostat-d-k-p\.txt .*no lanes/)).toBeVisible()
  const tool = lanes.getByRole('combobox')
  await tool.selectOption('vmstat')
  await expect(lanes.getByRole('heading', { name: 'wa', exact: true })).toBeVisible()
  await expect(iowait).toHaveCount(0)
  await tool.selectOption('mpstat')
  await lanes.getByRole('checkbox').check()
  await expect(lanes.getByRole('heading', { name: 'CPU 1 %iowait' })).toBeVisible()
})

test('a file that is dropped later is added to the open run', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('io-errors'))
  await waitForRuns(page, 1)
  await expect(page.getByRole('region', { name: 'Counters' })).toHaveCount(0)
  const untimed =
    'avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           5.67    0.00   64.94    0.00    0.00   29.39\n'
  await drop(page, [{ name: 'iostat.txt', bytes: Buffer.from(untimed) }])
  await page.getByRole('dialog').getByRole('button').first().click()
  await expect(page.getByRole('region', { name: 'Counters' }).getByText(/iostat\.txt .*no lanes/)).toBeVisible()
})
