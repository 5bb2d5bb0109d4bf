/** At which event request sizes are counted: only those that were recorded can be chosen. */
import type { DeviceInfo } from '../../../engine/protocol'
import { SIZES_AT, type SizesAt } from '../../../state/types'

const LETTER: Readonly<Record<SizesAt, string>> = { queued: 'Q', issued: 'D', completed: 'C' }

export interface SizesChoice {
  readonly options: readonly SizesAt[]
  readonly seen: SizesAt
}

/**
 * `devices`: the charts' own; each option must exist in all of them, or in some.
 */
export function sizesChoice(
  devices: readonly DeviceInfo[],
  wanted: SizesAt = 'issued',
  of: 'all' | 'some' = 'some',
): SizesChoice {
  const has =
    (at: SizesAt) =>
    (device: DeviceInfo): boolean =>
      device.recorded?.includes(LETTER[at]) ?? (at !== 'issued' || device.role === 'disk')
  const options = SIZES_AT.filter(at => (of === 'all' ? devices.every(has(at)) : devices.some(has(at))))
  return { options, seen: options.includes(wanted) ? wanted : (options[0] ?? wanted) }
}
