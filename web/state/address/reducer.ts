/**
 * Decides how the URL and the page follow each other: `reduce` takes a state and an event, and returns the next state
 * and a list of effects. It is pure; `addressbar.ts` runs the effects.
 *
 * Running an effect may change the page, and the store calls its listeners synchronously. So one effect can dispatch
 * further events, which are reduced completely before the next effect of the list runs. Two rules follow. The
 * returned state must be complete before any effect runs: an event in the middle must not see half of a change. And
 * an effect must not capture the page if another effect before it may change it: work that needs the page of that
 * later moment is an event of its own (`arranged`, `annotated`, `written`), which the runner dispatches with the
 * current page.
 *
 * The browser's history has one entry per step of the page's trail. `index` is the step that the current entry shows:
 * a larger index on the page pushes an entry, a smaller one goes back, an equal one replaces the entry. The landing
 * page and what is opened from it have entries of their own.
 */

import type { Geometry } from '../../engine/protocol'
import { annotationValue, type LinkAnnotation } from '../../link/annotations'
import { type LinkProblem, problemOf } from '../../link/fields'
import type { DecodedLink, Link } from '../../link/link'
import { annotationsFromLink, joinAnnotations } from '../annotations/annotations'
import { withoutOldEvidence } from '../comparing/evidence'
import { documentOf, type Page, put, settlePage, showsLanding, withRestoring } from '../page'
import { referenceOf, sameUrls } from '../runs/sources'
import { go, replace, START } from '../trail'
import { undone } from '../undo'
import { arrangeRuns, labelTableOf, withListed } from './arrangement'
import { type Awaited, asEntry, entryOf, type HistoryEntry, isOpening, urlOf } from './entry'
import { geometryOf, geometryText, NOTHING, openedBy, RUN_SETTINGS, withArranging } from './links'
import { linked, linkOf } from './pageLink'

export interface AddressState extends Awaited {
  /** The link whose settings for runs (order, labels, groups, ...) wait until these runs are open. */
  readonly link?: Link
  /**
   * Annotations of that link, until all their runs are open. They name runs by the letters of the sender, so they can
   * only be placed after the link's order was applied.
   */
  readonly annotations: readonly LinkAnnotation[]
  /** Step of the page's trail that the current history entry shows. */
  readonly index: number
  readonly url: string
  /** The current entry shows the fleet or the bisection, without a comparison of its rows. */
  readonly showsDocument: boolean
  /** The current entry shows the landing page. */
  readonly showsLanding: boolean
  /** How often all runs have been closed. History entries of an earlier comparison are opened by their URLs. */
  readonly comparison: number
}

/** Constants of this document; a reload makes new ones. */
export interface AddressContext {
  readonly life: string
  /**
   * Annotations that the reader wrote before a reload, as in the URL. They tell the reader's own annotations from the
   * sender's.
   */
  readonly annotations: readonly string[]
}

export type AddressEvent =
  /** The store has a new page. */
  | { readonly kind: 'changed'; readonly page: Page; readonly before: Page }
  /** Follows each `changed`, unless its effects made another page: brings the history up to date. */
  | { readonly kind: 'moved'; readonly page: Page; readonly before: Page }
  /** The runs of this link are being opened. */
  | { readonly kind: 'awaited'; readonly link: Link }
  /** Tries to apply the link's settings: its runs may be open now. */
  | { readonly kind: 'arranged'; readonly page: Page }
  /** Tries to place the link's annotations: their runs may be open now. */
  | { readonly kind: 'annotated'; readonly page: Page }
  /** The reader went back or forward (`popstate`). `landing`: a URL without an entry leads to the landing page. */
  | {
      readonly kind: 'visited'
      readonly state: unknown
      readonly read: DecodedLink
      readonly landing: boolean
      readonly page: Page
    }
  /** A link was opened from within the page, not by the browser. */
  | { readonly kind: 'shown'; readonly read: DecodedLink }
  /** Writes the URL of this page, unless it is already written. */
  | { readonly kind: 'written'; readonly method: HistoryMethod; readonly page: Page; readonly current: unknown }

export type HistoryMethod = 'pushState' | 'replaceState'

