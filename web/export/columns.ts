/** The columns of a request export, and the source of each. Documented in docs/at-scale.md. */
import type { DiskObject, ObjectNames, RequestColumns, Stage, TraceInfo } from '../engine/protocol'

/** The run and trace of rows. */
interface RowOwner {
  readonly run: string
  readonly trace: string
  readonly info: TraceInfo
  readonly objects: ObjectNames
  /** Number of the run's rows before the trace; absent where rows are left out, so that places are no numbers. */
  readonly before?: number
}

/** A cell of an export; `undefined` is NULL. */
export type ExportCell = string | number | boolean | undefined

export interface ExportColumn {
  readonly name: string
  readonly type: 'STRING' | 'INT32' | 'INT64' | 'BOOLEAN'
  /** Returns the cell of each row. */
  readonly cells: (rows: RequestColumns, owner: RowOwner) => (row: number) => ExportCell
}

/** Writes a file of requests. */
export interface RequestFile {
  add(rows: RequestColumns, owner: RowOwner): Promise<void>
  finish(): Promise<void>
}

/** Takes the next bytes of a file. */
export type WriteChunk = (bytes: Uint8Array) => void | Promise<void>

const orUndefined =
  (list: Float64Array) =>
  (i: number): number | undefined => {
    const value = list[i]
    return value === undefined || Number.isNaN(value) ? undefined : value
  }

/** A property of the device of each row. */
const ofDevice =
  (key: 'name' | 'dev' | 'role'): ExportColumn['cells'] =>
  (rows, owner) => {
    const valueByIndex = new Map(owner.info.devices.map(device => [device.index, device[key]]))
    return i => valueByIndex.get(rows.device[i] ?? -1)
  }

const ofProcess =
  (key: 'pid' | 'name'): ExportColumn['cells'] =>
  (rows, owner) => {
    const valueByIndex = new Map(owner.info.processes.map(process => [process.index, process[key]]))
    return i => valueByIndex.get(rows.process[i] ?? -1)
  }

/** A time or a stage, ns. */
const duration = (key: 'queued' | 'allocated' | 'inserted' | 'issued' | 'completed' | Stage): ExportColumn => ({
  name: `${key}_ns`,
  type: 'INT64',
  cells: rows => orUndefined(rows[key]),
})

/** The sector of each row. A flush has no position, whatever the kernel wrote there. */
function sector(rows: RequestColumns): (row: number) => ExportCell {
  const [flush, valueAt] = [rows.names.op.indexOf('flush'), orUndefined(rows.sector)]
  return i => (rows.op[i] === flush ? undefined : valueAt(i))
}

function passthrough(rows: RequestColumns): (row: number) => ExportCell {
  const bit = 1 << rows.names.flags.indexOf('passthrough')
  return i => ((rows.flags[i] ?? 0) & bit) !== 0
}

/** Stands between the values of the parts of a request. */
const BETWEEN_PARTS = ';'

/**
 * A value of each part of a request: empty where all are unknown, and one value for a request that is one part. In a
 * list of paths the separator is escaped.
 */
const ofParts =
  (
    value: (rows: RequestColumns, part: number, owner: RowOwner) => string | number | undefined,
  ): ExportColumn['cells'] =>
  (rows, owner) =>
  row => {
    if (rows.firstPart.length === 0) return undefined
    const [from, to] = [rows.firstPart[row] ?? 0, rows.firstPart[row + 1] ?? 0]
    if (to - from === 1) return value(rows, from, owner)?.toString()
    const values = Array.from({ length: to - from }, (_, i) => value(rows, from + i, owner))
    if (values.every(part => part === undefined)) return undefined
    return values.map(part => String(part ?? '').replace(/[%;]/g, encodeURIComponent)).join(BETWEEN_PARTS)
  }

const ofObject = (key: keyof DiskObject): ExportColumn['cells'] =>
  ofParts((rows, part, owner) => owner.objects.objects[rows.partObject[part] ?? -1]?.[key])

