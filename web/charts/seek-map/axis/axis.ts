/** Ticks of the LBA axis: the first sector of each part, round sizes, or stripes. Pure. */
import { count, sectorSize } from '../../../lib/format'
import { type Tick, tickLabel } from '../../shared/paint/ticks'
import { type AxisPart, yWithin } from './bands'
import { rulerFits, stripeTicks } from './ruler'

export const outermost = (spans: readonly (readonly [number, number])[]): [number, number] => [
  Math.min(...spans.map(s => s[0])),
  Math.max(...spans.map(s => s[1])),
]

const SIZES = [
  { sectors: 2 ** 31, name: 'TiB' },
  { sectors: 2 ** 21, name: 'GiB' },
  { sectors: 2 ** 11, name: 'MiB' },
  { sectors: 2, name: 'KiB' },
]

/** Ticks of an axis and what it shows, in words; `narrow`: there is no room for sector numbers. */
export function ticksOf(
  parts: readonly AxisPart[],
  geometry: Parameters<typeof rulerFits>[1],
  narrow: boolean,
): { readonly what: string; readonly ticks: readonly Tick[] } {
  const only = parts.length === 1 ? parts[0] : undefined
  if (only === undefined) {
    return {
      what: `LBA${narrow ? '' : ', sectors'}; unused ranges cut out`,
      ticks: parts.map(part => ({
        position: part.bottom - 7,
        label: narrow ? sectorSize(part.lba0) : count(part.lba0),
      })),
    }
  }
  if (rulerFits(only, geometry))
    return {
      what: `stripes of ${sectorSize(geometry.unit * geometry.dataDisks)}; thin lines: ${sectorSize(geometry.unit)} units`,
      ticks: stripeTicks(only, geometry),
    }
  const span = only.lba1 - only.lba0
  const unit = SIZES.find(s => span >= 3 * s.sectors) ?? { sectors: 1, name: 'sectors' }
  const first = only.lba0 / unit.sectors
  // Ticks are powers of two apart, as LBA sizes are.
  const step = 2 ** Math.ceil(Math.log2(span / unit.sectors / 4))
  const ticks: Tick[] = []
  for (let k = Math.ceil(first / step); k * step <= only.lba1 / unit.sectors; k += 1) {
    ticks.push({ position: yWithin(only, k * step * unit.sectors), label: tickLabel(k * step) })
  }
  return { what: `LBA in ${unit.name}`, ticks }
}
