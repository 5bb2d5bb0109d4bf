/**
 * The view as the fragment of a URL:
 * `#v=1&t=0.5..2.25&lba=0..4096&layer=op&geo=unit=256KiB,disks=4,…&hide=op:read&sample=idling`. Browsers never send
 * it to a host. What cannot be read is ignored and reported, so that damaged links still open.
 */
import * as v from 'valibot'
import { type Geometry, LAYERS, type LabelDimension, type Layer, type Range } from '../engine/protocol'
import type { Ns, Sector } from '../lib/units'
import { AnnotationValue, annotationValue, type LinkAnnotation, MAX_ANNOTATIONS } from './annotations'
import { fieldReader, fieldsOf, type LinkProblem, problemOf, VERSION } from './fields'
import { type TraceUrl, urlProblem, urlsOf } from './urls'
import * as values from './values'
import { geometryText, HIDE, listText, Name, NONE, partText, seconds } from './values'
import {
  ALIGNMENTS,
  type Hidden,
  LATENCY_STAGES,
  LAYOUTS,
  type LatencyStage,
  type Layout,
  LETTERS,
  MAX_LABEL_COLUMNS,
  type MatrixLayout,
  RESULTS_VIEWS,
  type RunLetter,
  SIZES_AT,
  type SizesAt,
  type TimeAlignment,
  type TracePart,
  type TraceSum,
} from './view'

type ByLetter<T = string> = Readonly<Record<string, T>>

/** The contents of a link; absent fields have their defaults. */
export interface Link {
  /** Trace URLs, in the order of opening. */
  readonly urls?: readonly TraceUrl[]
  /** Sizes of the batches in which they were opened; absent: all at once. */
  readonly opened?: readonly number[]
  /** Removed traces: numbers in the order of opening, from 1. */
  readonly gone?: readonly number[]
  /** Parts of traces that are read; absent: all of them. */
  readonly windows?: readonly TracePart[]
  /** Shown time range; absent: the complete run. */
  readonly range?: Range
  readonly lba?: readonly [Sector, Sector]
  readonly layer?: Layer
  readonly stage?: LatencyStage
  readonly layout?: Layout
  readonly align?: TimeAlignment
  /** Offsets of runs that were aligned by hand: by letter, ns. */
  readonly shifts?: ByLetter<Ns>
  readonly eventFilter?: string
  readonly matrix?: MatrixLayout
  readonly sizesAt?: SizesAt
  readonly bars?: 'requests'
  readonly rate?: 'ios'
  readonly trueScale?: true
  readonly hidden?: Hidden
  readonly latency?: readonly [Ns, Ns]
  /** Functions of the kernel through which the shown requests came, the outermost one first. */
  readonly functions?: readonly string[]
  /** `none`: the sample has a geometry, and the user removed it. */
  readonly geometry?: Geometry | typeof NONE
  /** Geometries of single runs that differ from `geometry`: by letter. */
  readonly geometryOf?: ByLetter<Geometry | typeof NONE>
  /**
   * Runs in their order: number of the trace, from 1 in the order of opening; a run for one device also has the
   * device's name.
   */
  readonly order?: readonly { readonly trace: number; readonly device?: string }[]
  readonly baseline?: RunLetter
  /** The run that is compared with the baseline. */
  readonly compared?: RunLetter
  /** Hidden runs. */
  readonly off?: readonly RunLetter[]
  /** The run whose events are listed, where there is room for one list. */
  readonly listed?: RunLetter
  /** Labels given by the user, by letter. */
  readonly labels?: ByLetter
  readonly groups?: ByLetter
  /** `name`: the groups were recognised by names; `none`: the user undid that. */
  readonly grouping?: 'name' | 'none'
  /** Columns of the label table; present once the user changed it. */
  readonly parts?: readonly LabelDimension[]
  /** Cells of the label table, by letter and key of the column. */
  readonly cells?: ByLetter<ByLetter>
  /** Name of the shown device. */
  readonly device?: string
  /** Devices of runs that show another one, by letter. */
  readonly devices?: ByLetter
  /** Rank of the finding at the top of the page. */
  readonly finding?: number
  /** Number of the interval of its evidence that is shown, from 1. */
  readonly evidence?: number
  readonly annotations?: readonly LinkAnnotation[]
  /** Streams that are being written, on the host of the page. */
  readonly live?: readonly string[]
  readonly sample?: string
  readonly title?: string
  /** View of a table of digests that one of the URLs is. */
  readonly fleet?: string
  /** Checksums of the traces in the snapshot. */
  readonly sums?: readonly TraceSum[]
  /** The packed snapshot that is shown instead of traces. */
  readonly snapshot?: string
}

