/** The layers of a request: a tree of names on the left, bars on one axis, times on the right. */

import { fixed } from '../../lib/format'
import { layers } from '../layers/spec'
import { BAR_WORDS, type BarMeaning, type LayerBar, type LayerRow, spanOf, ticksOf, tookWords } from './layers'
import './layers.css'

const MEANINGS = Object.keys(BAR_WORDS) as BarMeaning[]
/** Share of the axis that a letter of text takes, about. */
const LETTER_SHARE = 0.011

export function Layers({ rows }: { readonly rows: readonly LayerRow[] }) {
  const span = spanOf(rows)
  if (span === undefined) return undefined
  const length = Math.max(1, span.to - span.from)
  const ticks = ticksOf(length)
  const leftOf = (time: number): string => `${(time / length) * 100}%`
  const used = MEANINGS.filter(meaning => rows.some(row => row.bars.some(bar => bar.meaning === meaning)))
  return (
    <>
      <div className="layers">
        <ol aria-label={layers.title}>
          {rows.map(row => (
            <li key={row.key} className="layers-row" data-chosen={row.isChosen}>
              <div
                className="layers-name"
                style={{ '--depth': row.depth } as React.CSSProperties}
                data-depth={row.depth}
              >
                <b>{row.name}</b>
                <span>{row.detail}</span>
                <span className="visually-hidden">{row.bars.map(({ words }) => words).join(', ')}</span>
              </div>
              <div className="layers-plot" aria-hidden="true">
                {ticks.map(tick => (
                  <i key={tick} className="layers-grid" style={{ left: leftOf(tick) }} />
                ))}
                {row.bars.map(bar => (
                  <Bar key={`${bar.meaning} ${bar.from}`} bar={bar} from={span.from} length={length} />
                ))}
              </div>
              <div className="layers-took">{tookWords(row)}</div>
            </li>
          ))}
        </ol>
        <div className="layers-axis" aria-hidden="true">
          {ticks.map(tick => (
            <span key={tick} style={{ left: leftOf(tick) }}>
              {fixed(tick / 1e6, length < 1e6 ? 2 : 1)}
            </span>
          ))}
          <span className="layers-unit">ms</span>
        </div>
      </div>
      <ul className="layers-legend" aria-label="Colours">
        {used.map(meaning => (
          <li key={meaning}>
            <i data-meaning={meaning} aria-hidden="true" />
            {BAR_WORDS[meaning]}
          </li>
        ))}
      </ul>
    </>
  )
}

function Bar({ bar, from, length }: { readonly bar: LayerBar; readonly from: number; readonly length: number }) {
  const width = (bar.to - bar.from) / length
  return (
    <span
      className="layers-bar"
      data-meaning={bar.meaning}
      style={{ left: `${((bar.from - from) / length) * 100}%`, width: `max(1px, ${width * 100}%)` }}
    >
      {bar.letter && <em>{bar.letter}</em>}
      {bar.words.length * LETTER_SHARE < width && bar.words}
    </span>
  )
}
