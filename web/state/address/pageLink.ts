/** The page as a link, and a link as the page: pure, so that the command line makes the same links. */
import { SAMPLES } from '../../ingest/samples'
import { formatGeometry } from '../../lib/geometry'
import type { Link } from '../../link/link'
import { annotationsOf } from '../annotations/annotations'
import { NOTHING_HIDDEN } from '../filter'
import { nothingHidden } from '../hidden'
import { documentOf, type Page, put, settlePage } from '../page'
import { referenceOf } from '../runs/sources'
import { current, push, START } from '../trail'
import { arrangementOf } from './arrangement'
import { snapshotFields } from './snapshots'

/** The view of the fleet, and the rows of it, or of the bisection, that are compared. */
const fleetText = ({ fleet, runs }: Page): string =>
  [fleet?.text, runs.length > 0 && `compare=${runs.map(run => run.digest?.row).join()}`].filter(Boolean).join('&')

/** The link to this page; absent fields have their defaults. */
export function linkOf(page: Page): Link {
  const { view } = page
  const document = documentOf(page)
  const range = page.following ? undefined : current(page.trail)
  const live = page.runs.flatMap(run => (run.stream && !run.alone ? [run.stream.url] : []))
  const spec = page.geometry && formatGeometry(page.geometry)
  const others = page.runs.filter(r => (r.geometry && formatGeometry(r.geometry)) !== spec)
  const optional = {
    range,
    lba: view.lba,
    layer: view.layer,
    stage: view.stage === 'q2c' ? undefined : view.stage,
    layout: view.layout === 'columns' ? undefined : view.layout,
    eventFilter: view.eventFilter,
    matrix: view.matrix,
    sizesAt: view.sizesAt,
    bars: view.bars,
    rate: view.rate,
    finding: page.finding,
    // Evidence in a range is that of the range's finding, which a link does not name.
    evidence: page.evidence && !page.ranged ? page.evidence.interval + 1 : page.named?.evidence,
    trueScale: view.trueScale || undefined,
    hidden: nothingHidden(view.hidden) ? undefined : view.hidden,
    latency: view.latency,
    functions: view.functions,
    geometry: page.geometry ?? (SAMPLES.find(s => s.id === page.sample)?.geometry && ('none' as const)),
    geometryOf:
      others.length > 0 ? Object.fromEntries(others.map(r => [r.linkLetter, r.geometry ?? 'none'])) : undefined,
    align: view.align,
    ...arrangementOf(page.runs, view, page.labels),
    grouping: page.grouping === 'chosen' ? undefined : page.grouping,
    ...annotationsOf(page.annotations, page.runs),
    ...referenceOf(page.runs, page.sources),
    ...snapshotFields(page),
    ...(document?.urls &&
      page.runs.every(run => run.digest && run.snapshot) && { urls: document.urls, fleet: fleetText(page) }),
    live: live.length > 0 ? live : undefined,
    sample: page.sample,
    title: page.title === SAMPLES.find(s => s.id === page.sample)?.title ? undefined : page.title,
  }
  return Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Link
}

/** The page with the view of a link; fields that the link lacks get their defaults. */
export function linked(page: Page, link: Link): Page {
  const view = {
    ...page.view,
    stage: link.stage ?? 'q2c',
    layout: link.layout ?? 'columns',
    trueScale: link.trueScale ?? false,
    hidden: link.hidden ?? NOTHING_HIDDEN,
  } as const
  const withLine = put(put(put(view, 'eventFilter', link.eventFilter), 'matrix', link.matrix), 'align', link.align)
  const withView = put(
    put(put(put(withLine, 'lba', link.lba), 'layer', link.layer), 'latency', link.latency),
    'functions',
    link.functions,
  )
  const withCharts = put(
    put(put(put(withView, 'preview', undefined), 'sizesAt', link.sizesAt), 'bars', link.bars),
    'rate',
    link.rate,
  )
  const found = put(
    { ...put(page, 'fleetWanted', link.fleet), view: withCharts, trail: push(START, link.range) },
    'finding',
    link.finding,
  )
  const named = {
    ...(link.finding !== undefined && { finding: link.finding }),
    ...(link.evidence !== undefined && { evidence: link.evidence }),
  }
  const seen = put(put(found, 'named', Object.keys(named).length > 0 ? named : undefined), 'evidence', undefined)
  const grouping = link.grouping ?? (link.groups ? 'chosen' : undefined)
  const grouped = put(seen, 'grouping', grouping ?? (page.grouping === 'name' ? 'name' : undefined))
  return settlePage(link.title === undefined ? grouped : { ...grouped, title: link.title })
}
