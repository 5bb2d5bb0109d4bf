/**
 * The view as a fragment of the address: `#v=1&t=0.5..2.25&lba=0..4096&layer=op&geo=unit=256KiB,disks=4,…&hide=op:read&sample=idling`.
 * It is never sent to a host. What cannot be read is left out, so that an old or a broken link still opens.
 */
import * as v from 'valibot'
import { ALIGNMENT_CLASSES, FLAGS, type Geometry, type Layer, OPS, type Range } from '../engine/protocol'
import { formatGeometry, parseGeometry } from '../lib/geometry'
import { type Ns, ns, type Sector, sector } from '../lib/units'
import { LETTERS } from './runs'
import { type Hidden, LAYOUTS, type MatrixLayout, type RunLetter, type View } from './types'

const LAYERS = ['density', 'op', 'alignment', 'process', 'size', 'latency', 'sync'] as const satisfies readonly Layer[]
const STAGES = ['q2c', 'd2c', 'q2d'] as const satisfies readonly View['stage'][]
const NONE = 'none'

type ByLetter = Readonly<Record<string, string>>

/** What a link says; everything else is at its default. */
export interface Link {
  /** Absent: the whole run. */
  readonly range?: Range
  readonly lba?: readonly [Sector, Sector]
  readonly layer?: Layer
  readonly stage?: View['stage']
  readonly layout?: View['layout']
  readonly align?: View['align']
  /** Where runs stand when they were aligned by hand: by letter, ns. */
  readonly shifts?: Readonly<Record<string, Ns>>
  readonly eventFilter?: string
  readonly matrix?: MatrixLayout
  readonly trueScale?: true
  readonly hidden?: Hidden
  readonly latency?: View['latency']
  /** `none`: taken away from a sample that comes with one. */
  readonly geometry?: Geometry | typeof NONE
  /** Where a run's geometry differs from that of all: by letter; `none` takes it away. */
  readonly geometryOf?: Readonly<Record<string, Geometry | typeof NONE>>
  /** Runs in their order: number of the trace, from 1 as they were opened; a run for one device of it also tells its name. */
  readonly order?: readonly { readonly trace: number; readonly device?: string }[]
  readonly baseline?: RunLetter
  /** The run that is compared with the baseline. */
  readonly compared?: RunLetter
  /** Hidden runs. */
  readonly off?: readonly RunLetter[]
  /** By letter, where the reader gave one. */
  readonly labels?: ByLetter
  readonly groups?: ByLetter
  /** Name of the shown device. */
  readonly device?: string
  /** Where a run shows another one. */
  readonly devices?: ByLetter
  readonly sample?: string
  readonly title?: string
}

