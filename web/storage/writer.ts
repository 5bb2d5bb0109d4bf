/** Writes the record of the open comparison, then the copies that it lacks. */
import type { FoundFile } from '../ingest/found'
import { isOwn } from '../ingest/url'
import { encodeLink } from '../link/link'
import { openedBy, originOf } from '../state/address/links'
import { linkOf } from '../state/address/pageLink'
import { outcomeLine } from '../state/comparing/outcome'
import { isEmpty, type Page } from '../state/page'
import { MAX_LINK_LENGTH, type NotKept } from './limits'
import { type CopyPlan, contentsOf, isHollow, type StoredComparison, sourceOf } from './record'
import type { Shelf } from './shelf'
import type { KeeperTargets } from './targets'
import { notKeptWords } from './words'

/** Runs that are shown in a record; the others are counted. */
const SHOWN_SIDES = 2

/** Files that are copied at once: there may be one per CPU, most of them small. */
const AT_ONCE = 8

/** More than this is copied when the page is at rest: reading it twice takes the cores of the engine. */
const MAX_IMMEDIATE_BYTES = 16e6

/** Whether changes wait: what is being opened is not complete. */
const isBusy = (page: Page): boolean =>
  isEmpty(page) || page.sorting || page.opening === true || page.arranging === true || page.restoring !== undefined

/** The command that serves URLs of this host ends, and they with it. */
const isTemporary = (urls: readonly { readonly url: string }[] = []): boolean =>
  urls.every(({ url }) => isOwn(new URL(url)))

/** Letters and labels of the runs; without runs the titles of results, or the names of tables. */
function sidesOf({ runs, results, fleet, bisection }: Page): StoredComparison['sides'] {
  if (runs.length > 0) return runs.map(({ letter, label }) => ({ letter, label }))
  const names =
    results?.document.tables.map(table => table.title) ??
    fleet?.client.outline.files ??
    (bisection ? [bisection.name] : [])
  return names.map(label => ({ label }))
}

/** Whether a run exists only as a row of a table: tables are not kept, and the other runs alone are no comparison. */
function hasRows({ runs, batches }: Page): boolean {
  const fromFiles = new Set(batches.flatMap(batch => batch.traces))
  return runs.some(run => run.digest !== undefined && !fromFiles.has(run.trace))
}

/** The record of a page; absent if nothing of it can be kept. */
function recordOf(page: Page, id: string, when: number, plan: CopyPlan): StoredComparison | undefined {
  const link = linkOf(page)
  const from = originOf(link)
  if (!from && hasRows(page)) return undefined
  const encoded = encodeLink(link)
  if (link.live || encoded.length > MAX_LINK_LENGTH || (from === 'urls' && isTemporary(link.urls))) return undefined
  const contents = from ? { batches: [], gone: [], windows: [], bytes: 0 } : contentsOf(page, plan)
  const sides = sidesOf(page)
  const source = sourceOf(contents.batches, from && openedBy(link))
  const verdict = outcomeLine(page)
  const choices = page.results?.texts?.choices
  const record: StoredComparison = {
    ...contents,
    id,
    when,
    link: encoded,
    sides: sides.slice(0, SHOWN_SIDES),
    more: Math.max(0, sides.length - SHOWN_SIDES),
    ...(page.title !== undefined && { title: page.title }),
    ...(verdict !== undefined && { verdict }),
    ...(from && { from }),
    ...(source !== undefined && { source }),
    ...(choices && { choices }),
  }
  return isHollow(record) ? undefined : record
}

export interface Writer {
  /** Writes the page as it is now; calls wait for each other. */
  save(): void
  /** The files of a comparison that was opened again have copies already. */
  adopt(record: StoredComparison, files: readonly (FoundFile | undefined)[]): void
  /** What was written may be gone. */
  forget(): void
}

