/** Files of other tools than blktrace, dropped as they are. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, drop, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const TESTS = join(dirname(fileURLToPath(import.meta.url)), '../..')
const file = (path: string, name: string) => ({ name, bytes: readFileSync(join(TESTS, path)) })

const BIOSNOOP = `TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  LAT(ms)
0.000004    supervise      1950    xvda1     W 13092560   4096      0.74
0.000178    supervise      1950    xvda1     W 13092432   4096      0.61
0.001469    my task        1956    xvda1     R 13092440   4096      1.24
`

test('trace.dat, perf.data, biosnoop and fio, each a run', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  await drop(page, [
    file('binaries/trace-cmd-6.12/trace.dat', 'trace.dat'),
    file('binaries/perf-6.1/perf.data.xz', 'perf.data.xz'),
    { name: 'biosnoop.txt', bytes: Buffer.from(BIOSNOOP) },
    file('texts/fio/mix_clat.1.log', 'mix_clat.1.log'),
  ])
  await waitForRuns(page, 4)
  const maps = chart(page, /Seek map/).getByRole('img')
  await expect(maps).toHaveCount(4)
  const requests = async () => {
    const labels = await maps.evaluateAll((all: Element[]) => all.map(e => e.getAttribute('aria-label') ?? ''))
    return labels.map(label => Number(/([\d,]+) requests/.exec(label)?.[1])).sort((x, y) => x - y)
  }
  await expect.poll(requests).toEqual([3, 283, 512, 512])
  await expect(page.locator('.chip', { hasText: 'xvda1' })).toHaveCount(1)
  await expect(page.getByRole('heading', { name: NAMES.differences })).toBeAttached()
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('a trace.dat that is cut gives what is there; a perf.data says which command makes text of it', async ({
  page,
}) => {
  const { errors } = watch(page)
  const dat = file('binaries/trace-cmd-6.12/trace.dat', 'cut.dat')
  await page.goto('./')
  await drop(page, [{ ...dat, bytes: dat.bytes.subarray(0, 30_000) }])
  await waitForRuns(page, 1)
  await expect(chart(page, /Seek map/).getByRole('img')).toHaveAttribute('aria-label', /\b\d+ requests/)
  await drop(page, [{ name: 'perf.data', bytes: Buffer.concat([Buffer.from('PERFILE2'), Buffer.alloc(200, 1)]) }])
  await expect(page.getByText('perf script -i perf.data')).toBeVisible()
  expect(errors).toEqual([])
})
