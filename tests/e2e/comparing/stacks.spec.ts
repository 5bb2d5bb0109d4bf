/** Call stacks: a tree of functions per run, coloured by the difference. */
import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { chart, type Dropped, drop, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const recorded = (name: string): Dropped => {
  const file = `${name}.tar.xz`
  return { name: file, bytes: readFileSync(new URL(`../../stacks/${file}`, import.meta.url)) }
}

test('a click shows a function alone, and all are one click away', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [recorded('ftrace-log-6.12'), recorded('perf-fio-6.12')])
  await waitForRuns(page, 2)
  const stacks = chart(page, 'Call stacks')
  const inA = stacks.getByRole('list', { name: 'Call stacks of A' })
  const fsync = inA.getByRole('button', { name: /^__x64_sys_fsync: A [\d.]+%, \d+ requests; B [\d.]+%/ })
  await expect(fsync).toHaveAttribute('data-change', 'more')
  await expect(inA.getByRole('button', { name: /^kjournald2: / })).toHaveAttribute('data-change', 'less')
  expect(await violations(page, { within: '.stacks' })).toEqual([])
  await fsync.click()
  await expect(inA.getByRole('button', { name: /^kjournald2: / })).toHaveCount(0)
  await expect(stacks.getByText('do_syscall_64 > __x64_sys_fsync')).toBeVisible()
  await stacks.getByRole('combobox', { name: 'Width of a function' }).selectOption('d2c_ns')
  await stacks.getByRole('button', { name: 'All functions' }).click()
  await expect(inA.getByRole('button', { name: /^kjournald2: / })).toHaveCount(1)
  expect(errors).toEqual([])
})

test('only the requests of a path are shown, in the link, too, and the tree follows the visible range', async ({
  page,
}) => {
  await page.goto('./')
  await drop(page, [recorded('ftrace-log-6.12')])
  await waitForRuns(page, 1)
  const stacks = chart(page, 'Call stacks')
  const ofA = stacks.getByRole('list', { name: 'Call stacks of A' })
  const outermost = ofA.getByRole('button').first()
  const complete = await outermost.getAttribute('aria-label')
  await ofA.getByRole('button', { name: /^__x64_sys_fsync: / }).click()
  const only = stacks.getByRole('button', { name: 'Only requests of this path' })
  await only.click()
  await expect(only).toHaveAttribute('aria-pressed', 'true')
  const filter = page.getByRole('region', { name: 'Filter by call stack' })
  await expect(filter).toContainText('__x64_sys_fsync')
  await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toContain('through=__x64_sys_fsync')
  expect(await violations(page, { within: '.stacks-path' })).toEqual([])
  await filter.getByRole('button', { name: 'show all' }).click()
  await expect(only).toHaveAttribute('aria-pressed', 'false')
  await stacks.getByRole('button', { name: 'All functions' }).click()
  await expect(outermost).toHaveAttribute('aria-label', complete ?? '')
  await page.getByRole('group', { name: /^Seek map, A/ }).focus()
  await page.keyboard.press('w')
  await expect(outermost).not.toHaveAttribute('aria-label', complete ?? '')
})

test('a recording without stacks has no such chart', async ({ page }) => {
  await page.goto('./#v=1&sample=idling')
  await waitForRuns(page, 2)
  await expect(chart(page, 'Call stacks')).toHaveCount(0)
})
