/** What can be changed of a block: its side, the name of the side, and whether it is read. */
import { linesInWords } from './rows'
import { blockChanges, type ChangedBlock, letterOf, newSide } from './sides'

const NEW = '\u0001new'

export function BlockControls({ text, block, table, choices, choose }: ChangedBlock) {
  const lines = linesInWords(block, text)
  const { change, rename } = blockChanges({ text, block, table, choices, choose })
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