/** A link, and its fields that could not be read. */
export interface DecodedLink {
  readonly link: Link
  readonly problems: readonly LinkProblem[]
}

/**
 * Percent-encodes a value, but keeps characters readable that have no special meaning in a fragment. Lone surrogates
 * cannot be encoded and become U+FFFD.
 */
const encode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/%(2C|3A|3D|2F)/g, decodeURIComponent)

const PER_RUN = [
  ['label', 'labels'],
  ['group', 'groups'],
  ['dev', 'devices'],
] as const satisfies readonly (readonly [string, keyof Link])[]

/** Entries in the order of the letters, so that equal links are equal texts. */
const entriesByRun = <T>(entries: ByLetter<T> = {}) =>
  LETTERS.flatMap(letter => (entries[letter] === undefined ? [] : [[letter, entries[letter]] as const]))

type AddField = (key: string, value: string | undefined, encodeValue?: (value: string) => string) => void

export function encodeLink(link: Link): string {
  const fields: string[] = [`v=${VERSION}`]
  const add: AddField = (key, value, encodeValue = encode) => {
    if (value !== undefined) fields.push(`${key}=${encodeValue(value)}`)
  }
  // The order is part of the format: links are compared as texts.
  addSources(link, add)
  addRuns(link, add)
  addView(link, add)
  addMatrix(link.matrix, add)
  addFilters(link, add)
  // A plus is a space, in all versions.
  for (const annotation of link.annotations ?? [])
    add('note', annotationValue(annotation), text => encode(text).replaceAll('%20', '+'))
  for (const { trace, sum } of link.sums ?? []) add('sum', `${trace}:${sum}`)
  add('fleet', link.fleet)
  // Last: mail clients truncate links at the end, and a truncated snapshot still opens in part.
  add('s', link.snapshot, text => text)
  return fields.join('&')
}

/** Adds what is opened, and the time range that is shown. */
function addSources(link: Link, add: AddField): void {
  for (const { url, sha } of link.urls ?? []) {
    add('url', url, encodeURIComponent)
    add('sha', sha)
  }
  add('opened', link.opened?.join(','))
  add('gone', link.gone?.join(','))
  for (const part of link.windows ?? []) add('win', partText(part))
  for (const url of link.live ?? []) add('live', url, encodeURIComponent)
  add('sample', link.sample)
  add('title', link.title)
  add('t', link.range && `${seconds(link.range.t0)}..${seconds(link.range.t1)}`)
  add('lba', link.lba && `${Math.floor(link.lba[0])}..${Math.ceil(link.lba[1])}`)
}

/** Adds the order, names, groups and labels of runs. */
function addRuns(link: Link, add: AddField): void {
  for (const { trace, device } of link.order ?? [])
    add('run', device === undefined ? String(trace) : `${trace}:${device}`)
  add('base', link.baseline)
  add('diff', link.compared)
  add('off', link.off?.join(''))
  add('list', link.listed)
  for (const [key, names] of PER_RUN)
    for (const [letter, name] of entriesByRun(link[names])) add(`${key}.${letter}`, name)
  add('group', link.grouping)
  for (const { key, name } of link.parts ?? []) add('part', `${key}:${name}`)
  if (link.parts?.length === 0) add('part', '-')
  for (const [letter, cells] of entriesByRun(link.cells))
    for (const [key, value] of Object.entries(cells)) add(`cell.${letter}`, `${key}:${value}`)
}

