/** Recordings with some actions only: what they have is drawn, and what they lack is absent with the reason. */
import { expect } from '@playwright/test'
import { chart, type Dropped, drop, recording, setGeometry, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

/** Bit of the category in the upper half of `action`: records of the tracer itself. */
const NOTIFY = 1 << 26
const COMPLETE = 8

/**
 * As `blktrace -a complete` records: other events dropped, sequence numbers from 1 without a gap. Offsets: sequence 4,
 * action 28, payload length 46.
 */
function keepCompletions({ name, bytes }: Dropped): Dropped {
  const records: Buffer[] = []
  let sequence = 0
  for (let offset = 0; offset < bytes.length; ) {
    const end = offset + 48 + bytes.readUInt16LE(offset + 46)
    const action = bytes.readUInt32LE(offset + 28)
    const record = Buffer.from(bytes.subarray(offset, end))
    if ((action & NOTIFY) !== 0) records.push(record)
    else if ((action & 0xffff) === COMPLETE) {
      record.writeUInt32LE(++sequence, 4)
      records.push(record)
    }
    offset = end
  }
  return { name, bytes: Buffer.concat(records) }
}

test('completions only: marks and alignment are drawn; depth and latency are absent with the reason', async ({
  page,
}) => {
  const { errors } = watch(page)
  await page.goto('./')
  const array = (name: string) =>
    recording(name)
      .filter(file => file.name.startsWith('md0'))
      .map(file => keepCompletions({ ...file, name: file.name.replace('md0', name) }))
  await drop(page, [...array('raid5-aligned'), ...array('raid5-misaligned')])
  await waitForRuns(page, 2)
  await setGeometry(page)
  await expect(
    chart(page, /Seek map/)
      .getByRole('img')
      .first(),
  ).toHaveAttribute('aria-label', /\b48 requests/)
  await expect(chart(page, /^Latency$/).locator('[data-absent=latency]')).toHaveCount(2)
  await expect(page.locator('[data-masked]')).toHaveCount(1)
  await expect(page.locator('[data-code=alignment-lost]').or(page.getByText('alignment-lost')).first()).toBeVisible()
  expect(await violations(page)).toEqual([])
  expect(errors).toEqual([])
})

test('a disk without issues has no queue depth, and sizes as completed', async ({ page }) => {
  await page.goto('./')
  const disk = recording('raid5-misaligned').filter(file => file.name.startsWith('vda'))
  await drop(page, disk.map(keepCompletions))
  await waitForRuns(page, 1)
  await expect(chart(page, /^Queue depth/).locator('[data-absent=depth]')).toHaveCount(1)
  await expect(page.locator('[data-chart=request-sizes] select option')).toHaveCount(1)
  await expect(page.locator('[data-chart=request-sizes] pre')).toContainText(/\b205 +8\b/)
})

test('next to a complete recording, completions have a lane of their own height in the timeline', async ({ page }) => {
  await page.goto('./')
  const disk = recording('raid5-misaligned').filter(file => file.name.startsWith('vda'))
  const completions = disk.map(file => keepCompletions({ ...file, name: file.name.replace('vda', 'completions') }))
  await drop(page, [...disk, ...completions])
  await waitForRuns(page, 2)
  const lanes = page.locator('.minimap-load')
  await expect(lanes).toHaveCount(2)
  for (const lane of await lanes.all()) {
    const { height } = (await lane.boundingBox()) ?? { height: 0 }
    expect(height).toBeGreaterThan(5)
    expect(height).toBeLessThan(20)
  }
})
