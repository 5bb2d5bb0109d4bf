/** The few commands of WebDriver (https://www.w3.org/TR/webdriver2/) that the tests in Firefox need, over fetch. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const WAIT_MS = 60_000
const POLL_MS = 100

type ElementHandle = Readonly<Record<typeof ELEMENT, string>>

export interface Firefox {
  open(url: string): Promise<void>
  reload(): Promise<void>
  /** Runs the body of a function in the page; a promise that it returns is waited for. */
  run<T>(body: string, ...args: readonly unknown[]): Promise<T>
  /** Repeats `run` until its result is true; `condition` names it in the error message. */
  until(condition: string, body: string, ...args: readonly unknown[]): Promise<void>
  /** Waits for an element by CSS selector, then clicks it. */
  click(selector: string): Promise<void>
  type(text: string): Promise<void>
  text(selector: string): Promise<string>
  url(): Promise<string>
  /** Goes to the newest window, once there are so many. */
  window(count: number): Promise<void>
  /** Opens a tab in front of this one and goes to it. Returns what comes back and closes it. */
  tab(): Promise<() => Promise<void>>
  intoFrame(selector: string): Promise<void>
  quit(): Promise<void>
}

/** Starts geckodriver and a Firefox without a window, which saves downloads to `downloads`. */
export async function startFirefox(geckodriver: string, binary: string, downloads: string): Promise<Firefox> {
  const driver: ChildProcess = spawn(geckodriver, ['--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (!driver.stdout) throw new Error('geckodriver has no output')
  let base = ''
  for await (const line of createInterface(driver.stdout)) {
    const address = /Listening on (\S+)/.exec(line)?.[1]
    if (!address) continue
    base = `http://${address}`
    break
  }
  driver.stdout.resume()
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${base}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
    if (!response.ok) throw new Error(`WebDriver: ${value.error}: ${value.message}`)
    return value
  }
  const prefs = {
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.download.alwaysOpenPanel': false,
    // The page opens windows of its own, which Firefox would block without a click.
    'dom.disable_open_during_load': false,
  }
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: { browserName: 'firefox', 'moz:firefoxOptions': { binary, args: ['-headless'], prefs } },
    },
  }).catch(error => {
    driver.kill()
    throw error
  })
  const sendToSession = <T>(method: string, path: string, body?: unknown) =>
    send<T>(method, `/session/${sessionId}${path}`, body)
  await sendToSession('POST', '/timeouts', { script: WAIT_MS, pageLoad: WAIT_MS })
  await sendToSession('POST', '/window/rect', { width: 1440, height: 1000 })
  const run = <T>(body: string, ...args: readonly unknown[]) =>
    sendToSession<T>('POST', '/execute/async', {
      script: `const done = arguments[arguments.length - 1]; (async (...args) => { ${body} })(...[...arguments].slice(0, -1)).then(done, error => done('error: ' + error))`,
      args,
    })
  const poll = async (condition: string, holds: () => Promise<boolean>) => {
    const end = Date.now() + WAIT_MS
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`not within ${WAIT_MS / 1000} s: ${condition}`)
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    }
  }
  const until = (condition: string, body: string, ...args: readonly unknown[]) =>
    poll(condition, async () => (await run<unknown>(body, ...args)) === true)
  const find = async (selector: string): Promise<string> => {
    await until(`an element ${selector}`, 'return document.querySelector(args[0]) !== null', selector)
    return (await sendToSession<ElementHandle>('POST', '/element', { using: 'css selector', value: selector }))[ELEMENT]
  }
  return {
    open: url => sendToSession('POST', '/url', { url }),
    reload: () => sendToSession('POST', '/refresh', {}),
    run,
    until,
    click: async selector => sendToSession('POST', `/element/${await find(selector)}/click`, {}),
    type: async text => {
      const { [ELEMENT]: active } = await sendToSession<ElementHandle>('GET', '/element/active')
      await sendToSession('POST', `/element/${active}/value`, { text })
    },
    text: async selector => sendToSession('GET', `/element/${await find(selector)}/text`),
    url: () => sendToSession('GET', '/url'),
    window: async count => {
      await poll(
        `${count} windows`,
        async () => (await sendToSession<string[]>('GET', '/window/handles')).length === count,
      )
      await sendToSession('POST', '/window', {
        handle: (await sendToSession<string[]>('GET', '/window/handles')).at(-1),
      })
    },
    tab: async () => {
      const handle = await sendToSession<string>('GET', '/window')
      await sendToSession('POST', '/window', {
        handle: (await sendToSession<{ handle: string }>('POST', '/window/new', { type: 'tab' })).handle,
      })
      return async () => {
        await sendToSession('DELETE', '/window')
        await sendToSession('POST', '/window', { handle })
      }
    },
    intoFrame: async selector => sendToSession('POST', '/frame', { id: { [ELEMENT]: await find(selector) } }),
    quit: async () => {
      await sendToSession('DELETE', '')
      driver.kill()
      await once(driver, 'exit')
    },
  }
}
