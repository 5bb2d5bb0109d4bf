/**
 * Nothing moves by itself after the first complete picture, and heads of charts stay where they are under the pointer.
 */
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

/** A busy machine answers a key later than the 500 ms that browsers allow for it. */
const MAX_ANSWER_MS = 1500

/** Shifts without recent input since the observer was installed, and what moved. */
interface Shifts {
  readonly sum: number
  readonly moved: readonly string[]
}

const observeShifts = (page: Page) =>
  page.evaluateHandle(maxAnswerMs => {
    interface Shift extends PerformanceEntry {
      readonly value: number
      readonly hadRecentInput: boolean
      readonly sources: readonly { readonly node?: Node }[]
    }
    const found = { sum: 0, moved: [] as string[] }
    let lastInput = Number.NEGATIVE_INFINITY
    for (const type of ['keydown', 'pointerup'])
      addEventListener(type, ({ timeStamp }) => (lastInput = timeStamp), { capture: true })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput || entry.startTime < lastInput + maxAnswerMs) continue
        // The rail lists the processes that have requests: a filter that leaves none shortens it.
        const isInRail = ({ node }: { readonly node?: Node }) =>
          (node instanceof Element ? node : node?.parentElement)?.closest('.rail, .time-words')
        if (entry.sources.length > 0 && entry.sources.every(isInRail)) continue
        found.sum += entry.value
        for (const { node } of entry.sources)
          found.moved.push(node instanceof Element ? node.className : `${node?.nodeName}`)
      }
    }).observe({ type: 'layout-shift' })
    return found satisfies Shifts
  }, MAX_ANSWER_MS)

/** Places of the heads of charts, and of their parts. */
const places = (page: Page) =>
  page.locator('.charts').evaluate(charts => {
    const { left, top } = charts.getBoundingClientRect()
    return [...charts.querySelectorAll('.chart-head, .chart-head > *')].map(element => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [x - left, y - top, width, height].map(Math.round).join(' ')
    })
  })

/** Waits until no chart asks, draws or moves any more. */
async function waitUntilStill(page: Page) {
  let last = ''
  await expect
    .poll(async () => {
      const before = last
      last = (await places(page)).join()
      return last === before
    })
    .toBe(true)
}

async function openSample(page: Page, only?: 'B') {
  await page.goto('./#v=1&sample=idling')
  await waitForRuns(page, 2)
  await expect(page.getByRole('button', { name: NAMES.copyForMail })).toBeVisible()
  if (only) await page.keyboard.press('1')
  await expect(page.getByRole('img', { name: /Seek map of B: 1,280 requests/ })).toBeVisible()
  await expect(page.getByRole('group', { name: /^Latency, B/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Slowest requests' })).toBeVisible()
  await waitUntilStill(page)
}

async function hoverAll(page: Page) {
  const plots = await page.locator('.charts .plot').all()
  expect(plots.length).toBeGreaterThan(3)
  for (const plot of plots) {
    await plot.hover()
    await plot.hover({ position: { x: 40, y: 20 } })
  }
  await page.mouse.move(1, 1)
}

/** Drags over a part of the map of the last run. */
async function brush(page: Page) {
  const plot = chart(page, 'Seek map').locator('.plot').last()
  await plot.scrollIntoViewIfNeeded()
  const box = await plot.boundingBox()
  if (box === null) throw new Error('the map has no place')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.3, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 })
  await page.mouse.up()
}

for (const width of [1024, 1440])
  test(`two runs at ${width} px stay in their places under the pointer, keys and filters`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await openSample(page)
    const heads = await places(page)
    const shifts = await observeShifts(page)
    const isStill = async (after: string) => {
      await waitUntilStill(page)
      expect(await shifts.jsonValue(), after).toEqual({ sum: 0, moved: [] })
    }
    await hoverAll(page)
    expect(await places(page)).toEqual(heads)
    await isStill('hover')
    await brush(page)
    await isStill('a brushed range')
    expect(await places(page), 'a brush moves no head').toEqual(heads)
    await page.keyboard.press('Enter')
    await expect(page.locator('.verdict-range')).toContainText('only')
    await isStill('a range')
    await page.keyboard.press('0')
    await isStill('the full run')
    await page.keyboard.press('e')
    await expect(page.getByRole('region', { name: 'Evidence' })).toBeVisible()
    await isStill('evidence')
    await page.keyboard.press('Escape')
    await isStill('the end of evidence')
    await page.keyboard.press('n')
    await isStill('the next finding')
    if (width > 1100) {
      const box = page.locator('.rail').getByRole('checkbox', { name: /^write/ })
      await box.uncheck()
      await expect(page.locator('[data-no-match]').first()).toBeVisible()
      await isStill('a filter')
      await box.check()
      await expect(page.locator('[data-no-match]')).toHaveCount(0)
      await isStill('no filter')
    }
    await page.getByRole('button', { name: NAMES.dark }).click()
    await isStill('the other theme')
  })

test('the heads of a single run stay in their places, each in one line', async ({ page }) => {
  await openSample(page, 'B')
  const heads = await places(page)
  const shifts = await observeShifts(page)
  await hoverAll(page)
  expect(await places(page)).toEqual(heads)
  await brush(page)
  await page.keyboard.press('Enter')
  await waitUntilStill(page)
  expect(await shifts.jsonValue()).toEqual({ sum: 0, moved: [] })
  const heights = await page
    .locator('.charts .chart-head')
    .evaluateAll(all => all.map(head => head.getBoundingClientRect().height))
  expect(new Set(heights)).toEqual(new Set([28]))
})

for (const [width, height, rows] of [
  [1440, 900, 3],
  [1024, 768, 2],
] as const)
  test(`${rows} rows of charts fit below a head of 218 px at ${width} x ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await openSample(page)
    const room = await page.evaluate(() => {
      const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
      return (boxOf('.body')?.height ?? 0) - 218
    })
    const end = await page.locator('.charts').evaluate((charts, n) => {
      const row = charts.querySelectorAll('.chart-row')[n - 1]
      return (row?.getBoundingClientRect().bottom ?? 0) - charts.getBoundingClientRect().top
    }, rows)
    const axis = await page
      .locator('.time-axis')
      .first()
      .evaluate(element => element.getBoundingClientRect().height)
    expect(end + axis).toBeLessThanOrEqual(room)
  })

test('captions are cut to no remnant, and figures are whole', async ({ page }) => {
  for (const width of [1024, 1180, 1280, 1440, 1900]) {
    await page.setViewportSize({ width, height: 900 })
    await openSample(page)
    const remnants = await page.locator('.chart-head').evaluateAll(heads =>
      heads.flatMap(head => {
        const caption = head.querySelector('.chart-what')
        const figure = head.querySelector('.chart-figure')
        const isGone = (head as HTMLElement).dataset.gives !== '0'
        const length = caption?.textContent?.length ?? 0
        const shown = caption ? (caption.clientWidth / Math.max(1, caption.scrollWidth)) * length : 0
        return [
          ...(caption && !isGone && shown < Math.min(length, 11) ? [`${caption.textContent}: ${shown}`] : []),
          ...(figure && figure.getBoundingClientRect().right > head.getBoundingClientRect().right + 1
            ? [`${figure.textContent} is cut`]
            : []),
        ]
      }),
    )
    expect(remnants, `${width} px`).toEqual([])
  }
  const map = chart(page, 'Seek map')
  await expect(map.getByRole('heading')).toHaveAttribute('title', /sectors/)
  await expect(map).toHaveAccessibleDescription(/sectors/)
})
