/** Names and units of figures for machines: base units, so that a reader needs no other table. */
import type { ComparedFigure } from '../../../web/engine/protocol'

/** The key with its unit, `q2c.mean_us`, and what a value is multiplied by. */
export function keyUnitOf({ key, unit }: Pick<ComparedFigure, 'key' | 'unit'>): {
  readonly key: string
  readonly unit: string
  readonly factor: number
} {
  switch (unit) {
    case 'ns':
      return { key: `${key}_us`, unit: 'us', factor: 1e-3 }
    case 'share':
      return { key: `${key}%`, unit: '%', factor: 100 }
    case 'bytes/s':
      return { key: `${key}_MBps`, unit: 'MB/s', factor: 1e-6 }
    case 'bytes':
      return { key: `${key}_KiB`, unit: 'KiB', factor: 1 / 1024 }
    default:
      return { key, unit: unit === '' ? 'count' : unit, factor: 1 }
  }
}
