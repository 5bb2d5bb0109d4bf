/**
 * What the URL and the page owe each other, as a function of state and event to state and effects.
 *
 * The page changes in the middle of an effect (the store tells its listeners at once), and what they do is another event
 * before the next effect. So a state is complete before its effects run, and what depends on the page of that moment is
 * an event that an effect dispatches: `arranged`, `annotated`, `written`.
 */

import type { Geometry } from '../../engine/protocol'
import { annotationValue, type LinkAnnotation } from '../../link/annotations'
import { type LinkProblem, problemOf } from '../../link/fields'
import type { DecodedLink, Link } from '../../link/link'
import { annotated, joined } from '../annotations/annotations'
import { withoutOldEvidence } from '../comparing/evidence'
import { type Page, put, settled } from '../page'
import { referenceOf, sameUrls } from '../runs/sources'
import { go, replace, START } from '../trail'
import { arranged, labelled, withListed } from './arrangement'
import { type Awaited, asEntry, entryOf, type HistoryEntry, isOpening, urlOf } from './entry'
import { geometryOf, geometryText, NOTHING, openedBy, RUN_SETTINGS, withArranging } from './links'
import { linked, linkOf } from './pageLink'

export interface AddressState extends Awaited {
  /** The link whose settings for runs wait until the runs are open. */
  readonly link?: Link
  /** Annotations of that link, until all their runs are open: its letters are those of the sender. */
  readonly annotations: readonly LinkAnnotation[]
  /** Of the entry of the history that is shown: index of its step of the trail. */
  readonly index: number
  readonly url: string
  /** It shows the fleet, without a comparison of its rows. */
  readonly showsFleet: boolean
  /** How often all runs have been closed. */
  readonly comparison: number
}

/** What holds as long as the document lives. */
export interface AddressContext {
  readonly life: string
  /** Annotations that the reader wrote before the document was loaded again, as in the URL. */
  readonly annotations: readonly string[]
}

export type AddressEvent =
  /** The page is another one. */
  | { readonly kind: 'changed'; readonly page: Page; readonly before: Page }
  /** The same, once the settings of a link are on it: the history follows. */
  | { readonly kind: 'moved'; readonly page: Page; readonly before: Page }
  /** The runs of this link are next. */
  | { readonly kind: 'awaited'; readonly link: Link }
  /** The runs of the link may be open. */
  | { readonly kind: 'arranged'; readonly page: Page }
  /** Runs are open to which annotations may belong. */
  | { readonly kind: 'annotated'; readonly page: Page }
  /** The reader went to an entry of the history. */
  | { readonly kind: 'visited'; readonly state: unknown; readonly read: DecodedLink; readonly page: Page }
  /** Something else shows the view of a link. */
  | { readonly kind: 'shown'; readonly read: DecodedLink }
  /** The URL of this page is to be written. */
  | { readonly kind: 'written'; readonly how: HistoryMethod; readonly page: Page; readonly current: unknown }

export type HistoryMethod = 'pushState' | 'replaceState'

export type AddressEffect =
  | { readonly kind: 'page'; readonly change: (page: Page) => Page }
  /** An event with the page of that moment. */
  | { readonly kind: 'dispatch'; readonly event: 'arranged' | 'annotated' }
  | { readonly kind: 'await'; readonly link: Link }
  | { readonly kind: 'geometry'; readonly geometry: Geometry | undefined; readonly run?: string }
  | { readonly kind: 'problems'; readonly problems: readonly LinkProblem[] }
  | { readonly kind: 'open'; readonly link: Link }
  | { readonly kind: 'removeAll' }
  | { readonly kind: 'compareRows'; readonly rows: readonly number[] }
  /** A `page` that is absent is the one of that moment. */
  | { readonly kind: 'write'; readonly how: HistoryMethod; readonly page?: Page }
  /** What waits to be written is written now. */
  | { readonly kind: 'flush'; readonly page: Page }
  | { readonly kind: 'writeSoon' }
  | { readonly kind: 'go'; readonly by: number }
  | {
      readonly kind: 'history'
      readonly how: HistoryMethod
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
  'view',
  'runs',
  'title',
  'geometry',
] as const satisfies readonly (keyof Page)[]

export function reduce(state: AddressState, event: AddressEvent, context: AddressContext): Reduced {
  switch (event.kind) {
    case 'changed':
      return changed(state, event.page, event.before)
    case 'moved':
      return moved(state, event.page, event.before)
    case 'awaited':
      return [{ ...state, link: event.link }, []]
    case 'arranged':
      return withSettings(state, event.page)
    case 'annotated':
      return withAnnotations(state, event.page, context)
    case 'visited':
      return visited(state, event.page, asEntry(event.state), event.read, context)
    case 'shown':
      return [{ ...state, index: 0 }, showing(event.read)]
    case 'written':
      return written(state, event, context)
  }
}

const withoutLink = (state: AddressState): AddressState => put(state, 'link', undefined)

function changed(start: AddressState, page: Page, before: Page): Reduced {
  let state = start
  const effects: AddressEffect[] = []
  const apply = ([next, more]: Reduced) => {
    state = next
    effects.push(...more)
  }
  if (page.runs.length === 0 && before.runs.length > 0) {
    // The next runs are another comparison; entries of this one are opened by their URLs.
    state = { ...withoutLink(state), annotations: [], comparison: state.comparison + 1, index: page.trail.at }
  }
  if (before.opening && !page.opening) {
    apply(withoutForeign(state, page))
    effects.push({ kind: 'writeSoon' })
  }
  if (state.link && !page.opening && (page.runs !== before.runs || before.opening)) apply(withSettings(state, page))
  else if (state.annotations.length > 0 && !state.link && !page.opening && page.runs !== before.runs)
    effects.push({ kind: 'dispatch', event: 'annotated' })
  return [state, effects]
}