function addView(link: Link, add: AddField): void {
  add('dev', link.device)
  add('finding', link.finding?.toString())
  add('evidence', link.evidence?.toString())
  add('layer', link.layer)
  add('stage', link.stage)
  add('layout', link.layout)
  add('align', link.align)
  for (const [letter, shift] of entriesByRun(link.shifts)) add(`shift.${letter}`, seconds(shift))
  add('events', link.eventFilter)
}

function addMatrix(matrix: Link['matrix'], add: AddField): void {
  if (matrix === undefined) return
  add('table', matrix.table === undefined ? undefined : String(matrix.table + 1))
  add('figure', matrix.figure)
  add('rows', matrix.rows && listText(matrix.rows))
  add('cols', matrix.columns && listText(matrix.columns))
  add('against', matrix.base && (matrix.base === NONE ? NONE : `${matrix.base.axis}:${matrix.base.key}`))
  add('picture', matrix.picture)
  add('curve', matrix.cumulative && 'cumulative')
  add('show', matrix.show)
  for (const side of matrix.leftOut ?? []) add('without', side)
  for (const key of matrix.hidden ?? []) add('norow', key)
}

/** Adds switches of charts, filters and geometry. */
function addFilters(link: Link, add: AddField): void {
  add('sizes', link.sizesAt)
  add('bars', link.bars)
  add('rate', link.rate)
  add('scale', link.trueScale && 'true')
  add('lat', link.latency && `${seconds(link.latency[0])}..${seconds(link.latency[1])}`)
  for (const name of link.functions ?? []) add('through', name)
  add('geo', link.geometry && geometryText(link.geometry))
  for (const [letter, geometry] of entriesByRun(link.geometryOf)) add(`geo.${letter}`, geometryText(geometry))
  for (const [facet, name] of HIDE) for (const value of link.hidden?.[facet] ?? []) add('hide', `${name}:${value}`)
}

type Reader = ReturnType<typeof fieldReader>

function readHidden(readAll: Reader['readAll'], problem: (problem: LinkProblem) => void): Hidden | undefined {
  const texts = readAll('hide', v.string())
  const facets = HIDE.map(([facet, name, schema]) => {
    const ofFacet = [...new Set(texts)].filter(text => text.startsWith(`${name}:`))
    const accepted = ofFacet.flatMap(text => {
      const { success, output } = v.safeParse(schema, text.slice(name.length + 1))
      if (!success) problem(problemOf('hide', text))
      return success ? [output] : []
    })
    return [facet, accepted] as const
  })
  for (const text of texts) if (!HIDE.some(([, name]) => text.startsWith(`${name}:`))) problem(problemOf('hide', text))
  return facets.some(([, list]) => list.length > 0) ? (Object.fromEntries(facets) as unknown as Hidden) : undefined
}

/** The object without its undefined fields; undefined when no field is left. */
function withoutUndefined<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T | undefined {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return present.length === 0 ? undefined : (Object.fromEntries(present) as T)
}

/** The first `MAX_ANNOTATIONS` annotations; the others become a problem. */
function firstFew(
  annotations: readonly LinkAnnotation[],
  problem: (problem: LinkProblem) => void,
): readonly LinkAnnotation[] {
  const more = annotations[MAX_ANNOTATIONS]
  if (more) problem(problemOf('note', more.text, `A page has at most ${MAX_ANNOTATIONS} annotations.`))
  return annotations.slice(0, MAX_ANNOTATIONS)
}

/** Functions of a path; the kernel records no longer ones. */
const MAX_FUNCTIONS = 127

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined)

/** Columns without duplicates, up to the limit of the table. */
const columnsOf = (parts: readonly (LabelDimension | '-')[]): readonly LabelDimension[] =>
  parts
    .flatMap(part => (part === '-' ? [] : [part]))
    .filter(({ key }, i, all) => all.findIndex(part => part.key === key) === i)
    .slice(0, MAX_LABEL_COLUMNS)

/** Valid URLs of streams. That they are of the page's host is checked where they are opened. */
const acceptLive = (urls: readonly string[], problem: (problem: LinkProblem) => void): readonly string[] =>
  urls.filter(url => {
    const why = urlProblem(url)
    if (why !== undefined) problem(problemOf('live', url, why))
    return why === undefined
  })

