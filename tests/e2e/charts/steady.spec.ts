/** What stays in its place and in sight: heads of charts, evidence, filters that nothing matches, verdicts. */
import { gzipSync } from 'node:zlib'
import { expect, type Locator, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, type Dropped, drop, recording, verdictSentence, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const IDLING = './#v=1&sample=idling'

/** Opens the sample and waits for its comparison. */
async function sample(page: Page, fragment = '') {
  await page.goto(`${IDLING}${fragment}`)
  await waitForRuns(page, 2)
  await expect(page.getByRole('button', { name: NAMES.copyForMail })).toBeVisible()
}

/** Places of all charts, and of their heads' parts. */
const places = (page: Page) =>
  page.locator('.charts').evaluate(charts => {
    const { left, top } = charts.getBoundingClientRect()
    return [...charts.querySelectorAll('.chart-row, .chart-head > *, .chart-figure')].map(element => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [x - left, y - top, width, height].map(Math.round).join(' ')
    })
  })

/** Waits until no chart moves any more. */
async function waitUntilStill(page: Page) {
  let last = ''
  const stays = async () => {
    const before = last
    last = (await places(page)).join()
    return last === before
  }
  await expect.poll(stays).toBe(true)
}

/** Texts that do not fit into their boxes. */
const truncatedTexts = (boxes: Locator) =>
  boxes.evaluateAll(all =>
    all.flatMap(box =>
      box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1 ? (box.textContent ?? '') : [],
    ),
  )

for (const width of [1024, 1280, 1440, 1600]) {
  test(`hover and focus move nothing at ${width} px, and no figure is cut`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    for (const runs of [1, 2]) {
      await sample(page)
      if (runs === 1) await page.keyboard.press('1')
      await expect(page.getByRole('img', { name: /Seek map of B: 1,280 requests/ })).toBeVisible()
      await expect(page.getByRole('group', { name: /^Latency, B/ })).toBeVisible()
      await waitUntilStill(page)
      expect(await truncatedTexts(page.locator('.chart-figure'))).toEqual([])
      await page.locator('.chart-row').first().scrollIntoViewIfNeeded()
      const shifts = await page.evaluateHandle(() => {
        const found: number[] = []
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) found.push((entry as PerformanceEntry & { value: number }).value)
        }).observe({ type: 'layout-shift' })
        return found
      })
      for (const name of ['Seek map', 'Queue depth', 'Throughput']) {
        const row = chart(page, name)
        const plot = row.getByRole('group').last()
        const before = await places(page)
        await plot.hover()
        expect(await places(page), `${name}, hover`).toEqual(before)
        await plot.evaluate(element => (element as HTMLElement).focus({ preventScroll: true }))
        expect(await places(page), `${name}, focus`).toEqual(before)
        const control = row.locator('.chart-head').getByRole('button').first()
        await control.evaluate(element => (element as HTMLElement).focus({ preventScroll: true }))
        expect(await places(page), `${name}, its controls`).toEqual(before)
        await expect(control).toBeVisible()
        await expect(control).toHaveCSS('opacity', '1')
        await page.mouse.move(1, 1)
      }
      expect(await shifts.jsonValue()).toEqual([])
    }
  })
}

