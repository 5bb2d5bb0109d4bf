/** What a trace itself says about stripes: shown, never applied by itself. */
import { type Sector, sector } from '../../lib/units'
import { deviceOf } from '../../state/filter'
import type { Run } from '../../state/types'

export interface Suggestion {
  readonly letter: string
  readonly unit: Sector
  readonly start: Sector
  readonly dataDisks?: number
  /** Share of boundaries that agree, 0..1. */
  readonly agreement: number
}

/** Absent where the shown device gives no hint, or exactly what is set already. */
export function suggestionOf(run: Run): Suggestion | undefined {
  const shown = deviceOf(run)
  const seen = run.summary?.devices.find(d => d.dev === shown?.dev)?.geometry_suggestion
  if (!seen) return undefined
  if (run.geometry?.unit === seen.unit_sectors && run.geometry.start === seen.start_sector) return undefined
  return {
    letter: run.letter,
    unit: sector(seen.unit_sectors),
    start: sector(seen.start_sector),
    ...(seen.disks !== undefined && { dataDisks: seen.disks }),
    agreement: seen.agreement,
  }
}
