/**
 * The `test` of every specification here: records each request of the browser, and fails at one to a host that nobody
 * allowed.
 */
import { type BrowserContext, test as base, expect, type Page, type Request } from '@playwright/test'
import { openSharedPage, type SharedPage, type Topic } from './sharedPage'

export interface Requests {
  /** A host from which this test serves the app itself, or a page that embeds it. */
  own(address: string): void
  /** From now on a host that somebody confirmed on the page. */
  confirm(address: string): void
  /** Records another context than that of the test, too. Returns what ends it. */
  follow(context: BrowserContext): () => void
}

/** How many requests of one test, by host and by who sent them; the reporter sums them up. */
export interface Recorded {
  readonly ownHost: number
  readonly confirmed: number
  /** How many of all these came from service workers. */
  readonly byServiceWorkers: number
  /** `file:`, `blob:` and `data:`: of no host. */
  readonly local: number
  /** Addresses of requests to any other host. */
  readonly foreign: readonly string[]
}

/** Name of the attachment with the counts, which the reporter reads. */
export const RECORDED = 'requests'

/** How many times slower the page's main thread is, so that a test that forgets to wait fails. */
const SLOWER = Number(process.env.SEEKSCOPE_SLOWER ?? 1)

/** Hosts of the app in all tests of this worker: a page of an earlier one may still ask for its icon. */
const ownHosts = new Set<string>()

function record(home: string | undefined) {
  const confirmed = new Set<string>()
  const recorded = { ownHost: 0, confirmed: 0, byServiceWorkers: 0, local: 0, foreign: [] as string[] }
  if (home) ownHosts.add(new URL(home).host)
  const take = (address: string, byServiceWorker: boolean) => {
    const { protocol, host } = new URL(address)
    if (byServiceWorker) recorded.byServiceWorkers++
    if (!/^(?:https?|wss?):$/.test(protocol)) recorded.local++
    else if (ownHosts.has(host)) recorded.ownHost++
    else if (confirmed.has(host)) recorded.confirmed++
    else recorded.foreign.push(address)
  }
  const requests: Requests = {
    own: address => ownHosts.add(new URL(address).host),
    confirm: address => confirmed.add(new URL(address).host),
    follow(context) {
      const request = (sent: Request) => take(sent.url(), sent.serviceWorker() !== null)
      const page = (opened: Page) => void opened.on('websocket', socket => take(socket.url(), false))
      context.on('request', request).on('page', page)
      return () => void context.off('request', request).off('page', page)
    },
  }
  return { requests, recorded: recorded as Recorded }
}

interface Options {
  /**
   * A context of its own, not the worker's: for tests of a first visit and of service workers, or that leave scripts in
   * the page.
   */
  fresh: boolean
  /** What the tests of a file or group look at: opened once. */
  topic: Topic | undefined
}

export const test = base.extend<Options & { requests: Requests }, { sharedPage: () => Promise<SharedPage> }>({
  fresh: [false, { option: true }],
  topic: [undefined, { option: true }],
  sharedPage: [
    async ({ browser }, use, { project }) => {
      let sharedPage: Promise<SharedPage> | undefined
      await use(() => {
        sharedPage ??= openSharedPage(browser, project.use.baseURL)
        return sharedPage
      })
      await (await sharedPage)?.context.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ fresh, sharedPage, browser }, use) => {
    if (!fresh) return use((await sharedPage()).context)
    const context = await browser.newContext()
    await use(context)
    await context.close()
  },
  page: async ({ fresh, sharedPage, context, topic, requests: _ }, use) => {
    const page = fresh ? await context.newPage() : await (await sharedPage()).begin(topic)
    // The script would stay in the page of all later tests of this worker.
    if (!fresh) page.addInitScript = () => Promise.reject(new Error('a test that adds a script needs `fresh: true`'))
    if (SLOWER > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await use(page)
  },
  requests: [
    async ({ context, baseURL, topic }, use, info) => {
      const { requests, recorded } = record(baseURL)
      const end = requests.follow(context)
      await use(requests)
      end()
      await info.attach(RECORDED, { body: JSON.stringify(recorded), contentType: 'application/json' })
      expect(recorded.foreign, 'requests to hosts that nobody confirmed').toEqual([])
      if (topic) return
      expect(
        recorded.ownHost + recorded.confirmed + recorded.local,
        'requests; none: a context is not followed',
      ).toBeGreaterThan(0)
    },
    { auto: true },
  ],
})
