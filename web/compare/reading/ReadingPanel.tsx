/**
 * How the texts of results were read: the sentence, other ways to read them, and the text with its marks. What is
 * changed here is read again at once; until *Apply*, *Cancel* takes all changes of this time back.
 */
import { useEffect, useState } from 'react'
import type { ResultsDocument, TableReading, TextChoices } from '../../engine/protocol'
import { counted } from '../../lib/format'
import { countChoices } from '../../state/comparing/results'
import type { PageResults } from '../../state/page'
import { ReadingText } from './ReadingText'
import './reading.css'
import { letterOf } from './sides'

export interface ReadingActions {
  /** Reads the texts again. `before` replaces the choices to which undo leads. */
  readAs(choices: TextChoices, before?: readonly TextChoices[]): void
  /** Returns to the choices before the last change. */
  undoReading(): void
}

type PageTexts = NonNullable<PageResults['texts']>

/** A number of a text: index of the text, and of the number in it. */
export interface PlacedNumber {
  readonly text: number
  readonly number: number
}

export interface ReadingPanelProps {
  readonly results: PageResults
  readonly texts: PageTexts
  /** Index of the table that is shown, among those of the texts. */
  readonly table: number
  /** The number to show. Every request must be a new object, or the same number is not shown again. */
  readonly target: PlacedNumber | undefined
  /** Words of the search; they are marked in the text. */
  readonly search: string
  /** Absent if the text cannot be read again. */
  readonly actions: ReadingActions | undefined
  showCell(place: PlacedNumber): void
  /** Called when the number of `target` is in sight. */
  onShown(): void
}

export function ReadingPanel(props: ReadingPanelProps) {
  const { results, texts, table, target, search, actions, showCell, onShown } = props
  const { reading, choices, before } = texts
  const [chosen, setChosen] = useState(0)
  /** The choices when *Change* was pressed, which *Cancel* restores; absent while nothing is being changed. */
  const [begun, setBegun] = useState<Pick<PageTexts, 'choices' | 'before'>>()
  const tableReading = reading.tables[table]
  useEffect(() => {
    if (target) setChosen(target.text)
  }, [target])
  const index = reading.texts[chosen] ? chosen : 0
  const text = reading.texts[index]
  const end = () => setBegun(undefined)
  const cancel = () => {
    if (begun && begun.choices !== choices) actions?.readAs(begun.choices, begun.before)
    end()
  }
  const isChanging = begun !== undefined && actions !== undefined
  useChangeKey(actions !== undefined && !isChanging, () => setBegun({ choices, before }))
  if (!text) return null
  const document = ownTables(results)
  return (
    <section
      className="reading"
      aria-labelledby="reading-title"
      onKeyDown={event => {
        if (event.key === 'Escape' && isChanging) cancel()
      }}
    >
      <ReadingHead
        texts={texts}
        actions={actions}
        isChanging={isChanging}
        begin={() => setBegun({ choices, before })}
        cancel={cancel}
        end={end}
      />
      <p className="reading-sentence" role="status">
        {tableReading?.sentence ?? 'Nothing is read: all blocks are excluded.'}
      </p>
      {reading.warnings.map(({ code, file, line, message }) => (
        <p key={`${file} ${line} ${code}`} className="caption">
          {file}, line {line}: {message}
        </p>
      ))}
      {reading.unread !== undefined && <p className="reading-sentence">{reading.unread}</p>}
      {isChanging && (
        <p className="caption">
          Choose a side for each block, or leave it out. The table shows the result; Apply keeps it.
        </p>
      )}
      {tableReading && actions && (
        <OtherReadings table={tableReading} choose={sides => actions.readAs({ ...choices, sides })} />
      )}
      <Legend table={tableReading} />
      {reading.texts.length > 1 && (
        <label className="reading-texts">
          Text{' '}
          <select className="field" value={index} onChange={event => setChosen(Number(event.target.value))}>
            {reading.texts.map(({ path }, i) => (
              <option key={path} value={i}>
                {path}
              </option>
            ))}
          </select>
        </label>
      )}
      <ReadingText
        key={text.path}
        text={text}
        document={document}
        reading={reading}
        target={target?.text === index ? target : undefined}
        search={search}
        edit={actions && { choices, choose: actions.readAs }}
        isChanging={isChanging}
        onShown={onShown}
        showCell={number => showCell({ text: index, number })}
      />
      <p className="caption">
        {text.omitted > 0 && `${counted(text.omitted, 'more line')} not shown. `}
        The text stays in this browser: links and reports carry the tables only.
      </p>
    </section>
  )
}

