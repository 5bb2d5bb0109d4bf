/** What differs, in one sentence, and below it how certain that is. */
import { useMemo } from 'react'
import { type ResultVerdict, resultVerdict, type VerdictPart } from '../../compare/results/resultVerdict'
import { letterIn, type ShownResults } from '../../compare/results/useResults'
import { VERDICT_MARKS, verdictInWords } from '../../compare/verdicts'
import '../shared/verdict-bar.css'

/** Maximum number of further sides that are named. */
const MAX_OTHERS = 4

export function VerdictBar({ shown: { shown, sides } }: { readonly shown: ShownResults }) {
  const verdict = useMemo(() => shown && resultVerdict(shown.table, shown.figure, shown.view), [shown])
  if (!verdict) return null
  return (
    <section className="verdict-bar" aria-label="Verdict">
      <p className="verdict-sentence" role="status">
        {verdict.sentence.map((part, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence have no other identity
          <Part key={i} part={part} sides={sides} />
        ))}
      </p>
      <Facts verdict={verdict} sides={sides} />
    </section>
  )
}

/** The badge of a side with its name for who does not see it, or the name of what is no side. */
function Part({ part, sides }: { readonly part: VerdictPart; readonly sides: readonly string[] }) {
  if (typeof part === 'string') return part
  const letter = letterIn(sides, part.side)
  if (letter === undefined) return <b>{part.name}</b>
  return (
    <span className="badge" data-run={letter} title={part.name}>
      {letter}
      <span className="visually-hidden"> {part.name}</span>
    </span>
  )
}

function Facts({ verdict, sides }: { readonly verdict: ResultVerdict; readonly sides: readonly string[] }) {
  const { change, otherLines: others, counts, repeats } = verdict
  if (!change) return null
  const unlisted = others.length > MAX_OTHERS ? `, ${others.length - MAX_OTHERS} more in the matrix` : ''
  return (
    <ul className="verdict-facts">
      <li data-verdict={change.verdict}>
        <span aria-hidden="true">{VERDICT_MARKS[change.verdict]}</span> {change.text}, {verdictInWords(change.verdict)}
      </li>
      {others.length > 0 && (
        <li>
          {others.slice(0, MAX_OTHERS).map(({ line, text }, i) => (
            <span key={line.name}>
              {i > 0 && ', '}
              <Part part={line} sides={sides} /> {text}
            </span>
          ))}
          {unlisted}
        </li>
      )}
      {counts && <li>{counts}</li>}
      <li>no trace: no cause can be named</li>
      <li>{repeats}</li>
    </ul>
  )
}
