/** The head of the page: the verdict, the panel, terms that explain themselves, and what `Ctrl K` finds. */
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chart, drop, recording, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

const IDLING = {
  async open(page: Page) {
    await page.goto('./#v=1&sample=idling')
    await waitForRuns(page, 2)
    await expect(page.locator('.finding-row')).toHaveCount(4)
  },
}

/** Charts whose head and plots are completely within the part of the page that scrolls. */
const wholeCharts = (page: Page) =>
  page.locator('.body').evaluate(body => {
    const { top, bottom } = body.getBoundingClientRect()
    return [...body.querySelectorAll('.chart-row')].filter(row => {
      const box = row.getBoundingClientRect()
      return box.height > 0 && box.top >= top && box.bottom <= bottom + 1
    }).length
  })

test.describe('two runs', () => {
  test.use({ topic: IDLING })

  test('the first screen has the verdict and three rows of charts', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(() => wholeCharts(page)).toBeGreaterThanOrEqual(3)
    const bar = await page.getByRole('region', { name: NAMES.verdict }).boundingBox()
    expect(bar?.height).toBeLessThanOrEqual(96)
    const facts = page.locator('.verdict-facts')
    await expect(facts).toContainText(/slower, \u221248%.*1\.30 \u2192 0\.675 MB\/s/)
    await expect(facts).toContainText('same work, 5 MiB')
    // Names of runs are not in the sentence, but whoever cannot see the badges hears them.
    await expect(page.locator('.verdict-sentence .side-badge').first()).toHaveAttribute('title', /slice_idle 8/)
    await expect(page.locator('.verdict-sentence .visually-hidden').first()).toHaveText(/slice_idle 8/)
  })

  test('the sentence stays in sight while the page is scrolled, and moves nothing', async ({ page }) => {
    const height = () => page.locator('.body').evaluate(body => body.scrollHeight)
    const before = await height()
    await expect(page.locator('.pinned-sentence p')).toHaveCount(0)
    await page.locator('.body').evaluate(body => body.scrollTo(0, 600))
    await expect(page.locator('.pinned-sentence p')).toBeInViewport()
    await expect(page.locator('.pinned-sentence p')).toContainText('19.5%')
    expect(await height()).toBe(before)
    await page.locator('.body').evaluate(body => body.scrollTo(0, 0))
    await expect(page.locator('.pinned-sentence p')).toHaveCount(0)
  })

  test('tabs by key and by arrows; folded and the open tab are kept', async ({ page }) => {
    const tab = (name: RegExp) => page.getByRole('tab', { name })
    for (const [key, name, text] of [
      ['2', /^Figures \d+/, 'Queue depth, mean'],
      ['3', /^Where the time went/, 'took longer, in all'],
      ['4', /^Settings/, 'seekscope-record'],
      ['5', /^Who/, 'share of the starved time'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(tab(name)).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('tabpanel')).toContainText(text)
      expect(await violations(page, { within: '.panel' }), text).toEqual([])
    }
    await tab(/^Who/).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(tab(/^Settings/)).toBeFocused()
    await page.keyboard.press('p')
    await expect(page.getByRole('tabpanel')).toBeHidden()
    await page.reload()
    await waitForRuns(page, 2)
    await expect(page.getByRole('button', { name: /^Unfold/ })).toBeVisible()
    await page.keyboard.press('p')
    await expect(tab(/^Settings/)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('1')
  })

  test('a row of the findings becomes the sentence, by pointer and by arrows', async ({ page }) => {
    const row = page.locator('.finding-row')
    await row.nth(2).click()
    await expect(page.locator('.verdict-sentence')).toContainText('15.3 ms')
    await expect(row.nth(2)).toHaveAttribute('aria-current', 'true')
    await page.keyboard.press('ArrowUp')
    await expect(row.nth(1)).toBeFocused()
    await expect(page.locator('.verdict-sentence')).toContainText('0.839 requests in flight')
    await expect(row.nth(0)).toContainText(/2\.93%.*19\.5%.*\u00d76\.68.*worse/)
  })
})

test.describe('the rail and menus of two runs', () => {
  test.use({ topic: IDLING })

  test('the rail folds to nothing and comes back, and the choice is kept', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const rail = page.locator('.rail')
    const left = () => page.locator('.body').evaluate(body => body.getBoundingClientRect().x)
    await page.getByRole('button', { name: NAMES.foldFilters }).click()
    await expect(rail).toBeHidden()
    expect(await left()).toBe(0)
    await expect(page.getByRole('button', { name: NAMES.showFilters })).toBeFocused()
    await page.reload()
    await waitForRuns(page, 2)
    await expect(rail).toBeHidden()
    expect(await violations(page, { within: '.bar' })).toEqual([])
    await page.getByRole('button', { name: NAMES.showFilters }).click()
    await expect(page.getByRole('button', { name: NAMES.foldFilters })).toBeFocused()
    await page.keyboard.press('[')
    await expect(rail).toBeHidden()
    await page.keyboard.press('[')
    await expect(rail).toBeVisible()
    expect(await left()).toBe(208)
  })

  test('the menu of a chart is completely in the window, above the timeline', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: NAMES.chartMenu('Throughput') }).click()
    const link = page.locator('.chart-menu-panel').getByRole('link')
    await expect(page.locator('.chart-menu-panel')).toBeInViewport({ ratio: 1 })
    expect(
      await link.evaluate(element => {
        const { left, top, height } = element.getBoundingClientRect()
        return document.elementFromPoint(left + 4, top + height / 2) === element
      }),
    ).toBe(true)
    await page.keyboard.press('Escape')
  })

  test('rows of the rail stay with 0 in a range without their requests', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const names = page.locator('.rail .facet-label')
    const counts = page.locator('.facet-row', { hasText: 'vda4' }).locator('.facet-count')
    await expect(counts).toHaveText(['320', '320'])
    const all = await names.allTextContents()
    await page.goto('./#v=1&sample=idling&t=0..0.03')
    await waitForRuns(page, 2)
    await expect(page.locator('.rail-range')).toBeVisible()
    await expect(counts).toHaveText(['0', '0'])
    await expect(names).toHaveText(all)
    await page.keyboard.press('0')
  })
})

