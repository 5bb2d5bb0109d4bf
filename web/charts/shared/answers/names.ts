/** Names of devices, processes and alignment classes. */
import type { AlignmentClass, DeviceInfo, Geometry } from '../../../engine/protocol'
import { sectorSize } from '../../../lib/format'
import type { Run } from '../../../state/types'

export const ALIGNMENT_NAMES: Readonly<Record<AlignmentClass, string>> = {
  full: 'full stripe',
  unit: 'unit-aligned',
  inside: 'inside unit',
  straddles: 'straddles',
}

/** Takes the place of a chart about stripes. */
export const NO_GEOMETRY_OF_RUN = 'No geometry is set for this run.'

/** `stripes of 3 x 64 KiB`. */
export const stripeWords = ({ dataDisks, unit }: Pick<Geometry, 'dataDisks' | 'unit'>): string =>
  `stripes of ${dataDisks} x ${sectorSize(unit)}`

/** The parts of a run that names depend on. */
export type NameSource = Pick<Run, 'info' | 'deviceNames'>

/** Disks whose partitions have consecutive minors. */
const NUMBERED = /^(?:sd|vd|hd|xvd)[a-z]+$/

/** `254,1` on a trace of `vda` (254,0) is `vda1`; an unknown device keeps its number. */
export function deviceName(via: string, run: NameSource | undefined): string {
  const described = run?.deviceNames?.[via]
  if (described !== undefined) return described
  const devices = run?.info?.devices ?? []
  const [major, minor] = via.split(',').map(Number)
  const exact = devices.find(d => d.dev === via)
  if (exact !== undefined) return exact.name
  for (const device of devices) {
    const [diskMajor, diskMinor] = device.dev.split(',').map(Number)
    if (!NUMBERED.test(device.name) || major !== diskMajor || minor === undefined || diskMinor === undefined) continue
    const partition = minor - diskMinor
    if (partition >= 1 && partition <= 15 && diskMinor % 16 === 0) return `${device.name}${partition}`
  }
  return via
}

const KEY = /^(.*) (\d+,\d+)$/

/** A process key (`dd 254,1`) as `dd vda1`. */
export function processName(key: string, run: NameSource | undefined): string {
  const split = KEY.exec(key)
  return split?.[1] === undefined || split[2] === undefined ? key : `${split[1]} ${deviceName(split[2], run)}`
}

/** The device part of a process key; the complete key when it has none. */
export function viaName(key: string, run: NameSource | undefined): string {
  const via = KEY.exec(key)?.[2]
  return via === undefined ? key : deviceName(via, run)
}

const ROLE_WORDS = { stacked: 'array', remapped: 'mapped', disk: '' } as const

/** What a device does in a stack, and its file systems: `raid1`, `crypt ext4`, `vda1 ext4`; empty for a plain disk. */
export function kindWords({ name, kind, role, file_systems = [] }: DeviceInfo): string {
  const systems = file_systems.map(system => (system.device === name ? system.kind : `${system.device} ${system.kind}`))
  return [kind ?? ROLE_WORDS[role], ...systems].filter(Boolean).join(' ')
}