/** Letters in the link refer to its own runs: with a trace missing they would mean other ones. */
function withoutForeign(state: AddressState, page: Page): Reduced {
  const { link } = state
  if (!link?.urls || sameUrls(link, referenceOf(page.runs, page.sources))) return [state, []]
  const skipped = RUN_SETTINGS.some(key => link[key] !== undefined)
  const problem = problemOf('run', '', 'Some of its traces are missing: settings for single runs were skipped.')
  return [
    withoutLink(state),
    [
      { kind: 'page', change: now => put(now, 'arranging', undefined) },
      ...(skipped ? [{ kind: 'problems', problems: [problem] } as const] : []),
    ],
  ]
}

/** Puts the settings of the link on its runs, if all of them are open. */
function withSettings(state: AddressState, page: Page): Reduced {
  const { link } = state
  const runs = link && arranged(page.runs, link)
  if (!runs) return [state, []]
  const geometries = Object.entries(link.geometryOf ?? {}).flatMap(([letter, geometry]): AddressEffect[] => {
    const run = runs.find(r => r.letter === letter)
    if (!run) return []
    return [{ kind: 'geometry', geometry: geometry === 'none' ? undefined : geometry, run: run.id }]
  })
  return [
    { ...withoutLink(state), annotations: link.annotations ?? [] },
    [
      {
        kind: 'page',
        change: now =>
          settled({
            ...withListed(put(now, 'arranging', undefined), runs, link),
            runs,
            labels: labelled(now.labels, runs, link),
          }),
      },
      { kind: 'dispatch', event: 'annotated' },
      ...(link.geometry === 'none' ? [{ kind: 'geometry', geometry: undefined } as const] : []),
      ...geometries,
    ],
  ]
}

/** Once all runs are complete, annotations of others have none. */
function withAnnotations(state: AddressState, { runs, sorting }: Page, { annotations }: AddressContext): Reduced {
  const open = new Set<string>(runs.map(run => run.letter))
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
        annotations: joined(annotated(ready, page.runs, isOfReader), page.annotations),
      }),
    })
  if (rest.length > 0)
    effects.push({
      kind: 'problems',
      problems: rest.map(({ run, text }) => problemOf('note', text, `Run ${run} is not open.`)),
    })
  return [{ ...state, annotations: [] }, effects]
}

/** A committed range is a new entry of the history; every other change replaces the current one. */
function moved(state: AddressState, page: Page, before: Page): Reduced {
  const index = page.trail.at
  const coversFleet = state.showsFleet && page.runs.length > 0
  if (index > state.index || coversFleet) {
    // Of a fleet: as it was without the rows that cover it.
    const left = coversFleet ? { ...before, runs: [] } : before
    return [
      state,
      [
        { kind: 'flush', page: left },
        { kind: 'write', how: 'pushState', page },
      ],
    ]
  }
  if (page.fleet && page.fleet !== before.fleet && page.runs.length === 0 && !state.showsFleet) {
    // At once: its rows may be compared before the address has settled.
    return [state, [{ kind: 'write', how: 'replaceState', page }]]
  }
  if (index < state.index) return [{ ...state, index }, [{ kind: 'go', by: index - state.index }]]
  return [state, FOLLOWED.some(key => page[key] !== before[key]) ? [{ kind: 'writeSoon' }] : []]
}

function visited(
  state: AddressState,
  page: Page,
  entry: HistoryEntry | undefined,
  read: DecodedLink,
  { life }: AddressContext,
): Reduced {
  const { fleet, runs, trail } = page
  const ours = entry?.life === life ? entry : undefined
  // Rows that are compared cover the fleet that they are of: going back closes them, and forward opens them again.
  if (fleet && ours?.fleet) {
    if (ours.fleet === true && runs.length > 0) return [state, [{ kind: 'removeAll' }]]
    if (ours.fleet !== true && runs.length === 0) return [state, [{ kind: 'compareRows', rows: ours.fleet }]]
  }
  if (ours && ours.comparison === state.comparison && ours.index < trail.steps.length) {
    const { index } = ours
    const change = (now: Page): Page =>
      settled(
        withoutOldEvidence({
          ...now,
          trail: go(now.trail, index - now.trail.at),
          view: put(now.view, 'preview', undefined),
        }),
      )
    return [
      { ...state, index, url: '' },
      [
        { kind: 'page', change },
        { kind: 'write', how: 'replaceState' },
      ],
    ]
  }
  const { link, problems } = read
  const shown = openedBy(linkOf(page))
  // The browser cannot open local files again when the user goes forward: going back does not close them.
  const isLocal = ours !== undefined && shown === NOTHING && runs.length > 0
  const opened = openedBy(link)
  if (opened !== NOTHING && opened !== shown && !isLocal)
    return [{ ...state, index: 0 }, [...showing(read), { kind: 'open', link }]]
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

/** Closes all runs and shows the view of a link. */
const showing = ({ link, problems }: DecodedLink): readonly AddressEffect[] => [
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

function written(
  state: AddressState,
  { how, page, current }: Extract<AddressEvent, { readonly kind: 'written' }>,
  { life }: AddressContext,
): Reduced {
  if (isOpening(page)) return [state, []]
  const url = urlOf(page, state)
  const entry = entryOf(page, life, state.comparison)
  const showsFleet = entry.fleet === true
  const isSame = url === state.url && showsFleet === state.showsFleet
  if (how === 'replaceState' && isSame && asEntry(current)?.life === life) return [state, []]
  return [
    { ...state, index: entry.index, url, showsFleet },
    [{ kind: 'history', how, entry, url: url === '' ? '#' : url }],
  ]
}
