/** What is typed into the geometry form, and what it means. */
import type { Geometry } from '../../engine/protocol'
import { formatSize, parseSize } from '../../lib/geometry'

export interface GeometryDraft {
  readonly level: Geometry['level']
  readonly unit: string
  readonly dataDisks: string
  readonly start: string
}

export const EMPTY_DRAFT: GeometryDraft = { level: 'raid5', unit: '', dataDisks: '', start: '0s' }

export const draftOf = (g: Geometry): GeometryDraft => ({
  level: g.level,
  unit: formatSize(g.unit),
  dataDisks: String(g.dataDisks),
  start: formatSize(g.start),
})

export type Checked =
  | { readonly ok: true; readonly geometry: Geometry }
  | { readonly ok: false; readonly field: keyof GeometryDraft; readonly why: string }

/** The geometry, or the first field that does not say one and what it should say. */
export function checkDraft(draft: GeometryDraft): Checked {
  const unit = parseSize(draft.unit)
  if (unit === undefined || unit === 0) return { ok: false, field: 'unit', why: 'A size with its unit: 64KiB, 256KiB, 128s.' }
  const dataDisks = Number(draft.dataDisks)
  if (draft.dataDisks.trim() === '' || !Number.isInteger(dataDisks) || dataDisks < 1 || dataDisks > 1024)
    return { ok: false, field: 'dataDisks', why: 'A whole number from 1 on: disks without those for parity.' }
  const start = parseSize(draft.start)
  if (start === undefined) return { ok: false, field: 'start', why: 'A place with its unit: 0, 63s, 1MiB.' }
  return { ok: true, geometry: { level: draft.level, unit, dataDisks, start } }
}
