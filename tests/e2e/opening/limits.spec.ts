/**
 * Doors that only the page has, at their worst: addresses, messages and drops. Files have their worst cases in
 * `bench/limits`.
 */
import { expect, type Page } from '@playwright/test'
import { release, watch } from '../support/page'
import { test } from '../support/recorded'

/**
 * The rule of docs/security.md: a megabyte of input, or as many files, may take so long; and so long between two
 * frames, s.
 */
const LONGEST = { all: 20, frame: 5 }

test.use({ fresh: true })

/** Counts the longest time between two frames from now on. */
const follow = (page: Page) =>
  page.addInitScript(() => {
    let last = performance.now()
    Object.assign(window, { longestFrame: 0 })
    const step = () => {
      const now = performance.now()
      Object.assign(window, { longestFrame: Math.max(Reflect.get(window, 'longestFrame'), now - last) })
      last = now
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })

async function expectFast(page: Page, name: string, work: () => Promise<void>) {
  const begin = performance.now()
  await work()
  expect((performance.now() - begin) / 1000, `${name}, s`).toBeLessThan(LONGEST.all)
  expect(
    (await page.evaluate(() => Reflect.get(window, 'longestFrame'))) / 1000,
    `${name}, longest frame, s`,
  ).toBeLessThan(LONGEST.frame)
}

test('addresses of a megabyte', async ({ page }) => {
  const { errors } = watch(page)
  await follow(page)
  const repeat = (n: number, field: (i: number) => string) => Array.from({ length: n }, (_, i) => field(i)).join('&')
  const addresses = {
    'a long title': `title=${'x'.repeat(1_000_000)}`,
    'one field many times': repeat(140_000, () => 't=1..2'),
    'labels of runs that are not there': repeat(70_000, i => `label.A${i}=b`),
    'a long list of URLs': repeat(20_000, i => `url=https%3A%2F%2Felsewhere.example%2F${i}.tar.gz`),
    'many annotations': repeat(20_000, i => `note=A,${i}..${i + 1},${i},${'b'.repeat(20)}:text`),
    // Fields of maximum length that consist of combining marks and changes of direction.
    'long annotations': repeat(22, () => `note=A,1:${'x\u0301\u202e'.repeat(2600)}`),
    'percent signs': `title=${'%'.repeat(1_000_000)}`,
  }
  for (const [name, fragment] of Object.entries(addresses)) {
    await page.goto('about:blank')
    await expectFast(page, name, async () => {
      await page.goto(`./#v=1&${fragment}`)
      await expect(page.getByRole('banner').or(page.getByRole('main')).first()).toBeVisible()
    })
  }
  expect(errors).toEqual([])
})

test('a drop of many small files', async ({ page }) => {
  const { errors } = watch(page)
  await follow(page)
  await page.goto('./')
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    for (let i = 0; i < 1000; i++)
      data.items.add(new File([`${i} is no trace`], `run${i % 100}.blktrace.${i}`, { lastModified: 0 }))
    return data
  })
  await expectFast(page, 'the drop', async () => {
    await release(page, transfer)
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: LONGEST.all * 1000 })
  })
  expect(errors).toEqual([])
})

test('a message with many small files', async ({ page }) => {
  await follow(page)
  await page.route('**/beside.html', route =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>beside</title>' }),
  )
  await page.goto('./beside.html')
  await expectFast(page, 'the message', async () => {
    const answer = await page.evaluate(async () => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      frame.src = './'
      const reply = (id: string) =>
        new Promise<unknown>(resolve =>
          addEventListener('message', event => event.data.id === id && resolve(event.data)),
        )
      const ready = reply('hello')
      const timer = setInterval(
        () => frame.contentWindow?.postMessage({ seekscope: 1, type: 'hello', id: 'hello' }, location.origin),
        100,
      )
      await ready
      clearInterval(timer)
      const answer = reply('many')
      const files = Array.from({ length: 1000 }, (_, i) => ({
        name: `run${i % 100}/trace.blktrace.${i}`,
        buffer: new ArrayBuffer(64),
      }))
      frame.contentWindow?.postMessage({ seekscope: 1, type: 'open', id: 'many', files }, location.origin)
      return answer
    })
    expect(answer).toMatchObject({ seekscope: 1, type: expect.stringMatching(/failed|refused/) })
  })
})
