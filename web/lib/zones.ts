/** What happens to the zones of a zoned disk: words for the codes of the engine. */

export const ZONE_NAMES = {
  reset: 'zone reset',
  'reset-all': 'reset of all zones',
  open: 'zone open',
  close: 'zone close',
  finish: 'zone finish',
  action: 'zone action',
  append: 'zone append',
  'off-pointer': 'write off the write pointer',
  refused: 'refused write',
} as const

/** `action`: reset, open, close or finish, where it was not recorded which. */
export type ZoneKind = keyof typeof ZONE_NAMES

const PLURALS: Readonly<Partial<Record<ZoneKind, string>>> = {
  'reset-all': 'resets of all zones',
  close: 'zone closes',
  finish: 'zone finishes',
  'off-pointer': 'writes off the write pointer',
}

/** `2 zone resets`. `counted`: `lib/format` has one for the page and one for plain text. */
export const zonesCounted = (
  kind: ZoneKind,
  n: number,
  counted: (n: number, one: string, many?: string) => string,
): string => counted(n, ZONE_NAMES[kind], PLURALS[kind])
