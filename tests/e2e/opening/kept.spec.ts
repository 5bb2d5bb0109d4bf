/** Nothing is lost by one click: Back, undo, a reload, and what this browser keeps. */
import { expect, type Page } from '@playwright/test'
import { NAMES } from '../support/names'
import { chip, type Dropped, drop, recording, violations, waitForRuns, waitUntilKept, watch } from '../support/page'
import { test } from '../support/recorded'

const BFQ = recording('partitions-bfq-1w', 'bfq')
const DEADLINE = recording('partitions-deadline-1w', 'deadline')

const home = (page: Page) => page.getByRole('button', { name: NAMES.home, exact: true })
const continueList = (page: Page) => page.getByRole('region', { name: NAMES.continue })
const toast = (page: Page) => page.locator('.toast')

/** Opens files by the browser's dialog, as files on the disk with a date. */
async function pick(page: Page, files: readonly Dropped[]) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: NAMES.openFiles }).first().click()
  await (await chooser).setFiles(
    files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })),
  )
}

/** Opens two recordings, and waits until the browser keeps their files. */
async function openTwo(page: Page) {
  await page.goto('./')
  await pick(page, [...BFQ, ...DEADLINE])
  await waitForRuns(page, 2)
  await waitUntilKept(page)
  expect(await keptFiles(page)).toBe([...BFQ, ...DEADLINE].reduce((sum, { bytes }) => sum + bytes.length, 0))
}

/** The size of all copies. */
const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('comparisons').catch(() => undefined)
    let bytes = 0
    // A copy that is being written has a file beside it, which may go meanwhile.
    for await (const handle of folder?.values() ?? [])
      bytes += await (handle as FileSystemFileHandle).getFile().then(
        file => file.size,
        () => 0,
      )
    return bytes
  })

/** Removes a run by its menu. */
async function remove(page: Page, letter: string) {
  await page.getByRole('button', { name: NAMES.menuOf(letter) }).click()
  await page.getByRole('menuitem', { name: NAMES.remove, exact: true }).click()
}

test('Back leads to the landing page, and Forward to the comparison, which is not read again', async ({ page }) => {
  const { errors } = watch(page)
  await page.goto('./')
  await drop(page, [...BFQ, ...DEADLINE])
  await waitForRuns(page, 2)
  await expect(page).toHaveURL(/#v=1/)
  // Reading shows a bar of progress.
  const bars = await page.evaluateHandle(() => {
    const seen = { count: 0 }
    const look = () => {
      seen.count += document.querySelectorAll('.chip-progress').length
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true })
    return seen
  })
  await page.goBack()
  await expect(continueList(page)).toContainText('Open now')
  await page.goForward()
  await waitForRuns(page, 2)
  await home(page).click()
  await expect(page).not.toHaveURL(/v=1/)
  await continueList(page).getByRole('button', { name: NAMES.goBack }).click()
  await waitForRuns(page, 2)
  await page.goBack()
  await expect(continueList(page)).toBeVisible()
  await page.goBack()
  await waitForRuns(page, 2)
  expect(await bars.evaluate(seen => seen.count)).toBe(0)
  expect(errors).toEqual([])
})

test('a removed run comes back at its place, by the toast and by Ctrl Z', async ({ page }) => {
  await page.clock.install()
  await page.goto('./')
  await drop(page, [...BFQ, ...DEADLINE])
  await page.clock.resume()
  await waitForRuns(page, 2)
  await remove(page, 'A')
  await expect(page.locator('.chip')).toHaveCount(1)
  await expect(page.getByRole('status').filter({ hasText: 'Removed A.' })).toBeVisible()
  expect(await violations(page, { within: '.toasts' })).toEqual([])
  await toast(page).getByRole('button', { name: NAMES.undo }).click()
  await expect(chip(page, 'A')).toContainText('bfq')
  await expect(chip(page, 'B')).toContainText('deadline')
  await remove(page, 'B')
  await expect(page.locator('.chip')).toHaveCount(1)
  // With the focus in it the message stays; without, it closes by itself.
  await page.mouse.move(0, 0)
  await toast(page).getByRole('button', { name: NAMES.undo }).focus()
  await page.clock.runFor(60_000)
  await expect(toast(page)).toBeVisible()
  await page.locator('body').evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.clock.runFor(11_000)
  await expect(toast(page)).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await waitForRuns(page, 2)
  await expect(chip(page, 'B')).toContainText('deadline')
})

test('closed runs come back, by Ctrl Z and by Back, but not while a field is edited', async ({ page }) => {
  await page.goto('./')
  await drop(page, [...BFQ, ...DEADLINE])
  await waitForRuns(page, 2)
  const close = async () => {
    // Wide pages have no such menu.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: NAMES.more, exact: true }).click()
    await page.getByRole('menuitem', { name: NAMES.closeAll }).click()
    await expect(toast(page)).toContainText('Closed bfq against deadline.')
  }
  await close()
  await page.keyboard.press('Control+z')
  await waitForRuns(page, 2)
  await close()
  await page.goBack()
  await waitForRuns(page, 2)
  await page.setViewportSize({ width: 1280, height: 720 })
  await remove(page, 'B')
  await page.locator('.bar-title').getByRole('button').click()
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Escape')
  await expect(page.locator('.chip')).toHaveCount(1)
})

