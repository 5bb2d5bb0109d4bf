/**
 * Keeps the URL and the page in step: a committed range is a new entry of the browser's history, every other change
 * replaces the current entry.
 */
import { SAMPLES } from '../ingest/samples'
import { formatGeometry } from '../lib/geometry'
import { annotationValue, type LinkAnnotation } from '../link/annotations'
import { problemOf } from '../link/fields'
import { type DecodedLink, decodeLink, encodeLink, type Link } from '../link/link'
import type { PageActions } from './actions'
import { annotated, annotationsOf, joined } from './annotations'
import { arranged, labelled, withListed } from './arrangement'
import { withoutOldEvidence } from './evidence'
import { type Page, type PageStore, put, settled } from './page'
import { linked, linkOf } from './pageLink'
import { type Reference, referenceOf, sameUrls } from './sources'
import { go, replace, START } from './trail'

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

const SETTLE_MS = 200

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
] as const satisfies readonly (keyof Page)[]

interface HistoryEntry {
  /** Differs after each reload. */
  readonly life: string
  /** How often all runs had been closed: equal for entries of one comparison. */
  readonly of: number
  readonly at: number
  /** The fleet is shown, or the comparison of these rows of it. */
  readonly fleet?: true | readonly number[]
  /** Annotations that the reader wrote, as in the URL: after a reload they are still the reader's. */
  readonly own?: readonly string[]
}

/** What a link opens without the user's files. */
const openedBy = ({ sample, urls, snapshot, live }: Link): string =>
  JSON.stringify([sample, urls?.map(({ url }) => url), snapshot, live])

const NOTHING = openedBy({})

const asStep = (state: unknown): HistoryEntry | undefined =>
  typeof state === 'object' && state !== null && 'life' in state && 'at' in state ? (state as HistoryEntry) : undefined

export interface Following {
  /** Closes all runs and shows the view of a link; its settings for runs apply once they are open. */
  show(read: DecodedLink): void
  stop(): void
}