export type AddressEffect =
  | { readonly kind: 'page'; readonly change: (page: Page) => Page }
  /** Dispatches an event with the page as it is when the effect runs. */
  | { readonly kind: 'dispatch'; readonly event: 'arranged' | 'annotated' }
  | { readonly kind: 'await'; readonly link: Link }
  | { readonly kind: 'geometry'; readonly geometry: Geometry | undefined; readonly run?: string }
  | { readonly kind: 'problems'; readonly problems: readonly LinkProblem[] }
  | { readonly kind: 'open'; readonly link: Link }
  | { readonly kind: 'removeAll' }
  | { readonly kind: 'compareRows'; readonly rows: readonly number[] }
  /** Writes the URL now; without `page`, that of the page as it is when the effect runs. */
  | { readonly kind: 'write'; readonly method: HistoryMethod; readonly page?: Page }
  /** Writes a delayed change now, before a new entry is pushed: it belongs to the previous entry. */
  | { readonly kind: 'flush'; readonly page: Page }
  | { readonly kind: 'writeSoon' }
  | { readonly kind: 'go'; readonly steps: number }
  | {
      readonly kind: 'history'
      readonly method: HistoryMethod
      readonly entry: HistoryEntry
      readonly url: string
    }

export type Reduced = readonly [AddressState, readonly AddressEffect[]]

/** Parts of the page that the URL holds besides the runs and the view. */
const FOLLOWED = [
  'sources',
  'labels',
  'grouping',
  'finding',
  'evidence',
  'annotations',
  'results',
  'fleet',
  'bisection',
  'view',
  'runs',
  'title',
  'geometry',
  'stored',
] as const satisfies readonly (keyof Page)[]

export function reduce(state: AddressState, event: AddressEvent, context: AddressContext): Reduced {
  switch (event.kind) {
    case 'changed':
      return reduceChange(state, event.page, event.before)
    case 'moved':
      return followHistory(state, event.page, event.before)
    case 'awaited':
      return [{ ...state, link: event.link }, []]
    case 'arranged':
      return applySettings(state, event.page)
    case 'annotated':
      return applyAnnotations(state, event.page, context)
    case 'visited':
      return visitEntry(state, event, context)
    case 'shown':
      return [{ ...state, index: 0 }, showLink(event.read)]
    case 'written':
      return writeEntry(state, event, context)
  }
}

const dropLink = (state: AddressState): AddressState => put(state, 'link', undefined)

/** Applies the settings of a link as soon as the page has its runs. */
function reduceChange(start: AddressState, page: Page, before: Page): Reduced {
  let state = start
  const effects: AddressEffect[] = []
  const apply = ([next, more]: Reduced) => {
    state = next
    effects.push(...more)
  }
  if (page.runs.length === 0 && before.runs.length > 0) {
    // The next runs are another comparison: history entries of this one are opened by their URLs from now on.
    state = { ...dropLink(state), annotations: [], comparison: state.comparison + 1, index: page.trail.index }
  }
  if (before.opening && !page.opening) {
    apply(dropForeignSettings(state, page))
    effects.push({ kind: 'writeSoon' })
  }
  if (state.link && !page.opening && (page.runs !== before.runs || before.opening)) apply(applySettings(state, page))
  else if (state.annotations.length > 0 && !state.link && !page.opening && page.runs !== before.runs)
    effects.push({ kind: 'dispatch', event: 'annotated' })
  return [state, effects]
}

/** Drops the settings for runs if a trace of the link is missing: its letters would then name other runs. */
function dropForeignSettings(state: AddressState, page: Page): Reduced {
  const { link } = state
  if (!link?.urls || sameUrls(link, referenceOf(page.runs, page.sources))) return [state, []]
  const skipped = RUN_SETTINGS.some(key => link[key] !== undefined)
  const problem = problemOf('run', '', 'Some of its traces are missing: settings for single runs were skipped.')
  return [
    dropLink(state),
    [
      { kind: 'page', change: now => put(now, 'arranging', undefined) },
      ...(skipped ? [{ kind: 'problems', problems: [problem] } as const] : []),
    ],
  ]
}

/** Applies the settings of the link to its runs, if all of them are open. */
function applySettings(state: AddressState, page: Page): Reduced {
  const { link } = state
  const runs = link && arrangeRuns(page.runs, link)
  if (!runs) return [state, []]
  const geometries = Object.entries(link.geometryOf ?? {}).flatMap(([letter, geometry]): AddressEffect[] => {
    const run = runs.find(r => r.linkLetter === letter)
    if (!run) return []
    return [{ kind: 'geometry', geometry: geometry === 'none' ? undefined : geometry, run: run.id }]
  })
  return [
    { ...dropLink(state), annotations: link.annotations ?? [] },
    [
      {
        kind: 'page',
        change: now =>
          settlePage({
            ...withListed(put(now, 'arranging', undefined), runs, link),
            runs,
            labels: labelTableOf(now.labels, runs, link),
          }),
      },
      { kind: 'dispatch', event: 'annotated' },
      ...(link.geometry === 'none' ? [{ kind: 'geometry', geometry: undefined } as const] : []),
      ...geometries,
    ],
  ]
}

