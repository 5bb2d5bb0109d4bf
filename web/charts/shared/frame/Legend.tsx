/** Legend entries: a swatch, line or glyph and its word. */
import type { ReactNode } from 'react'
import { LOG_SCALE, PER_CELL } from '../answers/words'
import { entryWords, type LegendEntry } from '../paint/legendEntry'
import { TermText } from '../term/Term'

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
        <LegendItem key={entryWords(entry)} words={entryWords(entry)}>
          <Swatch token={entry.token} shape={entry.shape ?? 'square'} />
          <span>
            {entry.label !== '' && (
              <LegendWord>
                <TermText text={entry.label} />
              </LegendWord>
            )}
            {entry.more && <LegendMore>{entry.more}</LegendMore>}
          </span>
        </LegendItem>
      ))}
    </span>
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
