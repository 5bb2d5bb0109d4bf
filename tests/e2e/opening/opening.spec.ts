import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { generate } from '../../../bench/lib/generate.mjs'
import { NAMES } from '../support/names'
import { chart, chip, drop, issues, paths, recording, waitForRuns, watch } from '../support/page'
import { test } from '../support/recorded'
import { temporaryFolder } from '../support/temporary'

const requests = (n: number) => new RegExp(`\\b${n.toLocaleString('en')} requests`)

test('one trace by the file picker', async ({ page }) => {
  const { errors, foreign } = watch(page)
  await page.goto('./')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: NAMES.openFiles }).first().click()
  await (await chooser).setFiles(paths('requeue'))
  await waitForRuns(page, 1)
  await expect(chart(page, /Seek map/).getByRole('img')).toHaveAttribute('aria-label', requests(1024))
  await expect(page.locator('.second-trace')).toBeVisible()
  expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
})

test('two traces in one drop, side by side on the same axes', async ({ page }) => {
  const { errors } = watch(page)
  const [a, b] = [recording('partitions-bfq-1w', 'bfq'), recording('partitions-deadline-1w', 'deadline')]
  await page.goto('./')
  await drop(page, [...a, ...b])
  await waitForRuns(page, 2)
  await expect(chip(page, 'A')).toContainText('bfq')
  await expect(chip(page, 'B')).toContainText('deadline')
  const maps = chart(page, /Seek map/).getByRole('img')
  await expect(maps).toHaveCount(2)
  await expect(maps.nth(0)).toHaveAttribute('aria-label', requests(issues(a)))
  await expect(maps.nth(1)).toHaveAttribute('aria-label', requests(issues(b)))
  await expect(page.getByRole('heading', { name: NAMES.differences })).toBeAttached()
  expect(errors).toEqual([])
})

test('per-CPU files of two traces, mixed, under the same names', async ({ page }) => {
  const [a, b] = [recording('sync-fua'), recording('write-zeroes')]
  await page.goto('./')
  // cpu 0 of both, then cpu 1 of both.
  await drop(
    page,
    [a[0], b[0], b[1], a[1]].flatMap(f => f ?? []),
  )
  await waitForRuns(page, 2)
  const counts = async () => {
    const labels = await chart(page, /Seek map/)
      .getByRole('img')
      .evaluateAll((all: Element[]) => all.map(e => e.getAttribute('aria-label') ?? ''))
    return labels.map(label => Number(/([\d,]+) requests/.exec(label)?.[1]?.replace(',', ''))).sort((x, y) => x - y)
  }
  await expect.poll(counts).toEqual([issues(b), issues(a)].sort((x, y) => x - y))
})

test('a second trace joins a page that has one; its first sample gives way', async ({ page }) => {
  await page.goto('./')
  await drop(page, recording('io-errors', 'bad'))
  await waitForRuns(page, 1)
  await drop(page, recording('write-zeroes', 'zeroes'))
  await waitForRuns(page, 2)
  await expect(chip(page, 'A')).toContainText('bad')
  await expect(chip(page, 'B')).toContainText('zeroes')
})

test('a text beside a trace is its note, not fatal', async ({ page }) => {
  await page.goto('./')
  await drop(page, [...recording('io-errors'), { name: 'README.md', bytes: Buffer.from('# notes\n') }])
  await waitForRuns(page, 1)
  await chip(page, 'A')
    .getByRole('button', { name: NAMES.notes(1) })
    .click()
  await expect(page.getByRole('dialog')).toContainText('README.md')
})

test.describe('a large trace', () => {
  test.use({ fresh: true })
  const folder = temporaryFolder('e2e')
  const files = [0, 1, 2, 3].map(cpu => join(folder, `trace.blktrace.${cpu}`))
  test.beforeAll(() => {
    generate(folder, 1_500_000, 'deep')
    for (const file of files) expect(readFileSync(file).length).toBeGreaterThan(1e6)
  })

  async function begin(page: import('@playwright/test').Page, selected: readonly string[] = files) {
    await page.goto('./')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: NAMES.openFiles }).first().click()
    await (await chooser).setFiles([...selected])
  }

  test('shows progress and a picture while it is read, then all of it', async ({ page }) => {
    // What is read within two seconds has no pictures before.
    const larger = join(folder, 'larger')
    const { files } = generate(larger, 15_000_000, 'deep')
    await page.addInitScript(() => {
      const samples: { percent: number; map: string }[] = []
      Object.assign(window, { seen: samples })
      new MutationObserver(() => {
        const bar = document.querySelector('.chip progress')
        if (!(bar instanceof HTMLProgressElement)) return
        const map = document.querySelector('.plot [role=img]')?.getAttribute('aria-label') ?? ''
        samples.push({ percent: bar.value, map })
      }).observe(document, { subtree: true, childList: true, attributes: true })
    })
    await begin(page, files)
    await waitForRuns(page, 1)
    rmSync(larger, { recursive: true })
    const samples = await page.evaluate(() => (window as unknown as { seen: { percent: number; map: string }[] }).seen)
    expect(new Set(samples.map(s => s.percent)).size).toBeGreaterThan(2)
    expect(samples.some(s => s.percent < 100 && /[1-9][\d,]* requests/.test(s.map))).toBe(true)
    await expect(chart(page, /Seek map/).getByRole('img')).toHaveAttribute('aria-label', /as a density/)
  })

  test('is read by all cores, with the figures of one', async ({ page }) => {
    const read = async (cores: number) => {
      await page.addInitScript(cores => {
        Object.defineProperty(navigator, 'hardwareConcurrency', { value: cores, configurable: true })
        const sections: number[] = []
        Object.assign(window, { sections })
        const Own = window.Worker
        window.Worker = class extends Own {
          constructor(...options: ConstructorParameters<typeof Worker>) {
            super(...options)
            this.addEventListener('message', ({ data }) => {
              if (data.type === 'section') sections.push(data.section?.byteLength ?? 0)
            })
          }
        }
      }, cores)
      await begin(page)
      await waitForRuns(page, 1)
      const sections = await page.evaluate(() => (window as unknown as { sections: number[] }).sections)
      const map = chart(page, /Seek map/).getByRole('img')
      // The map of everything, which is asked for when all is read.
      await expect(map).toHaveAttribute('aria-label', requests(337_479))
      await expect(page.getByRole('tab', { name: /^What held it back \d/ })).toBeVisible()
      return { sections, words: await page.locator('.head').innerText(), map: await map.getAttribute('aria-label') }
    }
    const single = await read(2)
    expect(single.sections).toEqual([])
    // A helper that gets no core in time leaves all sections to the first worker.
    let two = await read(3)
    for (let attempt = 0; attempt < 3 && two.sections.length === 0; attempt++) two = await read(3)
    expect(two.sections).toHaveLength(1)
    expect(two.sections[0]).toBeGreaterThan(1e6)
    expect([two.words, two.map]).toEqual([single.words, single.map])
  })

  test('stops when it is cancelled', async ({ page }) => {
    // Pressed from within the page: a click from outside may arrive when the trace has been read.
    await page.addInitScript(name => {
      const observer = new MutationObserver(() => {
        const button = [...document.querySelectorAll('button')].find(button => button.textContent === name)
        if (!button) return
        observer.disconnect()
        button.click()
      })
      observer.observe(document, { childList: true, subtree: true })
    }, NAMES.cancel)
    await begin(page)
    await expect(page.locator('.drop-zone')).toBeVisible()
    await expect(page.locator('.chip')).toHaveCount(0)
  })
})
