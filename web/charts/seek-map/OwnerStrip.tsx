/** Beside a map that is coloured by objects: the owner of the sectors at each height. */
import { useMemo } from 'react'
import type { Grid, Marks, Query } from '../../engine/protocol'
import { STRIP_WIDTH } from '../shared/spec'
import type { AxisPart } from './axis/bands'
import { ownerStrip } from './owners'

/** More room between the plot and the words of the axis, which a phone does not have, px. */
export const STRIP_ROOM = 5
export const NARROW_ROOM = 1

interface StripProps {
  readonly reply: { readonly answer?: Marks | Grid; readonly ask?: Query<'seekMap'> }
  readonly parts: readonly AxisPart[]
  readonly height: number
  readonly x: number
}

export function OwnerStrip({ reply, parts, height, x }: StripProps) {
  const { ground, rows } = useMemo(() => ownerStrip(reply, parts, height), [reply, parts, height])
  const box = (top: number, bottom: number, token: string) => (
    <rect
      key={`${top} ${token}`}
      {...{ x, y: top, width: STRIP_WIDTH, height: bottom - top }}
      style={{ fill: `var(--${token})` }}
    />
  )
  return (
    <g data-owner-strip="">
      {ground.map(({ top, bottom }) => box(top, bottom, 'sunken'))}
      {rows.map(({ top, bottom, token }) => box(top, bottom, token))}
    </g>
  )
}
