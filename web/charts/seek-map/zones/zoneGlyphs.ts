/** Symbols of what happens to zones, for the map and its legend. Distinguishable without colour. */
import type { ZoneKind } from '../../../engine/protocol'
import type { Glyph, GlyphLine } from '../../shared/paint/glyph'

const box = (left: number, top: number, right: number, bottom: number): GlyphLine => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
]
const DIAMOND: GlyphLine = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
]
const DOWN: GlyphLine = [
  [-1, -0.8],
  [1, -0.8],
  [0, 0.9],
]
const SQUARE = box(-0.85, -0.85, 0.85, 0.85)

const cross = (reach: number): readonly GlyphLine[] => [
  [
    [-reach, -reach],
    [reach, reach],
  ],
  [
    [-reach, reach],
    [reach, -reach],
  ],
]

/** A reset points to the start of the zone, a finish to its end; an open zone is hollow, a closed one filled. */
export const GLYPHS: Readonly<Record<ZoneKind, Glyph>> = {
  reset: { filled: [DOWN] },
  'reset-all': { filled: [DOWN.map(([x, y]) => [x, y * 0.7 - 0.35] as const), box(-1, 0.6, 1, 1)] },
  open: { hollow: [DIAMOND] },
  close: { filled: [DIAMOND] },
  finish: { filled: [DOWN.map(([x, y]) => [x, -y * 0.7 + 0.35] as const), box(-1, -1, 1, -0.6)] },
  action: { hollow: [SQUARE] },
  append: {
    open: [
      [
        [0, -1],
        [0, 1],
      ],
      [
        [-1, 0],
        [1, 0],
      ],
    ],
  },
  'off-pointer': { open: cross(0.9) },
  refused: { hollow: [SQUARE], open: cross(0.85) },
}