/** Opens what the URL names, then keeps the URL in step with the page. */
export function followAddress(
  store: PageStore,
  actions: PageActions,
  bar: AddressBar,
  life = String(performance.timeOrigin),
  carried: EmbeddedLink = {},
): Following {
  // The URL of a report has what the user changed; without it the report's own view is shown.
  const { link: first, problems } = decodeLink(bar.location.hash.length > 1 ? bar.location.hash : (carried.view ?? ''))
  store.setState(page => {
    const seen = linked(page, first)
    return {
      ...withArranging(seen, first),
      trail: replace(START, first.range),
      ...geometryOf(first),
      linkProblems: problems,
    }
  }, true)

  /** Of this tab before it was loaded again; another tab has none. */
  const own = asStep(bar.history.state)?.own ?? []

  /** The link whose settings for runs wait until the runs are open. */
  const wanted: { link?: Link } = { link: first }
  const written = { at: store.getState().trail.at, of: 0, url: bar.location.hash, fleet: false }
  const write = (how: 'pushState' | 'replaceState', page: Page) => {
    // The URL stays while it is being opened.
    const empty = page.runs.length === 0 && !page.results && !page.fleet
    if (page.opening || ((page.sorting || page.dialog?.kind === 'reference') && empty)) return
    const shown = linkOf(page)
    const annotations = [...(shown.annotations ?? []), ...waiting.annotations]
    const url = empty
      ? ''
      : `#${encodeLink({ ...shown, ...(annotations.length > 0 && { annotations }), ...(wanted.link && ofRuns(wanted.link)) })}`
    const fleet = page.fleet && (page.runs.length === 0 || page.runs.flatMap(run => run.digest?.row ?? []))
    const same = url === written.url && written.fleet === (fleet === true)
    if (how === 'replaceState' && same && asStep(bar.history.state)?.life === life) return
    const own = ownOf(page)
    const step: HistoryEntry = {
      life,
      of: written.of,
      at: page.trail.at,
      ...(fleet && { fleet }),
      ...(own.length > 0 && { own }),
    }
    bar.history[how](step, '', url === '' ? '#' : url)
    Object.assign(written, { at: page.trail.at, url, fleet: fleet === true })
  }

  /** Browsers limit how often the URL may change, which a mouse wheel exceeds. */
  const pending: { timer?: ReturnType<typeof setTimeout> } = {}
  const flush = (page: Page) => {
    if (pending.timer === undefined) return
    clearTimeout(pending.timer)
    delete pending.timer
    write('replaceState', page)
  }
  const writeSoon = () => {
    clearTimeout(pending.timer)
    pending.timer = setTimeout(() => flush(store.getState()), SETTLE_MS)
  }

  /** Annotations of the link, until all their runs are open: numbers are those of the sender. */
  const waiting: { annotations: readonly LinkAnnotation[] } = { annotations: [] }
  /** Once all runs are complete, annotations of others have none. */
  const annotate = ({ runs, sorting }: Page) => {
    const open = new Set<string>(runs.map(run => run.letter))
    const ready = waiting.annotations.filter(({ run }) => open.has(run))
    const rest = waiting.annotations.filter(({ run }) => !open.has(run))
    const done = rest.length > 0 && !sorting && runs.every(run => run.status.kind !== 'reading')
    if (rest.length > 0 && !done) return
    waiting.annotations = []
    if (ready.length > 0) {
      const isOwn = (annotation: LinkAnnotation) => own.includes(annotationValue(annotation))
      store.setState(
        page => ({ ...page, annotations: joined(annotated(ready, page.runs, isOwn), page.annotations) }),
        true,
      )
    }
    if (done) actions.tellLink(rest.map(({ run, text }) => problemOf('note', text, `Run ${run} is not open.`)))
  }

  const arrange = (page: Page) => {
    const link = wanted.link
    const runs = link && arranged(page.runs, link)
    if (!runs) return
    delete wanted.link
    store.setState(
      now =>
        settled({
          ...withListed(put(now, 'arranging', undefined), runs, link),
          runs,
          labels: labelled(now.labels, runs, link),
        }),
      true,
    )
    waiting.annotations = link.annotations ?? []
    annotate(store.getState())
    if (link.geometry === 'none') actions.setGeometry(undefined)
    for (const [letter, geometry] of Object.entries(link.geometryOf ?? {})) {
      const run = runs.find(r => r.letter === letter)
      if (run) actions.setGeometry(geometry === 'none' ? undefined : geometry, run.id)
    }
  }

  /** Letters in the link refer to its own runs: with a trace missing they would mean other ones. */
  const dropForeign = (page: Page) => {
    const link = wanted.link
    if (!link?.urls || sameUrls(link, referenceOf(page.runs, page.sources))) return
    delete wanted.link
    store.setState(now => put(now, 'arranging', undefined), true)
    const [key] = OF_RUNS.filter(key => link[key] !== undefined)
    if (key !== undefined)
      actions.tellLink([problemOf('run', '', 'Some of its traces are missing: settings for single runs were skipped.')])
  }

  const stop = store.subscribe((page, before) => {
    if (page.runs.length === 0 && before.runs.length > 0) {
      // The next runs are another comparison; entries of this one are opened by their URLs.
      delete wanted.link
      waiting.annotations = []
      written.of++
      written.at = page.trail.at
    }
    if (before.opening && !page.opening) {
      dropForeign(page)
      writeSoon()
    }
    if (wanted.link && !store.getState().opening && (page.runs !== before.runs || before.opening)) arrange(page)
    if (waiting.annotations.length > 0 && !wanted.link && !page.opening && page.runs !== before.runs) annotate(page)
    if (page !== store.getState()) return
    const { at } = page.trail
    const covers = written.fleet && page.runs.length > 0
    if (at > written.at || covers) {
      // Of a fleet: as it was without the rows that cover it.
      flush(covers ? { ...before, runs: [] } : before)
      write('pushState', page)
    } else if (page.fleet && page.fleet !== before.fleet && page.runs.length === 0 && !written.fleet) {
      // At once: its rows may be compared before the address has settled.
      write('replaceState', page)
    } else if (at < written.at) {
      bar.history.go(at - written.at)
      written.at = at
    } else if (
      page.view !== before.view ||
      page.runs !== before.runs ||
      page.title !== before.title ||
      page.geometry !== before.geometry ||
      FOLLOWED.some(key => page[key] !== before[key])
    )
      writeSoon()
  })

  const open = (link: Link) => {
    for (const url of link.live ?? []) actions.openStream(url)
    const sample = SAMPLES.find(s => s.id === link.sample)
    if (sample) void actions.openSample(sample)
    else if (link.snapshot) void actions.openSnapshot(link.snapshot, aboutSnapshot(link))
    else if (link.urls) actions.show({ kind: 'reference', reference: referenceIn(link, link.urls) })
    else if (carried.snapshot) void actions.openSnapshot(carried.snapshot, { ...aboutSnapshot(link), inFile: true })
    else if (link.sample !== undefined && !link.live)
      actions.tellLink([problemOf('sample', link.sample, 'No such sample.')])
  }
  open(first)

  const show = ({ link, problems }: DecodedLink) => {
    written.at = 0
    actions.removeAll()
    store.setState(
      page => ({
        ...withArranging(linked(page, link), link),
        trail: replace(START, link.range),
        ...geometryOf(link),
        linkProblems: problems,
      }),
      true,
    )
    wanted.link = link
  }

  const onPop = (event: PopStateEvent) => {
    const step = asStep(event.state)
    const { fleet, runs } = store.getState()
    // Rows that are compared cover the fleet that they are of: going back closes them, and forward opens them again.
    if (fleet && step?.life === life && step.fleet) {
      if (step.fleet === true && runs.length > 0) return actions.removeAll()
      if (step.fleet !== true && runs.length === 0) return void actions.compareRows(step.fleet)
    }
    const { trail } = store.getState()
    const { link, problems } = decodeLink(bar.location.hash)
    const shown = openedBy(linkOf(store.getState()))
    if (step?.life === life && step.of === written.of && step.at < trail.steps.length) {
      written.at = step.at
      written.url = ''
      store.setState(
        page =>
          settled(
            withoutOldEvidence({
              ...page,
              trail: go(page.trail, step.at - page.trail.at),
              view: put(page.view, 'preview', undefined),
            }),
          ),
        true,
      )
      write('replaceState', store.getState())
      return
    }
    written.at = 0
    // The browser cannot open local files again when the user goes forward: going back does not close them.
    const own = step?.life === life && shown === NOTHING && store.getState().runs.length > 0
    if (openedBy(link) !== NOTHING && openedBy(link) !== shown && !own) {
      show({ link, problems })
      open(link)
    } else {
      store.setState(
        page => ({ ...linked(page, link), annotations: [], trail: replace(START, link.range), linkProblems: problems }),
        true,
      )
      if (formatted(link) !== formatted(linkOf(store.getState()))) actions.setGeometry(geometryOf(link).geometry)
      wanted.link = link
      arrange(store.getState())
    }
  }
  bar.addEventListener('popstate', onPop)
  return {
    show,
    stop: () => {
      flush(store.getState())
      stop()
      bar.removeEventListener('popstate', onPop)
    },
  }
}

