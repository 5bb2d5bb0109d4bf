/** Stripe geometry detected in a trace or described in its notes: shown, never applied automatically. */

import { deviceName } from '../../../charts/shared/answers/names'
import type { DeviceInfo, Geometry, StripedArray } from '../../../engine/protocol'
import { type Sector, sector } from '../../../lib/units'
import { deviceOf } from '../../../state/filter'
import type { Run } from '../../../state/types'

export interface Suggestion {
  readonly letter: string
  readonly unit: Sector
  readonly start: Sector
  readonly dataDisks?: number
  readonly level?: Geometry['level']
  readonly source: SuggestionSource
}

type SuggestionSource =
  /** Share of boundaries in the trace that agree, 0..1. */
  | { readonly kind: 'trace'; readonly agreement: number }
  /**
   * A note that describes the array. `unalignedPart`: a partition that does not start on a unit boundary, with its
   * first sector.
   */
  | {
      readonly kind: 'note'
      readonly file: string
      readonly array?: string
      readonly unalignedPart?: { readonly name: string; readonly start: number }
    }

const MD_MAJOR = '9'

/** Name of the shown device; `undefined` if the recording has only its number. */
function nameOf({ dev }: DeviceInfo, run: Run): string | undefined {
  const [major, minor] = dev.split(',')
  const name = deviceName(dev, run)
  return name !== dev ? name : major === MD_MAJOR ? `md${minor}` : undefined
}

/**
 * Whether a description belongs to the shown device. If one of the two lacks a name it may, unless it describes an md
 * array on top of that device.
 */
function describes(array: StripedArray, shown: string | undefined): boolean {
  if (array.device === undefined) return shown === undefined || shown.startsWith('md')
  return shown === undefined ? !array.device.startsWith('md') : array.device === shown
}

function suggestionsFromNotes(run: Run, shown: DeviceInfo): Suggestion[] {
  const name = nameOf(shown, run)
  const notes = run.notes ?? []
  const starts = notes.flatMap(n => n.facts.filter(f => f.key === 'start_sector'))
  return notes.flatMap(({ file, arrays }) =>
    (arrays ?? [])
      .filter(array => describes(array, name))
      .map(({ unit_sectors, disks, level, device }): Suggestion => {
        const unalignedPart = starts.find(
          f => device && f.of?.startsWith(device) && typeof f.value === 'number' && f.value % unit_sectors !== 0,
        )
        return {
          letter: run.letter,
          unit: sector(unit_sectors),
          start: sector(0),
          ...(disks !== undefined && { dataDisks: disks }),
          ...(level && { level }),
          source: {
            kind: 'note',
            file,
            ...(device !== undefined && { array: device }),
            ...(unalignedPart?.of !== undefined && {
              unalignedPart: { name: unalignedPart.of, start: Number(unalignedPart.value) },
            }),
          },
        }
      }),
  )
}

function suggestionsFromTrace(run: Run, shown: DeviceInfo): Suggestion[] {
  const detected = run.summary?.devices.find(d => d.dev === shown.dev)?.geometry_suggestion
  if (!detected) return []
  return [
    {
      letter: run.letter,
      unit: sector(detected.unit_sectors),
      start: sector(detected.start_sector),
      ...(detected.disks !== undefined && { dataDisks: detected.disks }),
      source: { kind: 'trace', agreement: detected.agreement },
    },
  ]
}

const isSameSuggestion = (a: Suggestion, b: Suggestion): boolean =>
  a.unit === b.unit &&
  a.start === b.start &&
  a.dataDisks === b.dataDisks &&
  a.level === b.level &&
  a.source.kind === b.source.kind

/** Suggestions for a run: those of notes before detected ones, without duplicates and without those already set. */
export function suggestionsOf(run: Run): readonly Suggestion[] {
  const shown = deviceOf(run)
  if (!shown) return []
  const { geometry } = run
  const isSet = (s: Suggestion) =>
    geometry?.unit === s.unit &&
    geometry.start === s.start &&
    (s.source.kind === 'trace' || (s.dataDisks ?? geometry.dataDisks) === geometry.dataDisks)
  const suggestions = [...suggestionsFromNotes(run, shown), ...suggestionsFromTrace(run, shown)].filter(s => !isSet(s))
  return suggestions.filter((s, i) => suggestions.findIndex(candidate => isSameSuggestion(s, candidate)) === i)
}
