/** The recorder: its command on the landing page, and its archives. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { type Machine, makeMachine, record } from '../../recorder/machine'
import { NAMES } from '../support/names'
import { drop, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const SCRIPT = readFileSync(new URL('../../../public/seekscope-record', import.meta.url), 'utf8')

test('the landing page has the command for the devices and seconds that are typed in', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('./')
  const panel = page.getByRole('tabpanel', { name: 'recorder' })
  await panel.getByRole('textbox', { name: 'Devices' }).fill("/dev/md0, nvme0n1 it's")
  await panel.getByRole('textbox', { name: 'Seconds' }).fill('12')
  await panel.getByRole('textbox', { name: 'Label' }).fill('new kernel')
  const command = "sudo sh seekscope-record -d /dev/md0 -d nvme0n1 -d 'it'\\''s' -w 12 -l 'new kernel'"
  await expect(panel.getByText(command, { exact: true })).toBeVisible()
  await panel.getByRole('button', { name: NAMES.copy }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n')).toContain(command)
  // The address in it leads to the script of this site.
  const address = /^curl -fsSO (\S+)$/m.exec(copied)?.[1] ?? ''
  expect(await (await page.request.get(address)).text()).toBe(SCRIPT)
  await panel.getByRole('textbox', { name: 'Seconds' }).fill('soon')
  await expect(panel.getByText(/ -w 30 /)).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: NAMES.downloadScript }).click(),
  ])
  expect(download.suggestedFilename()).toBe('seekscope-record')
  expect(readFileSync(await download.path(), 'utf8')).toBe(SCRIPT)
  // Moves to the next tool by keyboard.
  await page.getByRole('tab', { name: 'recorder' }).press('ArrowRight')
  await expect(page.getByRole('tabpanel', { name: 'blktrace' })).toBeVisible()
})

test.describe('archives', () => {
  let machine: Machine
  test.beforeEach(() => {
    machine = makeMachine()
  })
  test.afterEach(() => machine.remove())

  test('two settings open as two groups, with settings and what was recorded as notes', async ({ page }) => {
    const setting = (value: number) => `echo ${value} > ${machine.root}/sys/block/vda/queue/nr_requests\n`
    writeFileSync(join(machine.workFolder, 'small.sh'), setting(32))
    writeFileSync(join(machine.workFolder, 'large.sh'), setting(512))
    const args = ['-d', 'vda', '-d', 'vdb', '--ab', 'small.sh', 'large.sh', '-o', 'x.tar.gz', '--', 'true']
    expect(await record(machine, args)).toMatchObject({ status: 0 })
    await page.goto('./')
    await drop(page, [{ name: 'x.tar.gz', bytes: readFileSync(join(machine.workFolder, 'x.tar.gz')) }])
    await waitForRuns(page, 4)
    for (const group of ['small', 'large']) await expect(page.locator(`.chip[data-group="${group}"]`)).toHaveCount(2)
    await expect(page.getByText(/nr_requests 32 -> 512/).first()).toBeVisible()
    await page.getByRole('button', { name: NAMES.runMenu('A1') }).click()
    await page.getByRole('menuitem', { name: /^Notes/ }).click()
    const notes = page.getByRole('dialog')
    await expect(notes.getByText(/manifest of seekscope-record/)).toBeVisible()
    await expect(notes.getByText(/replaced by hashes/).first()).toBeVisible()
  })
})