/** The reader's own annotations, as in the URL. */
const ownOf = ({ annotations, runs }: Page): readonly string[] =>
  (
    annotationsOf(
      annotations.filter(annotation => !annotation.theirs),
      runs,
    ).annotations ?? []
  ).map(annotationValue)

/** Settings of a link that need open runs. */
const OF_RUNS = [
  ...(['order', 'baseline', 'compared', 'off', 'listed', 'labels', 'groups', 'parts', 'cells'] as const),
  ...(['device', 'devices', 'shifts', 'geometryOf', 'annotations'] as const),
] as const satisfies readonly (keyof Link)[]

const ofRuns = (link: Link): Link =>
  Object.fromEntries(OF_RUNS.flatMap(key => (link[key] === undefined ? [] : [[key, link[key]]])))

/** Settings of the link wait for their runs. */
const withArranging = (page: Page, link: Link): Page =>
  put(page, 'arranging', Object.keys(ofRuns(link)).length > 0 ? true : undefined)

const referenceIn = ({ opened, gone, windows }: Link, urls: Reference['urls']): Reference => ({
  urls,
  ...(opened && { opened }),
  ...(gone && { gone }),
  ...(windows && { windows }),
})

const aboutSnapshot = ({ gone, sums }: Link) => ({ ...(gone && { gone }), ...(sums && { sums }) })

const formatted = ({ geometry }: Link): string => (geometry && geometry !== 'none' ? formatGeometry(geometry) : '')

const geometryOf = ({ geometry }: Link): Pick<Page, 'geometry'> => (geometry && geometry !== 'none' ? { geometry } : {})
