/** Every chart saves itself: pictures that stand alone, and CSV whose sums are those of the summary. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import type { SummaryDevice, SummaryTrace } from '../../../web/engine/summary'
import { NAMES } from '../support/names'
import { chart, drop, paths, press, recording, violations, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'

const RECORDINGS = ['partitions-deadline-1w', 'partitions-bfq-1w'] as const

async function open(page: Page, names: readonly string[]) {
  await page.goto('./')
  for (const [i, name] of names.entries()) {
    await drop(page, recording(name, name))
    await waitForRuns(page, i + 1)
  }
}

const summary = (name: string): SummaryDevice => {
  const printed = execFileSync(process.execPath, ['cli/seekscope.mjs', 'summary', '--json', ...paths(name)], {
    encoding: 'utf8',
  })
  const device = (JSON.parse(printed) as { traces: SummaryTrace[] }).traces[0]?.devices[0]
  if (!device) throw new Error(`${name} has no device`)
  return device
}

async function save(page: Page, section: Locator, kind: 'CSV' | 'PNG' | 'SVG') {
  const button = section.locator('.chart-menu-button')
  if ((await button.getAttribute('aria-expanded')) !== 'true') await press(button)
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 30_000 }),
    press(section.getByRole('button', { name: kind })),
  ])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

/** Rows of a CSV without quotes within quotes, by column. */
function table(bytes: Buffer) {
  const lines = bytes.toString().split('\r\n')
  expect(lines.at(-1)).toBe('')
  const cells = lines
    .slice(0, -1)
    .map(line => [...line.matchAll(/"([^"]*)"|([^,]+)|(?<=^|,)(?=,|$)/g)].map(m => m[1] ?? m[2] ?? ''))
  const [names = [], ...rows] = cells
  for (const row of rows) expect(row).toHaveLength(names.length)
  return {
    names,
    rows,
    sum: (run: string, name: string) =>
      rows.filter(row => row[0] === run).reduce((n, row) => n + Number(row[names.indexOf(name)]), 0),
  }
}

const PAIR = { open: (page: Page) => open(page, RECORDINGS) }

const LETTERS = ['A', 'B'] as const

test.describe('two runs', () => {
  test.use({ topic: PAIR })

  test('every chart of every layout saves PNG and SVG that stand alone', async ({ page, context }) => {
    test.setTimeout(400_000)
    const { errors, foreign } = watch(page)
    const blank = await context.newPage()
    for (const layout of ['Columns', 'Overlay', 'Difference']) {
      await page.getByRole('group', { name: NAMES.layout }).getByRole('button', { name: layout }).click()
      await expect(page.getByRole('button', { name: layout })).toHaveAttribute('aria-pressed', 'true')
      const sections = page.locator('section.chart-row').filter({ has: page.locator('.chart-menu-button') })
      // The last chart of a layout to arrive: it would move the places of the others in the list.
      await expect(sections.getByRole('heading', { name: /^Throughput/ })).toBeVisible()
      await expect(sections.locator('canvas').first()).toBeVisible()
      for (const section of await sections.all()) {
        const title = (await section.getByRole('heading').first().textContent()) ?? ''
        const { bytes: svg, name } = await save(page, section, 'SVG')
        const { bytes: png } = await save(page, section, 'PNG')
        await page.keyboard.press('Escape')
        expect(name).toMatch(/\.svg$/)
        const size = /width="(\d+)" height="(\d+)"/.exec(svg.toString()) ?? []
        expect([png.readUInt32BE(16), png.readUInt32BE(20)], title).toEqual([Number(size[1]) * 2, Number(size[2]) * 2])
        expect(svg.toString(), title).not.toMatch(/var\(|https?:(?!\/\/www\.w3\.org)|class=/)
        const rendered = await blank.evaluate(
          async ({ svg, png }) => {
            const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml')
            const colours = async (address: string) => {
              const image = new Image()
              image.src = address
              await image.decode()
              const canvas = new OffscreenCanvas(image.width, image.height)
              const context = canvas.getContext('2d')
              context?.drawImage(image, 0, 0)
              const seen = new Set<number>()
              for (const pixel of new Uint32Array(
                context?.getImageData(0, 0, image.width, image.height).data.buffer ?? new ArrayBuffer(0),
              )) {
                if (seen.add(pixel).size > 8) break
              }
              return seen.size
            }
            return {
              wrong: parsed.querySelector('parsererror')?.textContent ?? undefined,
              text: [...parsed.querySelectorAll('text')].map(t => t.textContent).join('|'),
              svg: await colours(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`),
              png: await colours(`data:image/png;base64,${png}`),
            }
          },
          { svg: svg.toString(), png: png.toString('base64') },
        )
        expect(rendered.wrong, title).toBeUndefined()
        for (const words of [title.split(' ')[0] ?? '', ...RECORDINGS]) expect(rendered.text, title).toContain(words)
        expect(Math.min(rendered.svg, rendered.png), title).toBeGreaterThan(8)
      }
    }
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
  })

  test('the matrix saves its picture, with every cell', async ({ page }) => {
    await page.keyboard.press('m')
    const matrix = page.locator('section.matrix')
    const values = matrix.locator('.matrix-cell .matrix-value')
    await expect(values.nth(1)).toBeVisible()
    const cells = await values.count()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      matrix.getByRole('button', { name: 'SVG' }).click(),
    ])
    expect(saved.suggestedFilename()).toMatch(/-matrix-.+\.svg$/)
    const svg = readFileSync(await saved.path(), 'utf8')
    expect(svg.match(/<svg[^>]* viewBox="0 0 100 20"/g)).toHaveLength(cells)
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      matrix.getByRole('button', { name: 'PNG' }).click(),
    ])
    expect(readFileSync(await png.path()).readUInt32BE(16)).toBeGreaterThan(1000)
  })

  test('what many marks are is an image of twice the size; few are vectors', async ({ page }) => {
    const map = chart(page, /^Seek map/)
    const zoomed = (await save(page, map, 'SVG')).bytes.toString()
    expect(zoomed).toContain('<path fill=')
    expect(zoomed).not.toContain('<image')
  })

  test('on a phone the menu opens by keyboard, fits, and axe finds nothing', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const section = chart(page, /^Queue depth/)
    await press(section.locator('.chart-menu-button'))
    await expect(section.getByRole('button', { name: 'PNG' })).toBeInViewport()
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    const { bytes } = await save(page, section, 'PNG')
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(600)
    await page.keyboard.press('Escape')
    await expect(section.locator('.chart-menu-button')).toBeFocused()
  })
})

test('CSV adds up to the summary', async ({ page }) => {
  const names = ['ext4-buffered-6.1', 'ext4-buffered-6.12']
  await open(page, names)
  const figures = names.map(summary)
  const csv = async (title: string | RegExp) => {
    const { name, bytes } = await save(page, chart(page, title), 'CSV')
    await page.keyboard.press('Escape')
    return { name, ...table(bytes) }
  }
  const rate = await csv(/^Throughput/)
  expect(rate.name).toMatch(/^.+-throughput\.csv$/)
  const sizes = await csv(/^Request size/)
  const heat = await csv(/^Latency$/)
  const map = await csv(/^Seek map/)
  for (const [i, letter] of LETTERS.entries()) {
    const { bytes, latency_ns, sizes: exact, events } = figures[i] ?? summary('')
    expect(rate.sum(letter, 'write, bytes')).toBe(bytes?.write)
    expect(rate.sum(letter, 'read, bytes')).toBe(bytes?.read)
    const issued = exact.issued?.reduce((n, row) => n + row.reads + row.writes + row.discards, 0)
    expect(sizes.sum(letter, 'reads') + sizes.sum(letter, 'writes') + sizes.sum(letter, 'discards')).toBe(issued)
    expect(heat.sum(letter, 'requests')).toBe(latency_ns.q2c?.n)
    expect(map.rows.filter(row => row[0] === letter).every(row => row[1]?.startsWith(names[i] ?? ''))).toBe(true)
    expect(map.sum(letter, 'requests')).toBe(events.D)
  }
})
