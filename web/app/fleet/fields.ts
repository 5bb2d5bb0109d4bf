/** The columns of a table of digests as the page names them, and which of them it shows at first. */
import { scaleOf } from '../../compare/scale'
import type { Column, TextColumn } from '../../fleet/table/columns'
import type { FleetOutline } from '../../fleet/table/outline'
import { columnOf, FACTS, LABELS, UNSHOWN } from '../../fleet/table/schema'
import { count, figure } from '../../lib/format'

/** Text for rows without a value of a label. */
export const UNKNOWN = 'not known'

export interface FleetField {
  readonly name: string
  /** `Q2C p99`, without its unit. */
  readonly title: string
  readonly kind: 'label' | 'figure' | 'fact'
  /** Unit as in the engine's documents. */
  readonly unit: string
}

const TITLES: Readonly<Record<string, string>> = {
  run: 'Run',
  kernel: 'Kernel',
  build: 'Build',
  scheduler: 'Scheduler',
  workload: 'Workload',
  repeat_group: 'Repeats of',
  device: 'Device',
  model: 'Model',
  dev: 'Device number',
  role: 'Role',
  findings: 'Findings',
  folder: 'Folder',
  source: 'Recording',
  trace: 'Trace',
  compared: 'Compared device',
  position: 'Position',
  events: 'Events',
  lost_events: 'Lost events',
  truncated_bytes: 'Truncated bytes',
  window_from_ns: 'Part from',
  window_to_ns: 'Part to',
  first_queued_ns: 'First queued',
  last_completed_ns: 'Last completed',
}

/** Labels shown by default, if the table has them. */
const USUAL_LABELS = ['kernel', 'scheduler', 'workload', 'device', 'findings']
const USUAL_FIGURES = ['span', 'bps', 'iops', 'q2c_mean', 'q2c_p99', 'd2c_mean', 'depth_mean', 'starved_share']

/** Labels that are the same for repeats of a measurement: by them rows are compared with their like. */
const NOT_OF_REPEATS: readonly string[] = ['run', 'findings', 'folder', 'source', 'trace', 'sha256', 'source_sha256']

export interface FleetFields {
  readonly allFields: readonly FleetField[]
  readonly labels: readonly FleetField[]
  readonly figures: readonly FleetField[]
  readonly usual: readonly string[]
  /** Labels that identify repeats: rows that agree in all of them repeat one measurement. */
  readonly repeated: readonly string[]
  find(name: string): FleetField | undefined
}

const unitOfFact = (name: string): string => (name.endsWith('_ns') ? 'ns' : name.endsWith('_bytes') ? 'bytes' : 'count')

export function fieldsOf({ columns, figures }: FleetOutline): FleetFields {
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const unshown = new Set<string>(UNSHOWN)
  const standard = new Set<string>([...LABELS, ...FACTS])
  const parts = new Set(figures.flatMap(({ key }) => ['_low', '_high', '_bins'].map(end => columnOf(key) + end)))
  const extraColumns = columns.filter(
    ({ name, type }) => !standard.has(name) && !unshown.has(name) && !parts.has(name) && type !== 'list',
  )
  const figureByColumn = new Map(figures.map(entry => [columnOf(entry.key), entry]))
  const label = (name: string): FleetField => ({ name, title: TITLES[name] ?? name, kind: 'label', unit: '' })
  const labels = [
    ...LABELS.filter(name => types.get(name) === 'text'),
    ...extraColumns.flatMap(({ name, type }) => (type === 'text' || type === 'flag' ? [name] : [])),
    ...(types.has('compared') ? ['compared'] : []),
  ].map(label)
  const figureFields = figures.flatMap(({ key, label: title, unit }): readonly FleetField[] =>
    types.get(columnOf(key)) === 'number' ? [{ name: columnOf(key), title, kind: 'figure', unit }] : [],
  )
  const facts = [
    ...FACTS.filter(name => types.get(name) === 'number'),
    ...extraColumns.flatMap(({ name, type }) => (type === 'number' && !figureByColumn.has(name) ? [name] : [])),
  ].map((name): FleetField => ({ name, title: TITLES[name] ?? name, kind: 'fact', unit: unitOfFact(name) }))
  const allFields = [...labels, ...figureFields, ...facts]
  const byName = new Map(allFields.map(field => [field.name, field]))
  return {
    allFields,
    labels,
    figures: figureFields,
    usual: [
      'run',
      ...USUAL_LABELS.filter(name => types.get(name) === 'text'),
      ...USUAL_FIGURES.filter(name => types.get(name) === 'number'),
    ],
    repeated: labels.flatMap(({ name }) => (NOT_OF_REPEATS.includes(name) ? [] : [name])),
    find: name => byName.get(name),
  }
}

/** Format of a column's numbers: all have the unit of a typical value. */
export interface Written {
  readonly unit: string
  text(value: number): string
}

export function columnFormat({ unit }: FleetField, column: Column | undefined): Written {
  if (column?.type !== 'number') return { unit: '', text: count }
  const present = column.values.filter(value => value !== 0 && !Number.isNaN(value))
  const typical = present.length === 0 ? 0 : Math.abs(present.toSorted()[present.length >> 1] ?? 0)
  const scale = scaleOf(unit, typical)
  // A sum of events is not rounded.
  if (scale.per === 1 && unit === 'count')
    return { unit: scale.unit, text: value => (Number.isInteger(value) ? count(value) : figure(value)) }
  return { unit: scale.unit, text: value => figure(value / scale.per) }
}

/** A value with its unit, for use in sentences. */
export const inUnit = ({ unit, text }: Written, value: number): string =>
  `${text(value)}${unit === '' || unit === '%' ? unit : ` ${unit}`}`

/** Whether a label has more than one value. */
export const differs = (column: Column | undefined): column is TextColumn =>
  column?.type === 'text' && (column.words.length > 1 || (column.words.length === 1 && column.codes.includes(-1)))
