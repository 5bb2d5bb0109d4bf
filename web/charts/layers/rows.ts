/** The rows of the table: a device in all runs, each above those on which it lies. Pure. */
import type { DeviceInfo } from '../../engine/protocol'
import type { SummaryDevice } from '../../engine/summary'
import { kindWords } from '../shared/answers/names'
import type { Shown } from '../shared/answers/shown'
import { ownShare } from './ownShare'

/** The middle and the end of a distribution of times, ns. */
interface TimesOfLayer {
  readonly p50: number
  readonly p99: number
}

/** A device in one run. */
export interface LayerInRun {
  readonly requests: number
  readonly bytes: number
  /** The time in the layer itself; of a device that lies on none, all of it. */
  readonly itself?: TimesOfLayer
  /** The time with the devices below. */
  readonly below?: TimesOfLayer
  /** The part of the whole time that is the layer's; absent without devices below. */
  readonly share?: number
}

export interface LayerDevice {
  readonly name: string
  /** `raid1`, `crypt`, `vda1 ext4`; differs between runs if a device was set up in another way. */
  readonly kind: string
  readonly depth: number
  /** Per run; `undefined` where there is no such device, or no figures yet. */
  readonly uses: readonly (LayerInRun | undefined)[]
}

export type LayersOfRun = Pick<Shown, 'letter' | 'info'> & { readonly devices: readonly SummaryDevice[] | undefined }

/** Whether a run has devices that lie on others. */
export const hasLayers = ({ info }: Pick<Shown, 'info'>): boolean =>
  info.devices.some(({ below = [] }) => below.length > 0)

function layerIn({ layer, latency_ns, bytes }: SummaryDevice): LayerInRun {
  const whole = latency_ns.q2c ?? latency_ns.d2c
  const sums = { requests: whole?.n ?? 0, bytes: (bytes?.read ?? 0) + (bytes?.write ?? 0) }
  if (layer === undefined) return { ...sums, ...(whole && { itself: whole }) }
  return { ...sums, itself: layer.layer, below: layer.below, share: ownShare(layer) }
}

/** A device, and how many others it lies below. */
interface PlacedDevice {
  readonly device: DeviceInfo
  readonly depth: number
}

/** The devices of a run, each before those below it. A device below several is listed once. */
function placedDevices(devices: readonly DeviceInfo[]): readonly PlacedDevice[] {
  const lower = new Set(devices.flatMap(({ below = [] }) => below))
  const placed = new Map<number, PlacedDevice>()
  const place = (index: number, depth: number) => {
    const device = devices.find(each => each.index === index)
    if (device === undefined || placed.has(index)) return
    placed.set(index, { device, depth })
    for (const next of device.below ?? []) place(next, depth + 1)
  }
  for (const { index } of devices) if (!lower.has(index)) place(index, 0)
  return [...placed.values()]
}

/** Devices of the same name are one row; those of stacks only. */
export function layerDevices(runs: readonly LayersOfRun[]): readonly LayerDevice[] {
  const rows = new Map<string, { kinds: Set<string>; depth: number; uses: (LayerInRun | undefined)[] }>()
  for (const [i, { info, devices }] of runs.entries()) {
    const all = placedDevices(info.devices)
    for (const { device, depth } of all) {
      if (depth === 0 && !device.below?.length) continue
      const row = rows.get(device.name) ?? { kinds: new Set(), depth, uses: runs.map(() => undefined) }
      const figures = devices?.find(({ dev }) => dev === device.dev)
      row.kinds.add(kindWords(device))
      row.uses[i] = figures && layerIn(figures)
      rows.set(device.name, row)
    }
  }
  return [...rows].map(([name, { kinds, depth, uses }]) => ({
    name,
    kind: [...kinds].filter(Boolean).join(' / '),
    depth,
    uses,
  }))
}
