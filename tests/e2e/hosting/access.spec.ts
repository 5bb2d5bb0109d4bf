/** The page without a mouse, at 200 % zoom, and with reduced motion. */
import { expect, type Page } from '@playwright/test'
import { chart, violations, waitForRuns } from '../support/page'
import { test } from '../support/recorded'

async function openSample(page: Page) {
  await page.goto('./#v=1&sample=idling')
  await waitForRuns(page, 2)
  await expect(page.locator('.finding-row').first()).toBeAttached()
  await expect(page.getByRole('img', { name: /Seek map of B: 1,280 requests/ })).toBeAttached()
  await expect(page.getByRole('heading', { name: 'Slowest requests' })).toBeAttached()
}

/** Controls that Tab must reach: visible, enabled, and not one of a group that arrows move in. */
const CONTROLS = 'button, select, input, textarea, a[href], summary, [tabindex]'

/** Numbers each control, so that it is recognised when it has the focus. */
const numberControls = (page: Page) =>
  page.evaluate(selector => {
    const isReachable = (element: HTMLElement) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled, [inert] *') &&
      element.checkVisibility({ visibilityProperty: true })
    const controls = [...document.querySelectorAll<HTMLElement>(selector)].filter(isReachable)
    return controls.map((control, i) => {
      control.dataset.stop = String(i)
      return `${i} ${control.tagName} ${control.getAttribute('aria-label') ?? control.textContent?.trim().slice(0, 30)}`
    })
  }, CONTROLS)

/** The number of the control that has the focus, and whether a ring shows it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const control = document.activeElement as HTMLElement
    const hasRing = (element: Element | null): boolean => {
      if (element === null) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
    }
    // A check box may show the focus at its label, a plot at its frame.
    const shows = [control, control.parentElement, control.closest('label')].some(hasRing)
    return { stop: control.dataset.stop, shows, name: control.outerHTML.slice(0, 120) }
  })

test('Tab reaches every control, and each one shows that it has the focus', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openSample(page)
  const controls = await numberControls(page)
  expect(controls.length).toBeGreaterThan(60)
  await page.locator('body').focus()
  const reached = new Set<string>()
  const hidden: string[] = []
  for (let i = 0; i < 2 * controls.length; i++) {
    await page.keyboard.press('Tab')
    const { stop, shows, name } = await focused(page)
    if (stop !== undefined && reached.has(stop)) break
    if (stop !== undefined) reached.add(stop)
    if (stop !== undefined && !shows) hidden.push(name)
  }
  expect(hidden, 'controls without a visible focus').toEqual([])
  const missed = controls.filter(control => !reached.has(control.split(' ')[0] ?? ''))
  expect(missed, 'controls that Tab passes over').toEqual([])
})

test('at 200 % zoom nothing sticks out, and the sentence and the charts are in sight', async ({ page }) => {
  // 1440 x 900 at 200 % has so many CSS px.
  await page.setViewportSize({ width: 720, height: 450 })
  for (const hash of ['./', './#v=1&sample=idling']) {
    await page.goto('about:blank')
    await page.goto(hash)
    if (hash !== './') await openSample(page)
    await expect(page.getByRole('banner').or(page.getByRole('main')).first()).toBeVisible()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wide, `${hash} is wider than the window`).toBeLessThanOrEqual(0)
    expect(await violations(page), hash).toEqual([])
  }
  await expect(page.locator('.verdict-sentence')).toBeInViewport()
  const plot = chart(page, /Seek map/)
    .locator('.plot')
    .first()
  await plot.scrollIntoViewIfNeeded()
  await expect(plot).toBeInViewport({ ratio: 0.5 })
})

test('with reduced motion nothing moves by itself', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openSample(page)
  /** Animations and transitions that take longer than two frames. */
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(animation => Number(animation.effect?.getComputedTiming().duration ?? 0) > 34)
        .map(animation => (animation.effect as KeyframeEffect | null)?.target?.className ?? ''),
    )
  for (const key of ['e', 'Escape', 'n', 'w', '0', 'l', 'l', 'l', '?', 'Escape', 'Control+k', 'Escape', 'Shift+1']) {
    await page.keyboard.press(key)
    expect(await moving(), key).toEqual([])
  }
})