/** A list for each row: `first` has the index of its first entry, and one more at the end. */
const ofList =
  (
    lists: (rows: RequestColumns) => { readonly first: Uint32Array; readonly entries: Uint32Array },
    valueFor: (owner: RowOwner) => (entry: number) => string | number | undefined,
  ): ExportColumn['cells'] =>
  (rows, owner) => {
    const { first, entries } = lists(rows)
    const value = valueFor(owner)
    if (first.length === 0) return () => undefined
    return row => {
      const values = Array.from(entries.subarray(first[row] ?? 0, first[row + 1] ?? 0), value)
      return values.length === 0 || values.includes(undefined) ? undefined : values.join('|')
    }
  }

function taskNames({ info }: RowOwner): (index: number) => string | undefined {
  const names = new Map(info.processes.map(({ index, name, pid }) => [index, `${name}[${pid}]`]))
  return index => names.get(index)
}

const ORIGIN_COLUMNS: readonly ExportColumn[] = [
  { name: 'object', type: 'STRING', cells: ofObject('kind') },
  { name: 'path', type: 'STRING', cells: ofObject('path') },
  { name: 'inode', type: 'STRING', cells: ofObject('inode') },
  { name: 'file_offset', type: 'STRING', cells: ofParts((rows, part) => orUndefined(rows.partOffset)(part)) },
  {
    name: 'writer',
    type: 'STRING',
    cells: ofParts((rows, part, owner) => owner.objects.writers[rows.partWriters[part] ?? -1]),
  },
  { name: 'object_sectors', type: 'STRING', cells: ofParts((rows, part) => rows.partSectors[part]) },
  {
    name: 'parent',
    type: 'STRING',
    cells: ofList(
      rows => ({ first: rows.firstParent, entries: rows.parent }),
      ({ before }) =>
        place =>
          before === undefined ? undefined : before + place + 1,
    ),
  },
  {
    name: 'submitter',
    type: 'STRING',
    cells: ofList(rows => ({ first: rows.firstSubmitter, entries: rows.submitter }), taskNames),
  },
  { name: 'call', type: 'STRING', cells: rows => i => rows.names.call[rows.call[i] ?? -1] },
]

export const COLUMNS: readonly ExportColumn[] = [
  { name: 'run', type: 'STRING', cells: (_, owner) => () => owner.run },
  { name: 'trace', type: 'STRING', cells: (_, owner) => () => owner.trace },
  { name: 'device', type: 'STRING', cells: ofDevice('name') },
  { name: 'dev', type: 'STRING', cells: ofDevice('dev') },
  { name: 'role', type: 'STRING', cells: ofDevice('role') },
  { name: 'op', type: 'STRING', cells: rows => i => rows.names.op[rows.op[i] ?? -1] },
  { name: 'rwbs', type: 'STRING', cells: rows => i => rows.names.rwbs[rows.rwbs[i] ?? -1] },
  { name: 'passthrough', type: 'BOOLEAN', cells: passthrough },
  { name: 'sector', type: 'INT64', cells: sector },
  { name: 'sectors', type: 'INT32', cells: rows => i => (rows.bytes[i] ?? 0) >>> 9 },
  { name: 'bytes', type: 'INT64', cells: rows => i => rows.bytes[i] },
  { name: 'alignment', type: 'STRING', cells: rows => i => rows.names.alignment[(rows.alignment[i] ?? 0) - 1] },
  { name: 'process', type: 'STRING', cells: ofProcess('name') },
  { name: 'pid', type: 'INT32', cells: ofProcess('pid') },
  { name: 'submit_cpu', type: 'INT32', cells: rows => orUndefined(rows.submitCpu) },
  { name: 'complete_cpu', type: 'INT32', cells: rows => orUndefined(rows.completeCpu) },
  { name: 'bios', type: 'INT32', cells: rows => orUndefined(rows.bios) },
  { name: 'error', type: 'INT32', cells: rows => orUndefined(rows.error) },
  ...(
    ['queued', 'allocated', 'inserted', 'issued', 'completed', 'q2c', 'd2c', 'q2d', 'q2g', 'g2i', 'i2d', 'g2d'] as const
  ).map(duration),
  ...ORIGIN_COLUMNS,
]
