/** Keeps the open comparison in this browser, and opens kept ones again. It follows the store. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { decodeLink } from '../link/link'
import { originOf } from '../state/address/links'
import { linkOf } from '../state/address/pageLink'
import { isEmpty, type Page, withoutRestoring, withRestoring } from '../state/page'
import type { Cabinet } from './cabinet'
import type { StoredComparison } from './record'
import type { KeeperTargets } from './targets'

export interface KeeperState {
  /** The kept comparisons, the newest first. */
  readonly records: readonly StoredComparison[]
  /** Leaving the page loses files that are open. */
  readonly isLosing: boolean
}

export interface Keeper {
  readonly state: StoreApi<KeeperState>
  /** Reads the list again: another tab may have changed it. */
  refresh(): Promise<void>
  /** Opens a kept comparison in place of what is open. */
  reopen(record: StoredComparison): void
  remove(id: string): Promise<void>
  /** Removes everything that is kept. */
  clear(): Promise<void>
  /** The user agreed that the browser asks for the files of the comparison that is being opened. */
  allow(): Promise<void>
  decline(): void
}

/** What decides whether leaving the page loses files; the view, which changes often, does not. */
const DECIDING = [
  'runs',
  'batches',
  'results',
  'fleet',
  'bisection',
  'snapshot',
  'sample',
  'sources',
  'sorting',
] as const satisfies readonly (keyof Page)[]

/** Delay of a record, ms: zooming changes the view many times. */
const SETTLE_MS = 500

/** Delay of the first record of a comparison: what was just opened must not be lost. */
const FIRST_MS = 50

/** Whether leaving the page loses files. `safe`: the batches that are kept completely. */
function losesFiles(page: Page, safe: Page['batches'] | undefined): boolean {
  const { runs, snapshot, batches } = page
  if (isEmpty(page)) return false
  const link = linkOf(page)
  // A link opens its traces again, and a report has them in itself.
  if (originOf(link) !== undefined || link.live) return false
  if (snapshot?.inFile && runs.every(run => run.snapshotIndex !== undefined)) return false
  const fromFiles = new Set(batches.flatMap(batch => batch.traces))
  const isFromFiles = runs.every(run => run.digest !== undefined || fromFiles.has(run.trace))
  return safe !== batches || !isFromFiles
}

const askFirst = (event: BeforeUnloadEvent) => event.preventDefault()

/** Asks before the page is left while that loses files. A listener keeps some browsers from caching the page. */
function guard(isLosing: boolean): void {
  if (isLosing) window.addEventListener('beforeunload', askFirst)
  else window.removeEventListener('beforeunload', askFirst)
}

/** `mayKeep`: something may be kept at all. */
export function createKeeper(targets: KeeperTargets, mayKeep: boolean): Keeper {
  const { store, address } = targets
  const state = createStore<KeeperState>(() => ({ records: [], isLosing: false }))
  let safe: Page['batches'] | undefined

  const checkLoss = () => {
    const isLosing = losesFiles(store.getState(), safe)
    guard(isLosing)
    if (isLosing !== state.getState().isLosing) state.setState({ isLosing })
  }
  const onWritten = (batches: Page['batches'] | undefined) => {
    safe = batches
    checkLoss()
    void refresh()
  }
  // Where the browser refuses storage the page works on, and asks before it is left.
  const cabinet: Promise<Cabinet | undefined> = mayKeep
    ? import('./cabinet').then(({ openCabinet }) => openCabinet(targets, onWritten)).catch(() => undefined)
    : Promise.resolve(undefined)

  async function refresh(): Promise<void> {
    const records = await (await cabinet)?.shelf.list().catch(() => [])
    state.setState({ records: records ?? [] })
  }
  async function change(apply: (cabinet: Cabinet) => Promise<void>): Promise<void> {
    const opened = await cabinet
    if (opened) await apply(opened).catch(() => undefined)
    opened?.writer.forget()
    onWritten(undefined)
  }
  async function restore(id: string): Promise<void> {
    const unreadable = 'What this browser keeps could not be read. Open the files again.'
    const opened = await cabinet
    const words = opened ? await opened.restorer.restore(id).catch(() => unreadable) : unreadable
    if (words === undefined) return
    store.setState(page => (page.restoring === id ? { ...withoutRestoring(page), toast: { words } } : page), true)
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  let isSoon = false
  const save = () => {
    isSoon = false
    void cabinet.then(opened => opened?.writer.save())
  }
  store.subscribe((page, before) => {
    if (page.restoring !== undefined && page.restoring !== before.restoring) void restore(page.restoring)
    const hasChanged = DECIDING.some(key => page[key] !== before[key])
    if (hasChanged) checkLoss()
    if (isSoon) return
    isSoon = hasChanged && page.stored === undefined
    clearTimeout(timer)
    timer = setTimeout(save, isSoon ? FIRST_MS : SETTLE_MS)
  })
  const { restoring } = store.getState()
  if (restoring !== undefined) void restore(restoring)
  void refresh()

  return {
    state,
    refresh,
    reopen(record) {
      const read = decodeLink(record.link)
      if (record.from) return address.open(read)
      address.show(read)
      store.setState(page => withRestoring(page, record.id), true)
    },
    remove: id => change(({ shelf }) => shelf.remove(id)),
    clear: () => change(({ shelf }) => shelf.clear()),
    allow: async () => (await cabinet)?.restorer.allow(),
    decline: () => void cabinet.then(opened => opened?.restorer.decline()),
  }
}
