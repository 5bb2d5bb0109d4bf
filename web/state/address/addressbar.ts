/**
 * Keeps the URL and the page in step: a committed range is a new entry of the browser's history, every other change
 * replaces the current entry. `address/reducer.ts` decides; this module runs the effects.
 */
import { SAMPLES } from '../../ingest/samples'
import { problemOf } from '../../link/fields'
import { type DecodedLink, decodeLink, type Link } from '../../link/link'
import type { PageActions } from '../actions'
import { type Page, type PageStore, withRestoring } from '../page'
import { replace, START } from '../trail'
import { asEntry } from './entry'
import { aboutSnapshot, geometryOf, NOTHING, openedBy, referenceIn, withArranging } from './links'
import { linked } from './pageLink'
import {
  type AddressContext,
  type AddressEffect,
  type AddressEvent,
  type AddressState,
  type HistoryMethod,
  reduce,
} from './reducer'

/** The snapshot and view in a report, used like those in a URL. */
export interface EmbeddedLink {
  readonly snapshot?: string
  /** A fragment. */
  readonly view?: string
}

/** The parts of `window` that are used; a parameter, so that tests run without a browser. */
export interface AddressBar {
  readonly location: { readonly hash: string }
  readonly history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'go'>
  addEventListener(type: 'popstate', listener: (event: PopStateEvent) => void): void
  removeEventListener(type: 'popstate', listener: (event: PopStateEvent) => void): void
}

/** Browsers limit how often the URL may change, which a mouse wheel exceeds. */
const SETTLE_MS = 200

export interface Following {
  /** Closes all runs and shows the view of a link; its settings for runs apply once they are open. */
  show(read: DecodedLink): void
  /** The same, and opens what the link names. */
  open(read: DecodedLink): void
  stop(): void
}

/** Opens what a link names, without asking for more than the reader has to allow. */
function openLink(link: Link, actions: PageActions, { snapshot }: EmbeddedLink): void {
  for (const url of link.live ?? []) actions.openStream(url)
  const sample = SAMPLES.find(s => s.id === link.sample)
  if (sample) void actions.openSample(sample)
  else if (link.snapshot) void actions.openSnapshot(link.snapshot, aboutSnapshot(link))
  else if (link.urls) actions.show({ kind: 'reference', reference: referenceIn(link, link.urls) })
  else if (snapshot) void actions.openSnapshot(snapshot, { ...aboutSnapshot(link), inFile: true })
  else if (link.sample !== undefined && !link.live)
    actions.tellLink([problemOf('sample', link.sample, 'No such sample.')])
}

/** A write that waits until the page has not changed for a moment. */
function createDelay(write: (page: Page) => void, store: PageStore) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (page: Page) => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    write(page)
  }
  const start = () => {
    clearTimeout(timer)
    timer = setTimeout(() => flush(store.getState()), SETTLE_MS)
  }
  return { start, flush }
}

/** What effects act on. */
interface EffectTargets {
  readonly store: PageStore
  readonly actions: PageActions
  readonly bar: AddressBar
  readonly embedded: EmbeddedLink
  readonly delay: ReturnType<typeof createDelay>
  dispatch(event: AddressEvent): void
  write(method: HistoryMethod, page: Page): void
}

/** Carries out what the reducer decided. */
function createEffects({ store, actions, bar, embedded, delay, dispatch, write }: EffectTargets) {
  return (effect: AddressEffect): void => {
    switch (effect.kind) {
      case 'page':
        store.setState(effect.change, true)
        break
      case 'dispatch':
        dispatch({ kind: effect.event, page: store.getState() })
        break
      case 'await':
        dispatch({ kind: 'awaited', link: effect.link })
        break
      case 'geometry':
        actions.setGeometry(effect.geometry, effect.run)
        break
      case 'problems':
        actions.tellLink(effect.problems)
        break
      case 'open':
        openLink(effect.link, actions, embedded)
        break
      case 'removeAll':
        actions.removeAll()
        break
      case 'compareRows':
        void actions.compareRows(effect.rows)
        break
      case 'write':
        write(effect.method, effect.page ?? store.getState())
        break
      case 'flush':
        delay.flush(effect.page)
        break
      case 'writeSoon':
        delay.start()
        break
      case 'go':
        bar.history.go(effect.steps)
        break
      case 'history':
        bar.history[effect.method](effect.entry, '', effect.url)
        break
    }
  }
}

/** Opens what the URL names, then keeps the URL in step with the page. */
export function followAddress(
  store: PageStore,
  actions: PageActions,
  bar: AddressBar,
  life = String(performance.timeOrigin),
  embedded: EmbeddedLink = {},
): Following {
  // The URL of a report has what the user changed; without it the report's own view is shown.
  const { link: first, problems } = decodeLink(bar.location.hash.length > 1 ? bar.location.hash : (embedded.view ?? ''))
  const reloaded = asEntry(bar.history.state)
  const stored = openedBy(first) === NOTHING && embedded.snapshot === undefined ? reloaded?.stored : undefined
  store.setState(page => {
    const shownPage = {
      ...withArranging(linked(page, first), first),
      trail: replace(START, first.range),
      ...geometryOf(first),
      linkProblems: problems,
    }
    return stored === undefined ? shownPage : withRestoring(shownPage, stored)
  }, true)

  const context: AddressContext = { life, annotations: reloaded?.annotations ?? [] }
  let state: AddressState = {
    link: first,
    annotations: [],
    index: store.getState().trail.index,
    url: bar.location.hash,
    showsDocument: false,
    showsLanding: bar.location.hash.length <= 1 && embedded.snapshot === undefined,
    comparison: 0,
  }
  const dispatch = (event: AddressEvent) => {
    const [next, effects] = reduce(state, event, context)
    state = next
    for (const effect of effects) run(effect)
  }
  const write = (method: HistoryMethod, page: Page) =>
    dispatch({ kind: 'written', method, page, current: bar.history.state })
  const delay = createDelay(page => write('replaceState', page), store)

  const run = createEffects({ store, actions, bar, embedded, dispatch, write, delay })

  const unsubscribe = store.subscribe((page, before) => {
    dispatch({ kind: 'changed', page, before })
    // Otherwise the settings of a link made another page, for which this was called already.
    if (page === store.getState()) dispatch({ kind: 'moved', page, before })
  })
  openLink(first, actions, embedded)

  const onPop = (event: PopStateEvent) =>
    dispatch({
      kind: 'visited',
      state: event.state,
      read: decodeLink(bar.location.hash),
      landing: bar.location.hash.length <= 1 && embedded.snapshot === undefined,
      page: store.getState(),
    })
  bar.addEventListener('popstate', onPop)
  return {
    show: read => dispatch({ kind: 'shown', read }),
    open: read => {
      dispatch({ kind: 'shown', read })
      openLink(read.link, actions, {})
    },
    stop: () => {
      delay.flush(store.getState())
      unsubscribe()
      bar.removeEventListener('popstate', onPop)
    },
  }
}
