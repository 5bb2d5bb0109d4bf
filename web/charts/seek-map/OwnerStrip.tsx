/** Beside a map that is coloured by objects: the owner of the sectors at each height. */
import { useMemo } from 'react'
import type { Grid, Marks, Query } from '../../engine/protocol'
import type { AxisPart } from './axis/bands'
import { classTokens } from './layers'
import { ownedRows } from './owners'

/** Width, and more room between the plot and the words of the axis, which a phone does not have, px. */
const WIDTH = 6
export const STRIP_ROOM = 5
export const NARROW_ROOM = 1

interface StripProps {
  readonly reply: { readonly answer?: Marks | Grid; readonly ask?: Query<'seekMap'> }
  readonly parts: readonly AxisPart[]
  readonly height: number
  readonly x: number
}

export function OwnerStrip({ reply, parts, height, x }: StripProps) {
  const rows = useMemo(() => ownedRows(reply, parts, height), [reply, parts, height])
  const tokens = classTokens('object')
  return (
    <g>
      {parts.map(part => (
        <rect
          key={part.top}
          x={x}
          y={part.top}
          width={WIDTH}
          height={part.bottom - part.top}
          style={{ fill: 'var(--sunken)' }}
        />
      ))}
      {rows.map(({ top, bottom, cls }) => (
        <rect
          key={top}
          x={x}
          y={top}
          width={WIDTH}
          height={bottom - top}
          style={{ fill: `var(--${tokens[cls] ?? 'ob-none'})` }}
        />
      ))}
    </g>
  )
}
