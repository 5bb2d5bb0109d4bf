/**
 * Stripe geometry as text: `unit=256KiB,disks=4,start=63s,level=raid5`, the same on the command line and in the address
 * bar.
 */
import type { Geometry, Level } from '../engine/generated/protocol'
import { sectorSize } from './format'
import { SECTOR_BYTES, type Sector, sector } from './units'

export const LEVELS = ['raid0', 'raid5', 'raid6', 'raid10', 'none'] as const satisfies readonly Level[]

export const LEVEL_NAMES: Readonly<Record<Level, string>> = {
  raid0: 'RAID 0',
  raid5: 'RAID 5',
  raid6: 'RAID 6',
  raid10: 'RAID 10',
  none: 'no parity',
}

const PARITY: Readonly<Record<Level, number>> = { raid0: 0, raid5: 1, raid6: 2, raid10: 0, none: 0 }

/** Disks that hold parity, beside the data disks. */
export const parityDisks = (level: Level): number => PARITY[level]

/** Sectors of data in one full stripe, without parity. */
export const fullStripe = (g: Geometry): Sector => sector(g.unit * g.dataDisks)

const SIZE = /^(\d+(?:\.\d+)?)\s*(s|sectors?|k|kib|m|mib|g|gib)?$/i
const UNIT_SECTORS: Readonly<Record<string, number>> = {
  s: 1,
  k: 1024 / SECTOR_BYTES,
  m: 1024 ** 2 / SECTOR_BYTES,
  g: 1024 ** 3 / SECTOR_BYTES,
}

/** `63s`, `256KiB`, `1 MiB` in sectors. A bare number has no unit and is refused, except 0. */
export function parseSize(text: string): Sector | undefined {
  const match = SIZE.exec(text.trim())
  if (!match) return undefined
  const amount = Number(match[1])
  const unit = UNIT_SECTORS[match[2]?.[0]?.toLowerCase() ?? ''] ?? (amount === 0 ? 1 : undefined)
  if (unit === undefined) return undefined
  const sectors = amount * unit
  return Number.isSafeInteger(sectors) ? sector(sectors) : undefined
}

/** Sectors so that `parseSize` reads them back: `256KiB` where whole, else `63s`. */
export function formatSize(n: Sector | number): string {
  if (n === 0) return '0s'
  if (n % 2048 === 0) return `${n / 2048}MiB`
  return n % 2 === 0 ? `${n / 2}KiB` : `${n}s`
}

/** The start of a stripe for people: `63 sectors, 31.5 KiB`. */
export const describeStart = (n: Sector | number): string => (n === 0 ? '0 sectors' : `${n} sectors, ${sectorSize(n)}`)

export const formatGeometry = (g: Geometry): string =>
  `unit=${formatSize(g.unit)},disks=${g.dataDisks},start=${formatSize(g.start)},level=${g.level}`

const FIELDS = ['unit', 'disks', 'start', 'level'] as const
const MAX_DISKS = 1024

const fieldsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(',').map(part => part.split('=', 2).map(s => s.trim()) as [string, string]))

const isDisks = (n: number): boolean => Number.isInteger(n) && n >= 1 && n <= MAX_DISKS

/** Reads what `formatGeometry` writes; one data disk, start 0 and no parity where they are omitted. */
export function parseGeometry(text: string): Geometry | undefined {
  const fields = fieldsOf(text)
  const unit = parseSize(fields.get('unit') ?? '')
  const start = parseSize(fields.get('start') ?? '0')
  const dataDisks = Number(fields.get('disks') ?? 1)
  const level = LEVELS.find(l => l === (fields.get('level') ?? 'none'))
  if (unit === undefined || unit === 0 || start === undefined || level === undefined || !isDisks(dataDisks))
    return undefined
  return { level, unit, dataDisks, start }
}

/** Why `parseGeometry` does not read a text, or which of its keys nobody reads; undefined when nothing is wrong. */
export function geometryProblem(text: string): string | undefined {
  const fields = fieldsOf(text)
  const [unit, disks, start, level] = FIELDS.map(key => fields.get(key))
  const unknown = [...fields.keys()].find(key => !FIELDS.some(field => field === key))
  const size = (key: string, value: string) =>
    `${key}=${value} is not a size: give an integer and a unit, such as 256KiB, 1MiB or 512s`
  if (unknown !== undefined) return `unknown key ${unknown || '(empty)'}; use ${FIELDS.join(', ')}`
  if (unit === undefined) return 'missing unit=SIZE'
  if (!parseSize(unit)) return size('unit', unit)
  if (start !== undefined && parseSize(start) === undefined) return size('start', start)
  if (disks !== undefined && !isDisks(Number(disks))) return `disks=${disks} is not an integer from 1 to ${MAX_DISKS}`
  return level === undefined || LEVELS.some(l => l === level)
    ? undefined
    : `level=${level} is not one of ${LEVELS.join(', ')}`
}
