/** Legend entries: a swatch, line or glyph and its word. */
import { type ReactNode, useContext } from 'react'
import { leavesOut } from '../../../state/hidden'
import { LegendFiltersContext, showOnlyWords } from '../answers/legendFilters'
import { LOG_SCALE, PER_CELL } from '../answers/words'
import { entryWords, type LegendEntry } from '../paint/legendEntry'
import { TermText } from '../term/Term'
import { splitAtTerms } from '../term/terms'

export function Swatch({ token, shape = 'square' }: { readonly token: string; readonly shape?: LegendEntry['shape'] }) {
  return (
    <i className={`legend-swatch legend-${shape}`} style={{ '--swatch': `var(--${token})` } as React.CSSProperties} />
  )
}

/** Words that explain: they give way before the other words of a legend. */
export const LegendMore = ({ children }: { readonly children: ReactNode }) => (
  <span className="legend-more">{children}</span>
)

export const LegendWord = ({ children }: { readonly children: ReactNode }) => (
  <span className="legend-word">{children}</span>
)

export function Legend({
  entries,
  children,
}: {
  readonly entries: readonly LegendEntry[]
  readonly children?: ReactNode
}) {
  return (
    <span className="legend">
      {children}
      {entries.map(entry => (
        <Entry key={entryWords(entry)} entry={entry} />
      ))}
    </span>
  )
}

function Entry({ entry }: { readonly entry: LegendEntry }) {
  const filters = useContext(LegendFiltersContext)
  const { label, more, token, shape = 'square', only } = entry
  const isFilter = filters !== undefined && only !== undefined
  const content = (
    <>
      <Swatch token={token} shape={shape} />
      <span>
        {label !== '' && (
          <LegendWord>
            <TermText text={label} isInControl={isFilter} />
          </LegendWord>
        )}
        {more && <LegendMore>{more}</LegendMore>}
      </span>
    </>
  )
  if (!isFilter) return <LegendItem words={entryWords(entry)}>{content}</LegendItem>
  return (
    <FilterButton label={label} pressed={leavesOut(filters.hidden, only)} onClick={() => filters.leaveOut(only)}>
      {content}
    </FilterButton>
  )
}

interface FilterButtonProps {
  readonly label: string
  readonly pressed: boolean
  onClick(): void
  readonly children: ReactNode
}

/** An entry that is a filter: a click shows its requests alone, a second one shows all again. */
function FilterButton({ label, pressed, onClick, children }: FilterButtonProps) {
  const name = showOnlyWords(label)
  // The button takes the focus, so it has the explanation of the term in it.
  const term = splitAtTerms(label).flatMap(part => (typeof part === 'string' ? [] : [part.term.name]))[0]
  return (
    <button
      type="button"
      className="legend-item legend-filter"
      title={name}
      aria-label={name}
      aria-pressed={pressed}
      {...(term !== undefined && { 'data-term': term })}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

/** An entry, with its words where there is no room for them. */
export const LegendItem = ({ words, children }: { readonly words: string; readonly children: ReactNode }) => (
  <span className="legend-item" title={words}>
    {children}
  </span>
)

/** The five steps of a map, with the largest count of one cell. */
export function DensityLegend({ max }: { readonly max: number }) {
  if (max <= 1)
    return (
      <span className="legend">
        <LegendMore>{`${PER_CELL}: 1`}</LegendMore>
      </span>
    )
  return (
    <span className="legend legend-item" title={`${PER_CELL}: 1 to ${max}, ${LOG_SCALE}`}>
      <LegendWord>{PER_CELL}</LegendWord> 1{' '}
      <span className="legend-steps">
        {[1, 2, 3, 4, 5].map(step => (
          <i key={step} style={{ background: `var(--density-${step})` }} />
        ))}
      </span>{' '}
      <span>
        {max}
        <LegendMore>{`, ${LOG_SCALE}`}</LegendMore>
      </span>
    </span>
  )
}
