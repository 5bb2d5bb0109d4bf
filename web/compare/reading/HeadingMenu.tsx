/** The menu in a heading that became a side: another side, a repeat, another name, or left out. */
import { useState } from 'react'
import { Menu, type MenuItem } from '../../charts/shared/menu/Menu'
import { linesInWords } from './rows'
import { blockChanges, type ChangedBlock, letterOf, newSide } from './sides'

export function HeadingMenu(props: ChangedBlock) {
  const { text, block, table } = props
  const [renaming, setRenaming] = useState(false)
  const { change, rename } = blockChanges(props)
  const [side] = block.sides
  if (!table || side === undefined) return null
  const lines = linesInWords(block, text)
  const letter = letterOf(table, side)
  if (renaming) {
    const end = (name: string) => {
      setRenaming(false)
      rename(name.trim())
    }
    return (
      <input
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the menu that was pressed
        autoFocus
        className="field"
        aria-label={`New name of the side of ${lines}`}
        defaultValue={side}
        onBlur={event => end(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') end(event.currentTarget.value)
          if (event.key !== 'Escape') return
          event.stopPropagation()
          setRenaming(false)
        }}
      />
    )
  }
  const withLetter = (label: string | undefined) => (label === undefined ? {} : { letter: label })
  const sides = table.sides.map(
    (label): MenuItem => ({
      label: label === side ? label : `${label}: this is a repeat of it`,
      isChosen: label === side,
      ...withLetter(letterOf(table, label)),
      run: () => label !== side && change({ label }),
    }),
  )
  const items: readonly MenuItem[] = [
    ...(block.labelled
      ? [
          ...sides,
          { label: 'A new side', run: () => change({ label: newSide(table) }) },
          { label: 'Rename\u2026', run: () => setRenaming(true) },
        ]
      : []),
    { label: `Exclude ${lines}`, run: () => change({ excluded: true }) },
  ]
  return (
    <Menu label={`side ${letter ?? side} of ${lines}`} items={items} className="reading-menu">
      side {letter ?? side} <span aria-hidden="true">▾</span>
    </Menu>
  )
}