/** ns as seconds, exact: whole ns need at most nine digits. */
function seconds(t: number): string {
  const whole = Math.round(t)
  const fraction = String(whole % 1e9)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${Math.floor(whole / 1e9)}${fraction === '' ? '' : `.${fraction}`}`
}

function nsOf(text: string): number {
  const [whole = '', fraction = ''] = text.split('.')
  return Number(whole) * 1e9 + Number(fraction.padEnd(9, '0').slice(0, 9))
}

/** Kept readable: these mean nothing special inside a fragment's value. */
const encode = (text: string): string => encodeURIComponent(text).replace(/%(2C|3A|3D|2F)/g, decodeURIComponent)

/** Keys of parts; an empty list is `-`. */
const listText = (keys: readonly string[]): string => (keys.length === 0 ? '-' : keys.join(','))

const geometryText = (geometry: Geometry | typeof NONE): string => (geometry === NONE ? NONE : formatGeometry(geometry))

export function encodeLink(link: Link): string {
  const out: string[] = ['v=1']
  const add = (key: string, value: string | undefined) => {
    if (value !== undefined) out.push(`${key}=${encode(value)}`)
  }
  add('sample', link.sample)
  add('title', link.title)
  add('t', link.range && `${seconds(link.range.t0)}..${seconds(link.range.t1)}`)
  add('lba', link.lba && `${link.lba[0]}..${link.lba[1]}`)
  for (const { trace, device } of link.order ?? []) add('run', device === undefined ? String(trace) : `${trace}:${device}`)
  add('base', link.baseline)
  add('diff', link.compared)
  add('off', link.off?.join(''))
  for (const [key, names] of PER_RUN) for (const [letter, name] of Object.entries(link[names] ?? {})) add(`${key}.${letter}`, name)
  add('dev', link.device)
  add('layer', link.layer)
  add('stage', link.stage)
  add('layout', link.layout)
  add('align', link.align)
  for (const [letter, shift] of Object.entries(link.shifts ?? {})) add(`shift.${letter}`, seconds(shift))
  add('events', link.eventFilter)
  const { matrix } = link
  add('figure', matrix?.figure)
  add('rows', matrix?.rows && listText(matrix.rows))
  add('cols', matrix?.columns && listText(matrix.columns))
  add('against', matrix?.base && (matrix.base === NONE ? NONE : `${matrix.base.axis}:${matrix.base.key}`))
  add('scale', link.trueScale && 'true')
  add('lat', link.latency && `${seconds(link.latency[0])}..${seconds(link.latency[1])}`)
  add('geo', link.geometry && geometryText(link.geometry))
  for (const [letter, geometry] of Object.entries(link.geometryOf ?? {})) add(`geo.${letter}`, geometryText(geometry))
  for (const [facet, name] of HIDE) for (const value of link.hidden?.[facet] ?? []) add('hide', `${name}:${value}`)
  return out.join('&')
}

const PER_RUN = [
  ['label', 'labels'],
  ['group', 'groups'],
  ['dev', 'devices'],
] as const satisfies readonly (readonly [string, keyof Link])[]

const HIDE = [
  ['ops', 'op'],
  ['flags', 'flag'],
  ['processes', 'process'],
  ['cpus', 'cpu'],
  ['alignment', 'alignment'],
] as const satisfies readonly (readonly [keyof Hidden, string])[]

const Ends = v.pipe(
  v.string(),
  v.regex(/^\d{1,8}(\.\d{1,9})?\.\.\d{1,8}(\.\d{1,9})?$/),
  v.transform(text => {
    const [from = '', to = ''] = text.split('..')
    return [ns(nsOf(from)), ns(nsOf(to))] as const
  }),
  v.check(([from, to]) => from < to),
)
const Sectors = v.pipe(
  v.string(),
  v.regex(/^\d{1,15}\.\.\d{1,15}$/),
  v.transform(text => {
    const [from = '', to = ''] = text.split('..')
    return [sector(Number(from)), sector(Number(to))] as const
  }),
  v.check(([from, to]) => from < to),
)
const GeometryText = v.pipe(
  v.string(),
  v.transform(text => (text === NONE ? NONE : parseGeometry(text))),
  v.custom<Geometry | typeof NONE>(g => g !== undefined),
)
const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const Letter = v.picklist(LETTERS)
const Letters = v.pipe(
  v.string(),
  v.regex(/^[A-T]{1,20}$/),
  v.transform(text => [...new Set(text)] as RunLetter[]),
)
const Seconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,8}(\.\d{1,9})?$/),
  v.transform(text => ns(nsOf(text))),
)
const Ordered = v.pipe(
  v.string(),
  v.regex(/^([1-9]|1\d|20)(:.{1,200})?$/s),
  v.transform(text => {
    const [trace = '', ...device] = text.split(':')
    return { trace: Number(trace), ...(device.length > 0 && { device: device.join(':') }) }
  }),
)

const Keys = v.pipe(
  v.string(),
  v.regex(/^(-|[a-z0-9.-]{1,80}(,[a-z0-9.-]{1,80}){0,20})$/),
  v.transform(text => (text === '-' ? [] : text.split(','))),
)
const Against = v.pipe(
  v.string(),
  v.regex(/^(none|(row|column):.{0,500})$/s),
  v.transform((text): NonNullable<MatrixLayout['base']> => {
    const [axis, ...key] = text.split(':')
    return text === NONE ? NONE : { axis: axis === 'row' ? 'row' : 'column', key: key.join(':') }
  }),
)

/** The value when the schema takes it; else nothing. */
function read<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const result = v.safeParse(schema, value)
  return result.success ? result.output : undefined
}

function readHidden(values: readonly string[]): Hidden | undefined {
  const of = (name: string) => [...new Set(values.filter(h => h.startsWith(`${name}:`)).map(h => h.slice(name.length + 1)))]
  const kept = <S extends v.GenericSchema>(name: string, schema: S): v.InferOutput<S>[] =>
    of(name).flatMap(x => {
      const value = read(schema, x)
      return value === undefined ? [] : [value]
    })
  const Cpu = v.pipe(v.string(), v.regex(/^\d{1,6}$/), v.transform(Number))
  const hidden: Hidden = {
    ops: kept('op', v.picklist(OPS)),
    flags: kept('flag', v.picklist(FLAGS)),
    processes: kept('process', Name),
    cpus: kept('cpu', Cpu),
    alignment: kept('alignment', v.picklist(ALIGNMENT_CLASSES)),
  }
  return Object.values(hidden).some(list => list.length > 0) ? hidden : undefined
}

function readMatrix(given: { readonly [K in keyof MatrixLayout]: MatrixLayout[K] | undefined }): MatrixLayout | undefined {
  const told = Object.entries(given).filter(([, value]) => value !== undefined)
  return told.length === 0 ? undefined : Object.fromEntries(told)
}

/** Reads a fragment, with or without its `#`. An unknown version says nothing. */
export function decodeLink(fragment: string): Link {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  if (fields.get('v') !== '1') return {}
  const get = <S extends v.GenericSchema>(key: string, schema: S) => read(schema, fields.get(key))
  const t = get('t', Ends)
  const perRun = <S extends v.GenericSchema>(name: string, schema: S) => {
    const given = LETTERS.flatMap(letter => {
      const value = get(`${name}.${letter}`, schema)
      return value === undefined ? [] : [[letter, value] as const]
    })
    return given.length > 0 ? Object.fromEntries(given) : undefined
  }
  const order = fields.getAll('run').flatMap(text => read(Ordered, text) ?? [])
  const optional = {
    range: t && { t0: t[0], t1: t[1] },
    lba: get('lba', Sectors),
    layer: get('layer', v.picklist(LAYERS)),
    stage: get('stage', v.picklist(STAGES)),
    layout: get('layout', v.picklist(LAYOUTS)),
    align: get('align', v.picklist(['io', 'clock', 'hand'])),
    shifts: perRun('shift', Seconds),
    eventFilter: get('events', Name),
    matrix: readMatrix({ figure: get('figure', Name), rows: get('rows', Keys), columns: get('cols', Keys), base: get('against', Against) }),
    trueScale: get('scale', v.literal('true')) && (true as const),
    latency: get('lat', Ends),
    geometry: get('geo', GeometryText),
    geometryOf: perRun('geo', GeometryText),
    order: order.length > 0 ? order : undefined,
    baseline: get('base', Letter),
    compared: get('diff', Letter),
    off: get('off', Letters),
    labels: perRun('label', Name),
    groups: perRun('group', Name),
    devices: perRun('dev', Name),
    hidden: readHidden(fields.getAll('hide')),
    device: get('dev', Name),
    sample: get('sample', Name),
    title: get('title', Name),
  }
  return Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Link
}