test.describe('words and tables of two runs', () => {
  test.use({ topic: IDLING })

  test('terms have a sentence on hover and on focus, which Esc closes', async ({ page }) => {
    const tip = page.getByRole('tooltip')
    await page.locator('.rail .term', { hasText: 'FUA' }).hover()
    await expect(tip).toHaveText(/^Forced unit access/)
    await page.keyboard.press('2')
    // The name of a figure is one stop of the Tab key, also where there is a term in it.
    const name = page.locator('.main-figures').getByRole('button', { name: /D2C/ })
    await name.focus()
    await expect(tip).toHaveText('From issue (D) to completion (C): the time in the device.')
    await expect(name).toHaveAttribute('aria-describedby', 'term-tip')
    await page.keyboard.press('Escape')
    await expect(tip).toBeHidden()
    await page.keyboard.press('1')
  })

  test('the name of a figure says what it is, and leads to its chart and its definition', async ({ page }) => {
    await page.keyboard.press('2')
    const name = page.locator('.main-figures').getByRole('button', { name: /^Queue depth/ })
    await name.click()
    const definition = page.getByRole('dialog', { name: 'Queue depth, mean' })
    await expect(definition).toContainText('Requests that were issued to the device and are not completed.')
    await expect(page.getByRole('tooltip')).toHaveCount(0)
    await expect(definition.getByRole('link', { name: 'Definition' })).toHaveAttribute(
      'href',
      'docs/measures.html#queue-depth',
    )
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(definition).toHaveCount(0)
    await expect(name).toBeFocused()

    await page.keyboard.press('Enter')
    await definition.getByRole('button', { name: 'Show the chart' }).click()
    await expect(definition).toHaveCount(0)
    await expect(page.getByRole('group', { name: NAMES.plot('Queue depth', 'A') })).toBeFocused()
    await expect(chart(page, 'Queue depth')).toBeInViewport()
    await page.keyboard.press('1')
  })

  test('names in the table of differences lead to charts that another layout lacks', async ({ page }) => {
    await page.getByRole('button', { name: 'Difference', exact: true }).click()
    const name = page.locator('.differences tr[data-key="q2g.mean"]').getByRole('button')
    await page.getByRole('button', { name: /^Show \d+ figures? that/ }).click()
    await name.click()
    await page.getByRole('dialog', { name: 'Q2G, mean' }).getByRole('button', { name: 'Show the chart' }).click()
    await expect(chart(page, 'Where the time goes')).toBeInViewport()
    await expect(chart(page, 'Where the time goes')).toBeFocused()
    await page.getByRole('button', { name: /^Hide figures that/ }).click()
  })

  test('Ctrl K finds commands, figures and processes, and does what they say', async ({ page }) => {
    const field = page.getByRole('combobox', { name: /^Find/ })
    const find = async (text: string) => {
      await page.keyboard.press('Control+k')
      await expect(field).toBeFocused()
      await field.fill(text)
    }
    await find('evidence of the finding')
    expect(await violations(page, { within: 'dialog' })).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Evidence' })).toBeVisible()
    await page.keyboard.press('Escape')

    await find('starved time')
    await page.keyboard.press('Enter')
    await expect(page.locator('.differences tr[data-key="starved.share"]')).toBeInViewport()

    await find('only dd vda1')
    await page.keyboard.press('Enter')
    await expect(
      chart(page, /^Seek map/)
        .getByRole('img')
        .first(),
    ).toHaveAttribute('aria-label', /320 requests/)
    await page.keyboard.press('c')

    await find('no such thing')
    await expect(page.getByRole('dialog')).toContainText('Nothing matches')
    await page.keyboard.press('Escape')
    await expect(field).toHaveCount(0)
  })

  test('the table of differences folds what is noise, and sorts by its headings', async ({ page }) => {
    const table = page.getByRole('region', { name: NAMES.differencesTable })
    const noise = table.locator('tr[data-unchanged="true"]')
    expect(await noise.count()).toBeGreaterThan(0)
    await expect(noise.first()).toBeHidden()
    await page.getByRole('button', { name: /^Show \d+ figures/ }).click()
    await expect(noise.first()).toBeVisible()
    await expect(table.getByRole('rowheader', { name: 'Work and rates' })).toBeVisible()
    await table.getByRole('button', { name: 'B / A' }).click()
    await expect(table.getByRole('columnheader', { name: 'B / A' })).toHaveAttribute('aria-sort', 'descending')
    await expect(table.getByRole('rowheader', { name: 'The largest changes first' })).toBeVisible()
    await table.getByRole('button', { name: 'Metric' }).click()
    await page.getByRole('button', { name: /^Hide figures/ }).click()
  })
})

test('long names: chips show what differs, and the sentence has badges', async ({ page }) => {
  await page.goto('./')
  const name = (kernel: string) => `ext4-buffered-writeback-4k-random-nvme0n1-linux-${kernel}-mq-deadline`
  await drop(page, [
    ...recording('ext4-buffered-6.1', name('6.1.0-47-amd64')),
    ...recording('ext4-buffered-6.12', name('6.12.113+deb12')),
  ])
  await waitForRuns(page, 2)
  const titles = page.locator('.chip .editable-text')
  await expect(titles.first()).toContainText('6.1.0-47')
  await expect(titles.last()).toContainText('6.12.113+deb12')
  for (const title of await titles.all())
    expect(await title.evaluate(text => text.scrollWidth <= text.clientWidth)).toBe(true)
  const bar = await page.getByRole('region', { name: NAMES.verdict }).boundingBox()
  expect(bar?.height).toBeLessThanOrEqual(130)
})