test('a reload opens the same files from the disk again, with the same view', async ({ page }) => {
  const { errors } = watch(page)
  await openTwo(page)
  await page.getByRole('button', { name: NAMES.overlay, exact: true }).click()
  await remove(page, 'A')
  await expect(page.locator('.chip')).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await waitForRuns(page, 2)
  await expect(page).toHaveURL(/layout=overlay/)
  await page.reload()
  await waitForRuns(page, 2)
  await expect(chip(page, 'A')).toContainText('bfq')
  await expect(chip(page, 'B')).toContainText('deadline')
  await expect(page.getByRole('button', { name: NAMES.overlay, exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/layout=overlay/)
  await waitUntilKept(page)
  await page.reload()
  await waitForRuns(page, 2)
  expect(errors).toEqual([])
})

test('a run that was removed stays removed after a reload', async ({ page }) => {
  await openTwo(page)
  await remove(page, 'B')
  // Undo is over with the reload.
  await expect.poll(() => page.evaluate(storedGone)).toEqual([2])
  await page.reload()
  await waitForRuns(page, 1)
  await expect(chip(page, 'A')).toContainText('bfq')
})

/** Removed traces of the only record. */
function storedGone(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('seekscope')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const all = opening.result.transaction('comparisons').objectStore('comparisons').getAll()
      all.onsuccess = () => {
        opening.result.close()
        resolve(all.result[0]?.gone)
      }
    }
  })
}

test('a kept comparison has its verdict on the landing page', async ({ page, context }) => {
  await page.goto('./#v=1&sample=idling')
  await waitForRuns(page, 2)
  await expect(page.locator('.verdict-facts')).toContainText(/B.*slower, \u221248%/)
  const landing = await context.newPage()
  await expect(async () => {
    await landing.goto('./')
    await expect(continueList(landing)).toContainText('B slower, \u221248%; idle while requests waited \u00b7 just now')
  }).toPass()
})

test('the landing page continues, removes and clears what this browser keeps', async ({ page }) => {
  await openTwo(page)
  await page.goto('about:blank')
  await page.goto('./')
  await expect(continueList(page)).toContainText('bfq against Bdeadline')
  await expect(continueList(page)).toContainText(/just now · kept in this browser: \d files, \d\.\d MB/)
  expect(await violations(page)).toEqual([])
  await continueList(page).getByRole('button', { name: NAMES.open }).click()
  await waitForRuns(page, 2)
  await expect(chip(page, 'B')).toContainText('deadline')
  await page.goBack()
  await page.locator('.sample').first().click()
  await waitForRuns(page, 2)
  await waitUntilKept(page)
  await page.goto('about:blank')
  await page.goto('./')
  await expect(continueList(page).getByRole('listitem')).toHaveCount(2)
  await continueList(page)
    .getByRole('button', { name: NAMES.removeKept('bfq against deadline') })
    .click()
  await expect(continueList(page).getByRole('listitem')).toHaveCount(1)
  await expect.poll(() => keptFiles(page)).toBe(0)
  await page.getByRole('button', { name: NAMES.clearKept }).click()
  await expect(continueList(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: NAMES.clearKept })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(continueList(page)).toHaveCount(0)
})

test('a file that is open already is noticed, and opened again only when asked', async ({ page }) => {
  await page.goto('./')
  await drop(page, BFQ)
  await waitForRuns(page, 1)
  await drop(page, BFQ)
  await expect(toast(page)).toContainText('bfq is open already as A.')
  await expect(page.locator('.chip')).toHaveCount(1)
  await toast(page).getByRole('button', { name: NAMES.openItAgain }).click()
  await waitForRuns(page, 2)
})

test.describe('in a page with another storage', () => {
  test.use({ fresh: true })

  test('files that were dropped are opened from the disk again, after the browser has asked', async ({ page }) => {
    // A handle of the origin private file system stands for one on the disk; its permission has to be asked for.
    await page.addInitScript(() => {
      const asked = new Set<string>()
      Object.assign(FileSystemHandle.prototype, {
        async queryPermission(this: FileSystemHandle) {
          return asked.has(this.name) ? 'granted' : 'prompt'
        },
        async requestPermission(this: FileSystemHandle) {
          asked.add(this.name)
          return 'granted'
        },
      })
      Object.assign(DataTransferItem.prototype, {
        async getAsFileSystemHandle(this: DataTransferItem) {
          const file = this.getAsFile()
          if (!file) return null
          const root = await navigator.storage.getDirectory()
          const handle = await root.getFileHandle(file.name, { create: true })
          const writable = await handle.createWritable()
          await writable.write(file)
          await writable.close()
          return handle
        },
      })
    })
    await page.goto('./')
    await drop(page, BFQ)
    await waitForRuns(page, 1)
    await waitUntilKept(page)
    await expect.poll(() => page.evaluate(storedGone)).toEqual([])
    expect(await keptFiles(page)).toBe(0)
    await page.reload()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('bfq.blktrace.1')
    expect(await violations(page, { within: 'dialog' })).toEqual([])
    await dialog.getByRole('button', { name: NAMES.openAgain }).click()
    await waitForRuns(page, 1)
    await page.reload()
    await page.getByRole('dialog').getByRole('button', { name: NAMES.cancel }).click()
    await expect(toast(page)).toContainText('The files were not opened again.')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('where storage is refused nothing is kept, and the browser asks before files are lost', async ({ page }) => {
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('refused', 'SecurityError')
      }
    })
    await page.goto('./')
    await pick(page, BFQ)
    await waitForRuns(page, 1)
    // The browser asks only on a page that was used.
    await chip(page, 'A').click()
    const asked = page.waitForEvent('dialog')
    const reloaded = page.reload()
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.accept()
    await reloaded
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(continueList(page)).toHaveCount(0)
  })
})