test('evidence has a window per run, its sentence in sight, and a way back', async ({ page }) => {
  await sample(page)
  const bar = page.getByRole('region', { name: 'Evidence' })
  const sentence = await verdictSentence(page).innerText()
  const hash = () => page.evaluate(() => location.hash)
  await page.keyboard.press('e')
  await expect(bar).toBeInViewport()
  await expect(bar).toContainText('1 of ')
  expect((await bar.locator('.evidence-sentence').innerText()).replace(/\s+/g, ' ')).toBe(sentence.replace(/\s+/g, ' '))
  await expect.poll(hash).toContain('evidence=1')
  // Neither run is empty, although A has ended before B's evidence begins.
  for (const run of ['A', 'B'])
    await expect
      .poll(async () => {
        const words = await chart(page, /^Seek map/)
          .getByRole('img', { name: new RegExp(`Seek map of ${run}`) })
          .getAttribute('aria-label')
        return Number(/([\d,]+) requests?/.exec(words ?? '')?.[1]?.replaceAll(',', ''))
      })
      .toBeGreaterThan(0)
  const ticks = await page.locator('.time-axis-run').evaluateAll(axes => axes.map(axis => axis.textContent))
  expect(ticks[0]).not.toBe(ticks[1])
  expect(await violations(page)).toEqual([])

  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await expect(page.locator('.verdict-sentence')).toBeInViewport()
  await expect(page.locator('[data-evidence]')).toHaveCount(0)
  await expect.poll(hash).not.toMatch(/evidence=|[#&]t=/)

  for (const leave of [
    () => page.keyboard.press('0'),
    () => page.goBack(),
    () => page.keyboard.press('l'),
    () => page.keyboard.press('n'),
  ]) {
    await page.keyboard.press('e')
    await expect(bar).toBeVisible()
    await expect.poll(hash).toContain('evidence=1')
    await leave()
    await expect(bar).toHaveCount(0)
    await expect.poll(hash).not.toContain('evidence=')
    await page.keyboard.press('0')
    if ((await page.locator('.workspace').getAttribute('data-layout')) !== 'columns')
      await page.getByRole('group', { name: NAMES.layout }).getByRole('button', { name: 'Columns' }).click()
  }
})

test('a run that ends earlier is stretched over its plot, and one scale returns', async ({ page }) => {
  await sample(page)
  const stretch = page.getByRole('button', { name: NAMES.stretch('A') })
  const oneScale = page.getByRole('button', { name: NAMES.oneScale })
  const sunken = chart(page, /^Seek map/).locator('.plot-sunken')
  const lastTicks = () =>
    page
      .locator('.time-axis')
      .first()
      .locator('.time-axis-run')
      .evaluateAll(axes => axes.map(axis => [...axis.querySelectorAll('text')].at(-1)?.textContent))
  await expect(sunken).toHaveCount(1)
  expect(await lastTicks()).toEqual(['7', '7'])
  await stretch.click()
  await expect(oneScale).toBeFocused()
  await expect(sunken).toHaveCount(0)
  await expect(stretch).toHaveCount(0)
  expect(await lastTicks()).toEqual(['3.5', '7'])
  await expect(page.locator('.time-words')).toContainText('each over its own length')
  expect(await violations(page)).toEqual([])
  await oneScale.click()
  await expect(stretch).toBeFocused()
  expect(await lastTicks()).toEqual(['7', '7'])
  // A part has one scale, too.
  await stretch.click()
  await page.keyboard.press('w')
  await expect(oneScale).toHaveCount(0)
  await page.keyboard.press('0')
  await expect(stretch).toBeVisible()
})

test('a shared view of evidence opens with its sentence in sight, also on a phone', async ({ page }) => {
  await sample(page)
  await page.keyboard.press('e')
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('evidence=1')
  const url = page.url()
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const opened = await page.context().newPage()
    await opened.setViewportSize(size)
    await opened.goto(url)
    await expect(opened.locator('[data-evidence]')).toBeInViewport()
    await expect(opened.locator('.evidence-sentence')).toBeInViewport({ ratio: 1 })
    await opened.close()
  }
})

test('filters that nothing matches say so in each plot, and the axes stay', async ({ page }) => {
  await sample(page)
  await expect(page.getByRole('img', { name: /Seek map of B: 1,280 requests/ })).toBeVisible()
  const axis = (name: string | RegExp) => chart(page, name).locator('.value-axis').first().textContent()
  const before = await axis(/^Seek map/)
  await page
    .locator('.rail')
    .getByRole('checkbox', { name: /^write/ })
    .uncheck()
  for (const name of [/^Seek map/, 'Queue depth', 'Throughput', /^Latency$/])
    await expect(chart(page, name).locator('[data-no-match]')).toHaveCount(2)
  await expect(page.locator('[data-no-match]').first()).toContainText('write is off')
  expect(await axis(/^Seek map/)).toBe(before)
  expect(await page.locator('.chart-figure').allTextContents()).not.toContainEqual(expect.stringMatching(/\d/))
  expect(await page.locator('.chart-what').allTextContents()).not.toContainEqual(expect.stringMatching(/\d requests/))
  await expect(page.locator('.rail')).not.toContainText('yet')
  expect(await violations(page)).toEqual([])
  // The button inside the plot is reached by keyboard.
  await page.locator('[data-no-match]').first().getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-no-match]')).toHaveCount(0)
  await expect(page.getByRole('img', { name: /Seek map of B: 1,280 requests/ })).toBeVisible()
})

