/** Numbers of zones at the right edge of a map, next to the ruler. */
import type { DeviceZones } from '../../../engine/protocol'
import type { AxisPart } from '../axis/bands'
import { zoneLabels } from './zones'

/** Distance from the right edge, px. */
const RIGHT = 10

interface ZoneNumbersProps {
  readonly zones: DeviceZones | undefined
  readonly parts: readonly AxisPart[]
  readonly width: number
}

export function ZoneNumbers({ zones, parts, width }: ZoneNumbersProps) {
  if (zones === undefined) return undefined
  return parts.flatMap(part =>
    zoneLabels(zones, part).map(({ y, label }) => (
      <text
        key={`${part.top} ${label}`}
        className="plot-label zone-number"
        x={width - RIGHT}
        y={y - 3}
        textAnchor="end"
      >
        {label}
      </text>
    )),
  )
}
