/**
 * The page that tests of a worker share: what it has loaded and compiled once stays, but nothing that a test did in it.
 */
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'

/** What several tests look at. The first of them opens it; the others find it as it was then. */
export interface Topic {
  open(page: Page): Promise<void>
}

export interface SharedPage {
  readonly context: BrowserContext
  /** The page, empty or with the topic open. */
  begin(topic: Topic | undefined): Promise<Page>
}

/** What is open, and the fragment of the address at which a test finds it. */
interface Start {
  readonly topic: Topic
  readonly fragment: string
  readonly runs: readonly string[]
}

const runs = (page: Page): Promise<string[]> =>
  page.locator('.chip').evaluateAll(all => all.map(chip => chip.textContent ?? ''))

/**
 * Shows the view of a start as the back button would: whatever the test before did to it, except for its runs. False
 * when these are not the same any more.
 */
async function showStart(page: Page, { fragment, runs: expectedRuns }: Start): Promise<boolean> {
  for (let i = 0; i < 3 && (await page.getByRole('dialog').count()) > 0; i++) await page.keyboard.press('Escape')
  if ((await page.getByRole('dialog').count()) > 0) return false
  await page.mouse.move(0, 0)
  await page.evaluate(fragment => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    history.replaceState(null, '', fragment)
    dispatchEvent(new PopStateEvent('popstate'))
    for (const element of document.querySelectorAll('*')) if (element.scrollTop > 0) element.scrollTo(0, 0)
  }, fragment)
  return expect
    .poll(() => runs(page), { timeout: 1000 })
    .toEqual(expectedRuns)
    .then(
      () => true,
      () => false,
    )
}

export async function openSharedPage(browser: Browser, baseURL: string | undefined): Promise<SharedPage> {
  // What a test asks for by `test.use` is not for those after it.
  const context = await browser.newContext({ serviceWorkers: 'block', javaScriptEnabled: true })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const viewport = page.viewportSize()
  const { origin } = new URL(baseURL ?? '')
  let start: Start | undefined
  let used = false

  /** Resets context and page; the open runs stay. */
  async function reset() {
    for (const opened of context.pages()) if (opened !== page) await opened.close()
    page.removeAllListeners()
    await page.unrouteAll()
    await context.setOffline(false)
    await context.clearPermissions()
    await page.emulateMedia({ media: null, colorScheme: null })
    if (viewport) await page.setViewportSize(viewport)
  }

  async function empty() {
    if (new URL(page.url()).origin === origin) await page.evaluate(() => sessionStorage.clear())
    await page.goto('about:blank')
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  }

  return {
    context,
    async begin(topic) {
      if (used) await reset()
      used = true
      if (topic && start?.topic === topic && (await showStart(page, start))) return page
      start = undefined
      if (page.url() !== 'about:blank') await empty()
      if (topic) {
        await topic.open(page)
        start = { topic, fragment: new URL(page.url()).hash || '#v=1', runs: await runs(page) }
      }
      return page
    },
  }
}