interface ReadingHeadProps {
  readonly texts: PageTexts
  readonly actions: ReadingActions | undefined
  readonly isChanging: boolean
  begin(): void
  cancel(): void
  end(): void
}

function ReadingHead({ texts, actions, isChanging, begin, cancel, end }: ReadingHeadProps) {
  const changes = countChoices(texts.choices)
  return (
    <header className="reading-head">
      <h2 id="reading-title">How this text was read</h2>
      {changes > 0 && <span className="caption">{counted(changes, 'change')}</span>}
      {actions && texts.before.length > 0 && (
        <button type="button" className="button" onClick={actions.undoReading}>
          Undo
        </button>
      )}
      {isChanging ? (
        <>
          <button type="button" className="button quiet" onClick={cancel}>
            Cancel <kbd>Esc</kbd>
          </button>
          <button type="button" className="button primary" onClick={end}>
            Apply
          </button>
        </>
      ) : (
        actions && (
          <button type="button" className="button" onClick={begin}>
            Change <kbd>C</kbd>
          </button>
        )
      )}
    </header>
  )
}

/** The document without the tables of a link, which come first: those have no text here. */
const ownTables = ({ document, linked = [] }: PageResults): ResultsDocument => ({
  ...document,
  tables: document.tables.slice(linked.length),
})

/** The key `C` starts changing how a text was read. */
function useChangeKey(isEnabled: boolean, change: () => void) {
  useEffect(() => {
    if (!isEnabled) return
    const onKey = (event: KeyboardEvent) => {
      const field = event.target instanceof Element && event.target.closest('input, select, textarea, dialog')
      if (event.key.toLowerCase() !== 'c' || event.ctrlKey || event.metaKey || event.altKey || field) return
      event.preventDefault()
      change()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isEnabled, change])
}

/** Up to this number of ways to read are buttons; more are a list. */
const MAX_BUTTONS = 3

function OtherReadings({ table, choose }: { readonly table: TableReading; choose(sides: string): void }) {
  const { possible, by: chosen } = table
  if (possible.length < 2) return null
  if (possible.length <= MAX_BUTTONS) {
    return (
      <fieldset className="segments reading-others" aria-label="Read by">
        {possible.map(({ sides, words }) => (
          <button key={sides} type="button" aria-pressed={sides === chosen} onClick={() => choose(sides)}>
            by {words}
          </button>
        ))}
      </fieldset>
    )
  }
  return (
    <label className="reading-texts">
      Read by{' '}
      <select className="field" value={chosen ?? ''} onChange={event => choose(event.target.value)}>
        {chosen === undefined && <option value="">their order</option>}
        {possible.map(({ sides, words }) => (
          <option key={sides} value={sides}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Maximum number of sides that the legend names. */
const MAX_NAMED = 6

function Legend({ table }: { readonly table: TableReading | undefined }) {
  if (!table) return null
  return (
    <ul className="reading-legend" aria-label="Marks">
      {table.sides.slice(0, MAX_NAMED).map(side => (
        <li key={side} data-run={letterOf(table, side)}>
          <span className="badge">{letterOf(table, side)}</span>
          <span className="reading-sample">12</span>
          <span>for {side}</span>
        </li>
      ))}
      {table.sides.length === 0 && (
        <li>
          <span className="reading-sample">12</span> used
        </li>
      )}
      {table.sides.length > 1 && (
        <li>
          <span className="reading-sample" data-lone="true">
            12
          </span>{' '}
          of one side only
        </li>
      )}
      <li>
        <span className="reading-parameter">12</span> parameter
      </li>
      <li>12 not used</li>
    </ul>
  )
}
