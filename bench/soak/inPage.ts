/**
 * What a day of work does again and again, as a script of the page: a driver outside leaves memory behind in the page
 * with every step.
 */
import type { Page } from '@playwright/test'
import { NAMES } from '../../tests/e2e/support/names'
import type { Dropped } from '../../tests/e2e/support/page'

/**
 * One time: `compare` opens two traces, zooms, compares, shares and closes; `link` opens a snapshot link, drops its
 * traces, and closes.
 */
export type SoakWork = 'compare' | 'link'

declare global {
  interface Window {
    /** Does it so many times; rejects when a state does not come. */
    soak?: Readonly<Record<SoakWork, (times: number) => Promise<void>>>
  }
}

/** Longest wait for a state of the page. */
const PATIENCE_MS = 100_000

interface Given {
  readonly files: readonly { readonly name: string; readonly text: string }[]
  readonly names: Pick<typeof NAMES, 'home' | 'share' | 'link' | 'verdict'>
  readonly patience: number
}

/** Runs in the page: uses nothing but its argument. */
function install({ files, names, patience }: Given) {
  const until = async (what: string, look: () => unknown) => {
    const end = performance.now() + patience
    while (!look()) {
      if (performance.now() > end) throw new Error(`not seen: ${what}`)
      await new Promise(requestAnimationFrame)
    }
  }
  const all = <E extends Element>(selector: string) => [...document.querySelectorAll<E>(selector)]
  const named = (element: Element) => element.getAttribute('aria-label') ?? element.textContent?.trim()
  const click = async (name: string) => {
    const find = () => all<HTMLElement>('button, a').find(element => named(element) === name)
    await until(name, find)
    find()?.click()
  }
  const press = (key: string) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  const drop = () => {
    const dataTransfer = new DataTransfer()
    for (const { name, text } of files) {
      const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0))
      dataTransfer.items.add(new File([bytes], name, { lastModified: 0 }))
    }
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }
  const whole = () =>
    until(
      'two runs that are read',
      () =>
        all('.chip').length === 2 && all('.chip .chip-quality').length === 2 && all('[data-quality=held]').length === 0,
    )
  const figures = () => all('section').some(section => section.getAttribute('aria-label') === names.verdict)
  const linkOf = (dialog: Element) =>
    [...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].find(
      field => (field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent?.trim()) === names.link,
    )
  const share = async (): Promise<string> => {
    await click(names.share)
    let link = ''
    await until('a link', () => {
      const [dialog] = all('dialog')
      link = (dialog && linkOf(dialog)?.value) ?? ''
      return link.includes('&s=')
    })
    // As a click next to it does.
    all<HTMLElement>('dialog')[0]?.click()
    await until('no dialog', () => all('dialog').length === 0)
    return link
  }
  const close = async () => {
    await click(names.home)
    await until('the first page', () => all('.drop-zone').length === 1)
    // The address follows a moment later; until then a link in it cannot be opened once more.
    await until('an address without a view', () => /^#?$/.test(location.hash))
  }
  const compare = async () => {
    drop()
    await whole()
    await until('figures', figures)
    press('w')
    await until('a zoom', () => /[#&]t=/.test(location.hash))
    press('0')
    const link = await share()
    await close()
    return link
  }
  let hash: string | undefined
  const link = async () => {
    hash ??= new URL(await compare()).hash
    location.hash = hash
    await until('two runs of the link', () => all('[data-quality=held]').length === 2)
    drop()
    await whole()
    await close()
  }
  const repeated = (work: () => Promise<unknown>) => async (times: number) => {
    for (let i = 0; i < times; i++) await work()
  }
  window.soak = { compare: repeated(compare), link: repeated(link) }
}

/** Gives the page the script; `times` of it then run without anything from outside. */
export async function workInPage(
  page: Page,
  files: readonly Dropped[],
  work: SoakWork,
): Promise<(times: number) => Promise<void>> {
  const { home, share, link, verdict } = NAMES
  const encoded = files.map(({ name, bytes }) => ({ name, text: bytes.toString('base64') }))
  await page.evaluate(install, { files: encoded, names: { home, share, link, verdict }, patience: PATIENCE_MS })
  return times => page.evaluate(({ work, times }) => window.soak?.[work](times), { work, times })
}