test('figures are those of the visible range; in evidence they are of the full run, and say so', async ({ page }) => {
  const names = [/^Seek map/, 'Queue depth', 'Throughput']
  const figure = (name: string | RegExp) => chart(page, name).locator('.chart-figure').first()
  await sample(page, '&t=1..2')
  await expect(page.locator('.verdict-range')).toContainText('only 1.00 to 2.00 s')
  for (const name of names) await expect(figure(name)).not.toContainText('full run')
  const ranged = await figure('Queue depth').innerText()
  await expect(page.getByRole('button', { name: /^Show evidence/ })).toBeVisible()
  await page.keyboard.press('e')
  for (const name of names) await expect(figure(name)).toContainText('full run')
  await page.keyboard.press('0')
  for (const name of names) await expect(figure(name)).not.toContainText('full run')
  await expect(figure('Queue depth')).not.toHaveText(ranged)
})

test('twelve runs have twelve colours, their pair in the rail, and what is not shown is said', async ({ page }) => {
  await page.goto('./')
  await drop(
    page,
    Array.from({ length: 12 }, (_, i) => recording('requeue', `bfq-idle-${String(i + 1).padStart(2, '0')}`)).flat(),
  )
  await waitForRuns(page, 12)
  const colours = await page
    .locator('.chip .badge')
    .evaluateAll(all => all.map(e => getComputedStyle(e).backgroundColor))
  expect(new Set(colours).size).toBe(12)
  await page.keyboard.press('2')
  await expect(page.getByRole('tabpanel')).toContainText('A to E of 12')
  await expect(page.locator('.rail .facet').first().locator('.badge')).toHaveText(['A', 'B'])
  const rail = await page.locator('.rail').evaluate(e => e.scrollWidth - e.clientWidth)
  expect(rail).toBe(0)
  expect(await truncatedTexts(page.locator('.chip .editable-text'))).toEqual([])
  const verdicts = page.locator('.differences-verdict').filter({ visible: true })
  await verdicts.last().scrollIntoViewIfNeeded()
  const hidden = await verdicts.evaluateAll(cells => {
    const right = document.querySelector('.differences-scroll')?.getBoundingClientRect().right ?? 0
    return cells.filter(cell => cell.getBoundingClientRect().right > right + 1 || cell.scrollWidth > cell.clientWidth)
      .length
  })
  expect(hidden).toBe(0)
  await page.keyboard.press('l')
  const entries = page.locator('.legend-item').filter({ hasText: /^[A-L] bfq-/ })
  await expect(entries.filter({ hasText: 'L bfq-idle-12' })).not.toHaveCount(0)
  const outside = await entries.evaluateAll(all =>
    all.flatMap(entry => {
      const chart = entry.closest('.chart-row')?.getBoundingClientRect()
      const { right } = entry.getBoundingClientRect()
      return chart === undefined || right > chart.right + 1 ? (entry.textContent ?? '') : []
    }),
  )
  expect(outside).toEqual([])
})

/** Opens two groups of three runs each. */
async function openGroups(page: Page, width: number) {
  await page.setViewportSize({ width, height: 900 })
  await page.goto('./')
  const repeats = ['requeue', 'partitions-bfq-1w', 'partitions-deadline-1w']
  await drop(
    page,
    ['old', 'new'].flatMap(side => repeats.flatMap((name, i) => recording(name, `${side}-run${i + 1}`))),
  )
  await waitForRuns(page, 6)
  await expect(page.locator('.chip[data-group]')).toHaveCount(6)
}

test('no figure of two groups lies below the verdicts at 1280 px', async ({ page }) => {
  await openGroups(page, 1280)
  const table = page.locator('.differences-scroll')
  await expect(table.locator('tbody').first()).toContainText('±')
  await expect(table.getByText('95% interval')).toBeVisible()
  await expect(table.locator('.differences-scale')).toBeHidden()
  expect(await table.evaluate(scroll => scroll.scrollWidth - scroll.clientWidth)).toBe(0)
})