/**
 * Adds the link's annotations to the page. Those whose run is not open wait until reading has ended; then they are
 * reported as problems.
 */
function applyAnnotations(state: AddressState, { runs, sorting }: Page, { annotations }: AddressContext): Reduced {
  const open = new Set<string>(runs.map(run => run.linkLetter))
  const ready = state.annotations.filter(({ run }) => open.has(run))
  const rest = state.annotations.filter(({ run }) => !open.has(run))
  const complete = !sorting && runs.every(run => run.status.kind !== 'reading')
  if (rest.length > 0 && !complete) return [state, []]
  const isOfReader = (annotation: LinkAnnotation) => annotations.includes(annotationValue(annotation))
  const effects: AddressEffect[] = []
  if (ready.length > 0)
    effects.push({
      kind: 'page',
      change: page => ({
        ...page,
        annotations: joinAnnotations(annotationsFromLink(ready, page.runs, isOfReader), page.annotations),
      }),
    })
  if (rest.length > 0)
    effects.push({
      kind: 'problems',
      problems: rest.map(({ run, text }) => problemOf('note', text, `Run ${run} is not open.`)),
    })
  return [{ ...state, annotations: [] }, effects]
}

/** Whether the page changed between the landing page and what is open, by the user: not because a trace failed. */
function crossesLanding(state: AddressState, page: Page): boolean {
  if (showsLanding(page) === state.showsLanding || isOpening(page)) return false
  return state.showsLanding || page.home === true || page.undo.length > 0
}

/**
 * A committed range, what is opened from the landing page, and going back to it are new entries of the history; every
 * other change replaces the current one.
 */
function followHistory(state: AddressState, page: Page, before: Page): Reduced {
  const index = page.trail.index
  if (crossesLanding(state, page)) {
    const push = { kind: 'write', method: 'pushState', page } as const
    // The entry of the landing page has nothing to write, and `before` may have runs that were still being opened.
    return [state, state.showsLanding ? [push] : [{ kind: 'flush', page: before }, push]]
  }
  if (page.home) return [state, []]
  const coversDocument = state.showsDocument && page.runs.length > 0
  if (index > state.index || coversDocument) {
    // The previous entry is the document as it was before its rows were opened.
    const covered = coversDocument ? { ...before, runs: [] } : before
    return [
      state,
      [
        { kind: 'flush', page: covered },
        { kind: 'write', method: 'pushState', page },
      ],
    ]
  }
  const document = documentOf(page)
  if (document && document !== documentOf(before) && page.runs.length === 0 && !state.showsDocument) {
    // Not delayed: the document must have its entry before a comparison of its rows pushes the next one.
    return [state, [{ kind: 'write', method: 'replaceState', page }]]
  }
  if (index < state.index) return [{ ...state, index }, [{ kind: 'go', steps: index - state.index }]]
  return [state, FOLLOWED.some(key => page[key] !== before[key]) ? [{ kind: 'writeSoon' }] : []]
}

/** Shows the landing page, or what the entry has. */
function visitEntry(
  state: AddressState,
  event: Extract<AddressEvent, { readonly kind: 'visited' }>,
  context: AddressContext,
): Reduced {
  const { page } = event
  const entry = asEntry(event.state)
  const landing = entry ? entry.landing === true : event.landing
  const visited = { ...state, showsLanding: landing }
  if (landing) {
    const goHome = (now: Page): Page => (showsLanding(now) ? now : { ...put(now, 'dialog', undefined), home: true })
    return [{ ...visited, url: '' }, [{ kind: 'page', change: goHome }]]
  }
  // What was closed last is still in memory.
  const closed = entry?.life === context.life && entry.comparison === state.comparison - 1
  if (closed && showsLanding(page) && page.undo.at(-1)?.closes) {
    const { index } = entry
    const change = (now: Page): Page => {
      const { toast: _, ...back } = undone(now)
      return settlePage({ ...back, trail: go(back.trail, index - back.trail.index) })
    }
    return [{ ...visited, comparison: entry.comparison, index, url: '' }, [{ kind: 'page', change }]]
  }
  const { stored } = entry ?? {}
  // The record of a comparison of rows has only the traces among them; the open document has all rows.
  const hasRows = documentOf(page) && entry?.life === context.life && entry.document !== undefined
  if (stored !== undefined && stored !== page.stored && !hasRows && openedBy(event.read.link) === NOTHING) {
    const restore = { kind: 'page', change: (now: Page) => withRestoring(now, stored) } as const
    return [{ ...visited, index: 0 }, [...showLink(event.read), restore]]
  }
  const back = page.home ? put(page, 'home', undefined) : page
  const [next, effects] = openEntry(visited, back, entry, event.read, context)
  const leaveHome = { kind: 'page', change: (now: Page) => put(now, 'home', undefined) } as const
  return [next, page.home ? [leaveHome, ...effects] : effects]
}

