/** What several end-to-end tests need: recordings, drops, and words for what is on the page. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { expect, type JSHandle, type Locator, type Page } from '@playwright/test'
import { NAMES } from './names'

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), '../../fixtures')

export interface Dropped {
  readonly name: string
  readonly bytes: Buffer
}

/** The per-CPU files of a recording; `base` gives them another base name. */
export function recording(name: string, base?: string): Dropped[] {
  const folder = join(FIXTURES, name)
  return readdirSync(folder)
    .filter(file => file.includes('.blktrace.'))
    .sort()
    .map(file => ({ name: base ? file.replace(/^[^.]+/, base) : file, bytes: readFileSync(join(folder, file)) }))
}

/** Paths of a recording's per-CPU files, for file pickers. */
export const paths = (name: string): string[] => {
  const folder = join(FIXTURES, name)
  return readdirSync(folder)
    .filter(file => file.includes('.blktrace.'))
    .map(file => join(folder, file))
}

/** Drags files over the page and lets them go. */
export async function drop(page: Page, files: readonly Dropped[]) {
  const transfer = await page.evaluateHandle(
    dropped => {
      const data = new DataTransfer()
      for (const { name, text } of dropped) {
        const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0))
        data.items.add(new File([bytes], name, { lastModified: 0 }))
      }
      return data
    },
    files.map(f => ({ name: basename(f.name), text: f.bytes.toString('base64') })),
  )
  await release(page, transfer)
  await transfer.dispose()
}

/** Drags and drops a data transfer that was made in the page. */
export async function release(page: Page, dataTransfer: JSHandle<DataTransfer>) {
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer })
}

/** The chip of a run, in the row above the charts. */
export const chip = (page: Page, letter: string): Locator => page.locator(`.chip[data-run="${letter}"]`)

/** Waits until so many runs are read to their end. */
export async function waitForRuns(page: Page, runs: number) {
  await expect(page.locator('.chip')).toHaveCount(runs)
  await expect(page.locator('.chip .chip-quality')).toHaveCount(runs, { timeout: 100_000 })
}

/** The sentence of the verdict. The bar of runs that are not compared yet has a sentence, too: that one is replaced. */
export const verdictSentence = (page: Page) =>
  page.getByRole('region', { name: NAMES.verdict, exact: true }).locator('.verdict-sentence')

/** Waits until this browser keeps the open files: a reload opens them again, and the browser asks nothing before. */
export async function waitUntilKept(page: Page) {
  const loses = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  await expect.poll(loses).toBe(false)
  await expect.poll(() => page.evaluate(() => 'stored' in (history.state ?? {}))).toBe(true)
}

/** Enters the geometry of the RAID 5 recordings. */
export async function setGeometry(page: Page) {
  await page.keyboard.press('g')
  const dialog = page.getByRole('dialog', { name: NAMES.geometry })
  await dialog.getByLabel(NAMES.level).selectOption('raid5')
  await dialog.getByLabel(NAMES.stripeUnit).fill('256KiB')
  await dialog.getByLabel(NAMES.dataDisks).fill('4')
  await dialog.getByLabel(NAMES.start).fill('0')
  await dialog.getByRole('button', { name: NAMES.apply }).click()
}

/** The button of a layout by its accessible name, `Overlay`. */
export const layout = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: NAMES.layout }).getByRole('button', { name })

/** The row of a chart with its head, by its title. */
export const chart = (page: Page, title: string | RegExp): Locator =>
  page.locator('section.chart-row').filter({ has: page.getByRole('heading', { name: title }) })

/** Issues of requests in per-CPU files, counted here without the engine. */
export function issues(files: readonly { bytes: Buffer }[]): number {
  let n = 0
  for (const { bytes } of files) {
    for (let offset = 0; offset + 48 <= bytes.length; offset += 48 + bytes.readUInt16LE(offset + 46)) {
      const action = bytes.readUInt32LE(offset + 28)
      if ((action & 0x0400_0000) === 0 && (action & 0xff) === 7) n++
    }
  }
  return n
}

/** The seek maps in words, once each of them shows all its requests: so many, in any order. */
export async function maps(page: Page, requests: readonly number[]): Promise<readonly string[]> {
  const readWords = () =>
    chart(page, /Seek map/)
      .getByRole('img')
      .evaluateAll((images: Element[]) => images.map(e => e.getAttribute('aria-label') ?? ''))
  const counts = (labels: readonly string[]) =>
    labels.map(words => Number(/([\d,]+) requests?/.exec(words)?.[1]?.replaceAll(',', '')))
  const sorted = (list: readonly number[]) => list.toSorted((x, y) => x - y)
  // Words of a picture of what was read so far can have the right counts: the last ones stay.
  let words: readonly string[] = []
  const stay = async () => {
    const previous = words
    words = await readWords()
    return { stay: isDeepStrictEqual(words, previous), counts: sorted(counts(words)) }
  }
  await expect.poll(stay).toEqual({ stay: true, counts: sorted(requests) })
  return words
}

/** Presses a button by keyboard. */
export async function press(button: Locator) {
  await button.focus()
  await button.press('Enter')
}

/** Collects what must not happen on any page: exceptions, and requests to other hosts. */
export function watch(page: Page): { readonly errors: string[]; readonly foreign: string[] } {
  const errors: string[] = []
  const foreign: string[] = []
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('request', request => {
    const { protocol, host } = new URL(request.url())
    if (/^https?:$/.test(protocol) && host !== new URL(page.url() === 'about:blank' ? request.url() : page.url()).host)
      foreign.push(request.url())
  })
  return { errors, foreign }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[]
}

interface Scope {
  /** Selector of a part of the page, when the rest has been checked. */
  readonly within?: string | undefined
  /** Only these rules of axe are checked. */
  readonly rules?: readonly string[]
}

/** Violations that axe finds, one line each. */
export async function violations(page: Page, scope: Scope = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  // Halfway through a change of colours their contrast is anything.
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    await Promise.all(
      document
        .getAnimations()
        .map(animation => animation instanceof CSSTransition && animation.finished.catch(() => undefined)),
    )
  })
  const found = await page.evaluate(async ({ within, rules }) => {
    const { axe } = window as unknown as {
      axe: { run(part: unknown, options: object): Promise<{ violations: Violation[] }> }
    }
    return (await axe.run(within ?? document, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }))
      .violations
  }, scope)
  return found.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`)
}
