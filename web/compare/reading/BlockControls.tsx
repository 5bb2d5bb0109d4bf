/** What can be changed of a block: its side, the name of the side, and whether it is read. */
import type { BlockReading, TableReading, TextChoices, TextReading } from '../../engine/protocol'
import { linesInWords } from './rows'
import { chosenFor, letterOf, newSide } from './sides'

export interface BlockControlsProps {
  readonly text: TextReading
  readonly block: BlockReading
  /** Of the block; absent where no figure of it is used. */
  readonly table: TableReading | undefined
  readonly choices: TextChoices
  choose(choices: TextChoices): void
}

const NEW = '\u0001new'

export function BlockControls({ text, block, table, choices, choose }: BlockControlsProps) {
  const { path: file, blocks } = text
  const lines = linesInWords(block, text)
  const change = (what: { readonly label?: string; readonly excluded?: boolean }) =>
    choose(chosenFor(choices, file, block, what))
  if (block.excluded) {
    return (
      <>
        <span className="reading-left-out">
          <b>Excluded</b> {block.tool}, {lines}
        </span>
        <button type="button" className="link" onClick={() => change({ excluded: false })}>
          Include <span className="visually-hidden">{lines}</span>
        </button>
      </>
    )
  }
  const side = block.sides[0]
  /** All blocks of the side get the name. */
  const rename = (label: string) => {
    if (side === undefined || label === '' || label === side) return
    const own = blocks.filter(({ sides, labelled, excluded }) => labelled && !excluded && sides[0] === side)
    choose(own.reduce((all, one) => chosenFor(all, file, one, { label }), choices))
  }
  return (
    <>
      {table && block.labelled ? (
        <>
          <select
            className="field"
            aria-label={`Side of ${lines}`}
            value={side ?? ''}
            onChange={event => change({ label: event.target.value === NEW ? newSide(table) : event.target.value })}
          >
            {side === undefined && <option value="">No side</option>}
            {table.sides.map(label => (
              <option key={label} value={label}>
                {`${letterOf(table, label) ?? ''} ${label}${label === side ? '' : ': a repeat of it'}`}
              </option>
            ))}
            <option value={NEW}>A new side</option>
          </select>
          {side !== undefined && (
            <input
              key={side}
              className="field"
              aria-label={`Name of the side of ${lines}`}
              defaultValue={side}
              onBlur={event => rename(event.target.value.trim())}
              onKeyDown={event => event.key === 'Enter' && rename(event.currentTarget.value.trim())}
            />
          )}
        </>
      ) : (
        <span className="reading-left-out">
          {block.tool}, {lines}
          {block.table === undefined ? ': no figure is used' : ': its columns are the sides'}
        </span>
      )}
      <button type="button" className="button" onClick={() => change({ excluded: true })}>
        Exclude <span className="visually-hidden">{lines}</span>
      </button>
    </>
  )
}
