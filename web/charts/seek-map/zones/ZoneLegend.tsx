/** Legend of zones: symbols of what happened to them, with counts within the visible range. */

import type { ZoneKind } from '../../../engine/protocol'
import { ZONE_KINDS, type ZoneMarks } from '../../../engine/protocol'
import { count } from '../../../lib/format'
import { ZONE_NAMES } from '../../../lib/zones'
import type { Shown } from '../../shared/answers/shown'
import { Legend } from '../../shared/frame/Legend'
import { GLYPH_REACH, glyphPath } from '../../shared/paint/glyph'
import { GLYPHS } from './zoneGlyphs'
import { isOff } from './zones'

interface ZoneLegendProps {
  readonly shown: readonly Shown[]
  readonly marks: readonly (ZoneMarks | undefined)[]
  /** Marks have the colours of their runs. */
  readonly coloured?: boolean
}

const SIDE = 2 * (GLYPH_REACH + 1)

function ZoneGlyph({ kind }: { readonly kind: ZoneKind }) {
  const { filled = [], hollow = [], open = [] } = GLYPHS[kind]
  const reach = SIDE / 2
  return (
    <svg
      className="zone-glyph"
      data-off={isOff(kind)}
      width={SIDE}
      height={SIDE}
      viewBox={`${-reach} ${-reach} ${SIDE} ${SIDE}`}
      aria-hidden="true"
    >
      <path className="zone-glyph-filled" d={glyphPath(filled, true)} />
      <path d={glyphPath(hollow, true) + glyphPath(open, false)} />
    </svg>
  )
}

/** Kinds that occurred in a run, and how often in each. */
function occurred({ shown, marks }: ZoneLegendProps): readonly { readonly kind: ZoneKind; readonly label: string }[] {
  return ZONE_KINDS.flatMap((kind, k) => {
    const counts = marks.map(mark => mark?.counts[k] ?? 0)
    if (counts.every(n => n === 0)) return []
    const drawn = marks.some(mark => mark?.kind.includes(k) ?? false)
    const numbers =
      counts.length === 1 ? count(counts[0] ?? 0) : counts.map((n, i) => `${shown[i]?.letter} ${count(n)}`).join(', ')
    return [{ kind, label: `${ZONE_NAMES[kind]} ${numbers}${drawn ? '' : ' (zoom in to see them)'}` }]
  })
}

const CONVENTIONAL = 'conventional zone'

const hasConventional = (shown: readonly Shown[]): boolean =>
  shown.some(run => (run.device.zones?.conventional?.length ?? 0) > 0)

export const isZoned = (shown: readonly Shown[]): boolean => shown.some(run => run.device.zones !== undefined)

export function ZoneLegend(props: ZoneLegendProps) {
  if (!isZoned(props.shown)) return undefined
  const entries = occurred(props)
  const absent = new Set(props.shown.flatMap(run => (run.device.zones && run.device.absent?.zones) ?? []))
  return (
    <Legend entries={hasConventional(props.shown) ? [{ label: CONVENTIONAL, token: 'axis', shape: 'hatch' }] : []}>
      {entries.map(({ kind, label }) => (
        <span key={kind} className="legend-item" data-zone={kind}>
          <ZoneGlyph kind={kind} />
          {label}
        </span>
      ))}
      {[...absent].map(reason => (
        <span key={reason} className="legend-item" data-absent="zones">{`zone actions absent: ${reason}`}</span>
      ))}
      {props.coloured && entries.length > 0 && <span className="legend-item">symbols in the colour of their run</span>}
    </Legend>
  )
}