/**
 * Decodes a fragment, with or without its `#`. Unknown keys are ignored, so that older pages open links of newer
 * ones.
 */
export function decodeLink(fragment: string): DecodedLink {
  const { fields, problems: damaged } = fieldsOf(fragment)
  const problems: LinkProblem[] = [...damaged]
  const problem = (found: LinkProblem) => problems.push(found)
  const { readOne, readAll, perRun } = fieldReader(fields, problem)
  const readNames = (name: string) => perRun(name, key => readOne(key, Name))
  const t = readOne('t', values.Ends)
  const urls = urlsOf(fields, problem)
  const opened = readOne('opened', values.Counts)
  if (opened && opened.reduce((sum, n) => sum + n, 0) !== urls?.length)
    problem(problemOf('opened', opened.join(','), 'The counts do not match the number of URLs.'))
  const parts = readAll('part', values.PartText)
  const cells = perRun('cell', key => {
    const texts = readAll(key, values.CellText)
    return texts.length > 0 ? Object.fromEntries(texts) : undefined
  })
  const tableNumber = readOne('table', values.Count)
  const link = withoutUndefined<Link>({
    urls,
    opened: opened?.reduce((sum, n) => sum + n, 0) === urls?.length ? opened : undefined,
    gone: readOne('gone', values.Counts),
    windows: unlessEmpty(readAll('win', values.PartOfTrace)),
    range: t && { t0: t[0], t1: t[1] },
    lba: readOne('lba', values.Sectors),
    layer: readOne('layer', v.picklist(LAYERS)),
    stage: readOne('stage', v.picklist(LATENCY_STAGES)),
    layout: readOne('layout', v.picklist(LAYOUTS)),
    align: readOne('align', v.picklist(ALIGNMENTS)),
    shifts: perRun('shift', key => readOne(key, values.Seconds)),
    eventFilter: readOne('events', Name),
    matrix: withoutUndefined<MatrixLayout>({
      table: tableNumber === undefined ? undefined : tableNumber - 1,
      figure: readOne('figure', Name),
      rows: readOne('rows', values.Keys),
      columns: readOne('cols', values.Keys),
      base: readOne('against', values.Against),
      picture: readOne('picture', values.Key),
      cumulative: readOne('curve', v.literal('cumulative')) && (true as const),
      show: readOne('show', v.picklist(RESULTS_VIEWS)),
      leftOut: unlessEmpty(readAll('without', Name)),
      hidden: unlessEmpty(readAll('norow', Name)),
    }),
    sizesAt: readOne('sizes', v.picklist(SIZES_AT)),
    bars: readOne('bars', v.picklist(['requests'])),
    rate: readOne('rate', v.picklist(['ios'])),
    trueScale: readOne('scale', v.literal('true')) && (true as const),
    latency: readOne('lat', values.Ends),
    functions: unlessEmpty(readAll('through', Name).slice(0, MAX_FUNCTIONS)),
    geometry: readOne('geo', values.GeometryText),
    geometryOf: perRun('geo', key => readOne(key, values.GeometryText)),
    order: unlessEmpty(readAll('run', values.Ordered)),
    baseline: readOne('base', values.Letter),
    compared: readOne('diff', values.Letter),
    off: readOne('off', values.Letters),
    listed: readOne('list', values.Letter),
    labels: readNames('label'),
    groups: readNames('group'),
    grouping: readOne('group', v.picklist(['name', 'none'])),
    parts: parts.length === 0 ? undefined : columnsOf(parts),
    cells,
    devices: readNames('dev'),
    hidden: readHidden(readAll, problem),
    device: readOne('dev', Name),
    finding: readOne('finding', values.Count),
    evidence: readOne('evidence', values.Count),
    annotations: unlessEmpty(firstFew(readAll('note', AnnotationValue), problem)),
    live: unlessEmpty(acceptLive(readAll('live', Name), problem)),
    sample: readOne('sample', Name),
    title: readOne('title', Name),
    sums: unlessEmpty(readAll('sum', values.SumOfTrace)),
    fleet: readOne('fleet', values.FleetText),
    snapshot: readOne('s', values.Packed),
  })
  return { link: link ?? {}, problems }
}
