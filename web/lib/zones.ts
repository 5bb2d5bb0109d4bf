/** Operations on zones of zoned disks: words for the codes of the engine. */

import type { ZoneKind } from '../engine/generated/protocol'

export const ZONE_NAMES: Readonly<Record<ZoneKind, string>> = {
  reset: 'zone reset',
  'reset-all': 'reset of all zones',
  open: 'zone open',
  close: 'zone close',
  finish: 'zone finish',
  action: 'zone action',
  append: 'zone append',
  'off-pointer': 'write off the write pointer',
  refused: 'refused write',
}

const PLURALS: Readonly<Partial<Record<ZoneKind, string>>> = {
  'reset-all': 'resets of all zones',
  close: 'zone closes',
  finish: 'zone finishes',
  'off-pointer': 'writes off the write pointer',
}

/** `2 zone resets`. `counted` is that of `lib/format`, for the page or for plain text. */
export const zonesCounted = (
  kind: ZoneKind,
  n: number,
  counted: (n: number, singular: string, plural?: string) => string,
): string => counted(n, ZONE_NAMES[kind], PLURALS[kind])
