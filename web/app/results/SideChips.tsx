/** One chip per side: its letter, its name, and where in the texts it is. */

import { Menu } from '../../charts/shared/menu/Menu'
import { isInterval } from '../../compare/pictures/intervals'
import { linesInWords } from '../../compare/reading/rows'
import { sideOf } from '../../compare/results/tableSides'
import { letterIn } from '../../compare/results/useResults'
import type { ResultMatrix, TextReading } from '../../engine/protocol'
import { counted } from '../../lib/format'
import './side-chips.css'

interface SideChipsProps {
  readonly table: ResultMatrix
  readonly sides: readonly string[]
  /** The base, if it is one of the sides. */
  readonly base: string | undefined
  /** Texts with their blocks, and the index of the table among those of the texts; absent for a link. */
  readonly texts: readonly TextReading[]
  readonly tableIndex: number
  /** Names of the sides that the user left out. */
  readonly leftOut: readonly string[]
  makeBase(side: string): void
  leaveOut(side: string, isLeftOut: boolean): void
}

/** Maximum number of places that a chip names. */
const MAX_PLACES = 2

/** Where in the texts a side stands: `mail.txt, lines 5 to 15`; without texts, the names of its files. */
function placesOf(side: string, { table, texts, tableIndex }: SideChipsProps): readonly string[] {
  const several = texts.length > 1
  const blocks = texts.flatMap(text =>
    text.blocks
      .filter(block => block.table === tableIndex && block.sides.includes(side))
      .map(block => `${several ? `${text.path.split('/').at(-1)}, ` : ''}${linesInWords(block, text)}`),
  )
  if (blocks.length > 0) return blocks
  return [...new Set(table.runs.flatMap(({ file }, run) => (sideOf(table, run) === side ? [file] : [])))]
}

export function SideChips(props: SideChipsProps) {
  const { table, sides, base, leftOut, makeBase, leaveOut } = props
  const shownSides = sides.filter(side => !leftOut.includes(side))
  if (sides.length === 0) return null
  return (
    <ul className="side-chips" aria-label="Sides" data-many={sides.length > 4}>
      {sides.map(side => {
        const places = placesOf(side, props)
        const hiddenCount = places.length > MAX_PLACES ? `, and ${places.length - MAX_PLACES} more` : ''
        const runs = table.runs.filter((_, run) => sideOf(table, run) === side)
        const words = `${table.tool}, ${counted(runs.length, runs.every(isInterval) ? 'interval' : 'run')}`
        return (
          <li key={side} data-run={letterIn(sides, side)} data-out={leftOut.includes(side)}>
            <span className="badge">{letterIn(sides, side) ?? ''}</span>
            <span className="side-chip-name" title={side}>
              {side}
            </span>
            {leftOut.includes(side) ? (
              <button type="button" className="link" onClick={() => leaveOut(side, false)}>
                Take back <span className="visually-hidden">{side}</span>
              </button>
            ) : (
              <span className="side-chip-tools">
                {side === base && <span className="tag">baseline</span>}
                <Menu
                  label={`Side ${letterIn(sides, side) ?? ''} ${side}`}
                  className="side-chip-menu"
                  items={[
                    { label: 'Make it the baseline', disabled: side === base, run: () => makeBase(side) },
                    { label: 'Leave out', disabled: shownSides.length < 2, run: () => leaveOut(side, true) },
                  ]}
                >
                  <span aria-hidden="true">▾</span>
                </Menu>
              </span>
            )}
            <span className="side-chip-facts" title={`${words}; ${places.join('; ')}`}>
              {words} · {places.slice(0, MAX_PLACES).join('; ')}
              {hiddenCount}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
