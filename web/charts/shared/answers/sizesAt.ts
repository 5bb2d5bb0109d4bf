/** The event at which request sizes are counted; only events that were recorded can be chosen. */
import type { DeviceInfo } from '../../../engine/protocol'
import { SIZES_AT, type SizesAt } from '../../../state/types'

const LETTER: Readonly<Record<SizesAt, string>> = { queued: 'Q', issued: 'D', completed: 'C' }

export interface SizesChoice {
  readonly options: readonly SizesAt[]
  readonly seen: SizesAt
}

/**
 * Each option must exist in all devices, or in some of them.
 */
export function sizesChoice(
  devices: readonly DeviceInfo[],
  wanted: SizesAt = 'issued',
  needed: 'all' | 'some' = 'some',
): SizesChoice {
  const has =
    (event: SizesAt) =>
    (device: DeviceInfo): boolean =>
      device.recorded?.includes(LETTER[event]) ?? (event !== 'issued' || device.role === 'disk')
  const options = SIZES_AT.filter(event => (needed === 'all' ? devices.every(has(event)) : devices.some(has(event))))
  return { options, seen: options.includes(wanted) ? wanted : (options[0] ?? wanted) }
}