for (const width of [1024, 1440])
  test(`each group has its bracket in a column of its own at ${width} px`, async ({ page }) => {
    await openGroups(page, width)
    const brackets = await page.locator('.chip[data-goes-on="false"]').evaluateAll(chips =>
      chips.map(chip => {
        const { left, right, top } = chip.getBoundingClientRect()
        const bracket = getComputedStyle(chip, '::before')
        return { top, left: left + Number.parseFloat(bracket.left), right: right - Number.parseFloat(bracket.right) }
      }),
    )
    expect(brackets).toHaveLength(2)
    expect(new Set(brackets.map(({ top }) => top)).size).toBe(1)
    expect(brackets[1]?.left).toBeGreaterThan(brackets[0]?.right ?? Number.POSITIVE_INFINITY)
    const line = await page.locator('.chips').evaluate(chips => {
      const { left, right } = chips.getBoundingClientRect()
      const { paddingLeft, paddingRight } = getComputedStyle(chips)
      return { left: left + Number.parseFloat(paddingLeft), right: right - Number.parseFloat(paddingRight) }
    })
    for (const { left, right } of brackets) {
      expect(left).toBeGreaterThanOrEqual(line.left)
      expect(right).toBeLessThanOrEqual(line.right)
    }
  })

/** A tar archive of files, in the order given. */
function tar(files: readonly Dropped[]): Buffer {
  const blocks = files.map(({ name, bytes }) => {
    const header = Buffer.alloc(512)
    header.write(name)
    header.write('0000644\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write(' '.repeat(8), 148)
    header.write('0', 156)
    header.write('ustar\u000000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

/** Drops an archive that ends within its recording; what could be read of it is there. */
async function dropCutArchive(page: Page) {
  const packed = gzipSync(tar(recording('partitions-bfq-1w')))
  await drop(page, [{ name: 'cut.tar.gz', bytes: packed.subarray(0, Math.floor(packed.length * 0.6)) }])
  await waitForRuns(page, 1)
}

test('half a run is called that, and its truncated archive is named as the reason', async ({ page }) => {
  await page.goto('./')
  await dropCutArchive(page)
  await expect(page.locator('.verdict-bar')).toContainText(/At least /)
  await expect(page.locator('[data-cut]')).toContainText('cut.tar.gz')
  // A truncated trace is said at once, with what could be read of it.
  const quality = page.getByRole('dialog')
  await expect(quality).toContainText(/Everything before the damage was read: \d.* s with [\d,]+ records\./)
  await expect(quality.getByRole('button', { name: NAMES.continuePartial })).toBeVisible()
  await expect(quality).toContainText('cut.tar.gz')
  await expect(quality.locator('[data-code="damaged-archive"], .facts-code').first()).toBeVisible()
  await expect(quality).not.toContainText('missing-cpus')
  await page.keyboard.press('Escape')
  await page.locator('.not-read').click()
  await expect(page.getByRole('dialog')).not.toContainText('Nothing that is shown')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('no chart of all runs leaves the page', async ({ page }) => {
    await page.goto('./')
    await drop(page, [...recording('requeue', 'requeue'), ...recording('io-errors', 'io-errors')])
    await waitForRuns(page, 2)
    const panels = page.locator('.panels')
    await expect(panels.getByRole('heading', { name: 'Latency by percentile' })).toBeVisible()
    // The sizes have come, with their table.
    await expect(panels.locator('.mail-table')).toContainText('1067')
    await expect(panels.locator('.stages')).toContainText('D2C 1.18')
    await waitUntilStill(page)
    const outside = await panels.locator('*').evaluateAll(all => {
      const room = document.querySelector('.body')?.getBoundingClientRect().right ?? 0
      return all.flatMap(element =>
        element.getBoundingClientRect().right > room ? [`${element.tagName} ${element.textContent}`] : [],
      )
    })
    expect(outside).toEqual([])
  })

  test('the chip says completely that a run is half a run', async ({ page }) => {
    await page.goto('./')
    await dropCutArchive(page)
    const verdict = page.locator('.chip-quality')
    await expect(verdict).toContainText('part of the run')
    const end = (box: Locator) => box.evaluate(element => element.getBoundingClientRect().right)
    expect(await end(verdict.locator('.chip-quality-text'))).toBeLessThanOrEqual((await end(verdict)) + 0.01)
  })
})