/**
 * Shows the history entry that the reader went to. From cheapest to most expensive: rows of a document are
 * closed or opened; a step of this comparison's trail is shown; an entry with the same traces changes only the view; any other
 * entry closes all runs and opens its own traces.
 */
function openEntry(
  state: AddressState,
  page: Page,
  entry: HistoryEntry | undefined,
  read: DecodedLink,
  { life }: AddressContext,
): Reduced {
  const { runs, trail } = page
  const ownEntry = entry?.life === life ? entry : undefined
  // A comparison of rows covers its document: going back closes the rows, going forward opens them again.
  const rows = ownEntry?.document
  if (documentOf(page) && rows) {
    if (rows === true && runs.length > 0) return [state, [{ kind: 'removeAll' }]]
    if (rows !== true && runs.length === 0) return [state, [{ kind: 'compareRows', rows }]]
  }
  if (ownEntry && ownEntry.comparison === state.comparison && ownEntry.index < trail.steps.length) {
    const { index } = ownEntry
    const change = (now: Page): Page =>
      settlePage(
        withoutOldEvidence({
          ...now,
          trail: go(now.trail, index - now.trail.index),
          view: put(now.view, 'preview', undefined),
        }),
      )
    return [
      { ...state, index, url: '' },
      [
        { kind: 'page', change },
        { kind: 'write', method: 'replaceState' },
      ],
    ]
  }
  const { link, problems } = read
  const shown = openedBy(linkOf(page))
  // The browser cannot open local files again when the user goes forward: going back does not close them.
  const isLocal = ownEntry !== undefined && shown === NOTHING && runs.length > 0
  const opened = openedBy(link)
  if (opened !== NOTHING && opened !== shown && !isLocal)
    return [{ ...state, index: 0 }, [...showLink(read), { kind: 'open', link }]]
  const change = (now: Page): Page => ({
    ...linked(now, link),
    annotations: [],
    trail: replace(START, link.range),
    linkProblems: problems,
  })
  return [
    { ...state, index: 0 },
    [
      { kind: 'page', change },
      ...(geometryText(link) === geometryText(linkOf(page))
        ? []
        : [{ kind: 'geometry', geometry: geometryOf(link).geometry } as const]),
      { kind: 'await', link },
      { kind: 'dispatch', event: 'arranged' },
    ],
  ]
}

/** Closes all runs and shows the view of a link; its settings for runs wait. */
const showLink = ({ link, problems }: DecodedLink): readonly AddressEffect[] => [
  { kind: 'removeAll' },
  {
    kind: 'page',
    change: page => ({
      ...withArranging(linked(page, link), link),
      trail: replace(START, link.range),
      ...geometryOf(link),
      linkProblems: problems,
    }),
  },
  { kind: 'await', link },
]

/**
 * Writes the URL and the history entry. Nothing is written while traces of the link are being opened: the page is
 * incomplete then, and a reload must find the link as it was.
 */
function writeEntry(
  state: AddressState,
  { method, page, current }: Extract<AddressEvent, { readonly kind: 'written' }>,
  { life }: AddressContext,
): Reduced {
  if (isOpening(page)) return [state, []]
  const url = urlOf(page, state)
  const entry = entryOf(page, life, state.comparison)
  const showsDocument = entry.document === true
  const landing = showsLanding(page)
  const isSame = url === state.url && showsDocument === state.showsDocument && landing === state.showsLanding
  const written = asEntry(current)
  const isWritten = written?.life === life && written.stored === entry.stored
  if (method === 'replaceState' && isSame && isWritten) return [state, []]
  return [
    { ...state, index: entry.index, url, showsDocument, showsLanding: landing },
    [{ kind: 'history', method, entry, url: url === '' ? '#' : url }],
  ]
}
