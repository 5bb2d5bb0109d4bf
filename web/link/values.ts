/** Values of a link's fields: how they are written, and which are accepted. */
import * as v from 'valibot'
import { ALIGNMENT_CLASSES, FLAGS, type Geometry, type LabelDimension, OPS } from '../engine/protocol'
import { formatGeometry, parseGeometry } from '../lib/geometry'
import { ns, sector } from '../lib/units'
import { type Hidden, LETTERS, type MatrixLayout, type RunLetter, type TracePart, type TraceSum } from './view'

/** Value of a field that is explicitly unset, where its default would be something else. */
export const NONE = 'none'

/** ns as seconds, exact: whole ns need at most nine digits. */
export function seconds(t: number): string {
  const rounded = Math.round(t)
  const fraction = String(rounded % 1e9)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${Math.floor(rounded / 1e9)}${fraction === '' ? '' : `.${fraction}`}`
}

function nsOf(text: string): number {
  const [integer = '', fraction = ''] = text.split('.')
  return Number(integer) * 1e9 + Number(fraction.padEnd(9, '0').slice(0, 9))
}

/** Keys of label dimensions; an empty list is `-`. */
export const listText = (keys: readonly string[]): string => (keys.length === 0 ? '-' : keys.join(','))

export const geometryText = (geometry: Geometry | typeof NONE): string =>
  geometry === NONE ? NONE : formatGeometry(geometry)

export const Ends = v.pipe(
  v.string(),
  v.regex(/^\d{1,8}(\.\d{1,9})?\.\.\d{1,8}(\.\d{1,9})?$/),
  v.transform(text => {
    const [from = '', to = ''] = text.split('..')
    return [ns(nsOf(from)), ns(nsOf(to))] as const
  }),
  v.check(([from, to]) => from < to),
)
/** `2:0..12.5` of the second trace, `10..` of all traces to their ends. */
export const PartOfTrace = v.pipe(
  v.string(),
  v.regex(/^((?:[1-9]|1\d|20):)?\d{1,8}(\.\d{1,9})?\.\.(\d{1,8}(\.\d{1,9})?)?$/),
  v.transform((text): TracePart => {
    const [trace, ends = ''] = text.includes(':') ? text.split(':') : [undefined, text]
    const [from = '', to = ''] = ends.split('..')
    return {
      ...(trace !== undefined && { trace: Number(trace) }),
      window: { from_ns: ns(nsOf(from)), ...(to !== '' && { to_ns: ns(nsOf(to)) }) },
    }
  }),
  v.check(({ window: { from_ns = ns(0), to_ns } }) => to_ns === undefined || from_ns < to_ns),
)
export const partText = ({ trace, window: { from_ns = ns(0), to_ns } }: TracePart): string =>
  `${trace === undefined ? '' : `${trace}:`}${seconds(from_ns)}..${to_ns === undefined ? '' : seconds(to_ns)}`
export const Sectors = v.pipe(
  v.string(),
  v.regex(/^\d{1,15}\.\.\d{1,15}$/),
  v.transform(text => {
    const [from = '', to = ''] = text.split('..')
    return [sector(Number(from)), sector(Number(to))] as const
  }),
  v.check(([from, to]) => from < to),
)
export const GeometryText = v.pipe(
  v.string(),
  v.transform(text => (text === NONE ? NONE : parseGeometry(text))),
  v.custom<Geometry | typeof NONE>(g => g !== undefined),
)
export const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(1000))
/** View of a fleet or a bisection; parsed where it is opened. */
export const FleetText = v.pipe(v.string(), v.minLength(1), v.maxLength(8000))
export const Letter = v.picklist(LETTERS)
export const Letters = v.pipe(
  v.string(),
  v.regex(/^[A-T]{1,20}$/),
  v.transform(text => [...new Set(text)] as RunLetter[]),
)
export const Seconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,8}(\.\d{1,9})?$/),
  v.transform(text => ns(nsOf(text))),
)
export const Ordered = v.pipe(
  v.string(),
  v.regex(/^([1-9]|1\d|20)(:.{1,200})?$/s),
  v.transform(text => {
    const [trace = '', ...device] = text.split(':')
    return { trace: Number(trace), ...(device.length > 0 && { device: device.join(':') }) }
  }),
)

export const Keys = v.pipe(
  v.string(),
  v.regex(/^(-|[a-z0-9.-]{1,80}(,[a-z0-9.-]{1,80}){0,20})$/),
  v.transform(text => (text === '-' ? [] : text.split(','))),
)
export const Key = v.pipe(v.string(), v.regex(/^[a-z0-9.-]{1,80}$/))
export const Against = v.pipe(
  v.string(),
  v.regex(/^(none|(row|column):.{0,500})$/s),
  v.transform((text): NonNullable<MatrixLayout['base']> => {
    const [axis, ...key] = text.split(':')
    return text === NONE ? NONE : { axis: axis === 'row' ? 'row' : 'column', key: key.join(':') }
  }),
)

const Cell = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9.-]{1,80}:.{1,200}$/s),
  v.transform(text => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)] as const),
)
/** A column of the label table, `key:name`; `-` when it has no columns. */
export const PartText = v.union([
  v.literal('-'),
  v.pipe(
    Cell,
    v.transform(([key, name]): LabelDimension => ({ key, name })),
  ),
])
/** A cell of the label table: `key:value`. */
export const CellText = Cell
/** A whole number, 1 or more. */
export const Count = v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/), v.transform(Number))
export const Counts = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,2}(,[1-9]\d{0,2}){0,99}$/),
  v.transform(text => text.split(',').map(Number)),
)

/** Filter facets and their names in a link. */
export const HIDE = [
  ['ops', 'op', v.picklist(OPS)],
  ['flags', 'flag', v.picklist(FLAGS)],
  ['processes', 'process', Name],
  ['cpus', 'cpu', v.pipe(v.string(), v.regex(/^(0|[1-9]\d{0,5})$/), v.transform(Number))],
  ['alignment', 'alignment', v.picklist(ALIGNMENT_CLASSES)],
  ['objects', 'object', Name],
  ['writers', 'writer', Name],
] as const satisfies readonly (readonly [keyof Hidden, string, v.GenericSchema])[]

/** `1:` and the SHA-256 of the first trace. */
export const SumOfTrace = v.pipe(
  v.string(),
  v.regex(/^([1-9]|1\d|20):[0-9a-f]{64}$/i),
  v.transform((text): TraceSum => ({ trace: Number(text.split(':')[0]), sum: text.slice(-64).toLowerCase() })),
)

/**
 * A snapshot as it was pasted: the engine skips line breaks and quote marks, and reads a truncated one as far as
 * possible.
 */
export const Packed = v.pipe(v.string(), v.minLength(1), v.maxLength(8 << 20))
