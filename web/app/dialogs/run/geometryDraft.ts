/** The text fields of the geometry form, and their validation. */
import type { Geometry } from '../../../engine/protocol'
import { formatSize, parseSize } from '../../../lib/geometry'

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

export type CheckedGeometry =
  | { readonly ok: true; readonly geometry: Geometry }
  | { readonly ok: false; readonly field: keyof GeometryDraft; readonly why: string }

/** The geometry of the fields, or the first invalid field with a hint. */
export function checkDraft(draft: GeometryDraft): CheckedGeometry {
  const unit = parseSize(draft.unit)
  if (unit === undefined || unit === 0)
    return { ok: false, field: 'unit', why: 'Enter a size with a unit, such as 64KiB or 128s.' }
  const dataDisks = Number(draft.dataDisks)
  if (draft.dataDisks.trim() === '' || !Number.isInteger(dataDisks) || dataDisks < 1 || dataDisks > 1024)
    return { ok: false, field: 'dataDisks', why: 'A whole number, 1 or more: disks excluding parity.' }
  const start = parseSize(draft.start)
  if (start === undefined)
    return { ok: false, field: 'start', why: 'Enter an offset with a unit, such as 0, 63s or 1MiB.' }
  return { ok: true, geometry: { level: draft.level, unit, dataDisks, start } }
}