/** `onWritten` is called after each record, with the batches that are kept completely. */
export function createWriter(
  { store, untilRest }: Pick<KeeperTargets, 'store' | 'untilRest'>,
  shelf: Shelf,
  onWritten: (safe: Page['batches'] | undefined) => void,
): Writer {
  const copyNames = new WeakMap<FoundFile, string>()
  const refusals = new WeakMap<FoundFile, NotKept>()
  const copied = new Set<string>()
  /** Ids of records that exist, and of those that were removed since: their comparisons are not kept again. */
  const [existing, retired] = [new Set<string>(), new Set<string>()]
  const last: { fingerprint?: string; toldBatches?: Page['batches'] } = {}

  const copyName = (file: FoundFile): string => {
    const name = copyNames.get(file) ?? crypto.randomUUID()
    copyNames.set(file, name)
    return name
  }

  /** Copies what is not copied yet. Whether all of it could be. */
  async function copyFiles({ batches }: Page, record: StoredComparison): Promise<boolean> {
    const needed = new Set(record.batches.flatMap(batch => batch.files.flatMap(({ copy }) => copy ?? [])))
    const missing = batches.flatMap(batch =>
      batch.files.flatMap(({ file }) => {
        const name = copyNames.get(file)
        return name !== undefined && needed.has(name) && !copied.has(name) ? { file, name } : []
      }),
    )
    const copyFile = async ({ file, name }: (typeof missing)[number]): Promise<boolean> => {
      const isCopied = await shelf.copy(name, file.blob)
      if (isCopied) copied.add(name)
      else refusals.set(file, 'no-room')
      return isCopied
    }
    if (missing.reduce((sum, { file }) => sum + file.blob.size, 0) > MAX_IMMEDIATE_BYTES) await untilRest()
    let isComplete = true
    for (let i = 0; i < missing.length; i += AT_ONCE) {
      const results = await Promise.all(missing.slice(i, i + AT_ONCE).map(copyFile))
      isComplete &&= results.every(Boolean)
    }
    return isComplete
  }

  /** Says once which files of the page are not kept. */
  function tell({ batches }: Page, words: string): void {
    if (last.toldBatches === batches) return
    last.toldBatches = batches
    store.setState(now => (now.batches === batches ? { ...now, toast: { words } } : now), true)
  }

  async function write(): Promise<void> {
    const page = store.getState()
    if (isBusy(page)) return
    const id = page.stored ?? crypto.randomUUID()
    if (retired.has(id)) return
    const plan: CopyPlan = { canCopy: shelf.canCopy, copyName, refusal: file => refusals.get(file) }
    const record = recordOf(page, id, Date.now(), plan)
    if (!record) {
      const words = originOf(linkOf(page)) ? undefined : notKeptWords(contentsOf(page, plan))
      if (words !== undefined) tell(page, words)
      return
    }
    const { when: _, ...lasting } = record
    const fingerprint = JSON.stringify(lasting)
    if (fingerprint === last.fingerprint) return
    if (page.stored === undefined) store.setState(now => ({ ...now, stored: id }), true)
    else if (existing.has(id) && !(await shelf.get(id))) {
      retired.add(id)
      return
    }
    await shelf.put(record)
    existing.add(id)
    last.fingerprint = fingerprint
    if (!(await copyFiles(page, record))) return write()
    const words = notKeptWords(record)
    if (words !== undefined) tell(page, words)
    onWritten(words === undefined ? page.batches : undefined)
  }

  let queue = Promise.resolve()
  return {
    save() {
      // Where storage fails the page works on, and asks before it is left.
      queue = queue.then(write).catch(() => undefined)
    },
    adopt(record, files) {
      existing.add(record.id)
      for (const [i, { copy }] of record.batches.flatMap(batch => batch.files).entries()) {
        const file = files[i]
        if (!file || copy === undefined) continue
        copyNames.set(file, copy)
        copied.add(copy)
      }
    },
    forget() {
      delete last.fingerprint
    },
  }
}
