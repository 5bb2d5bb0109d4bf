/** The head of a single run: what held it back most, what it did, and that nothing is compared yet. */
import { type ReactNode, useRef } from 'react'
import type { Run } from '../../../state/types'
import { usePage } from '../../context'
import '../../shared/verdict-bar.css'
import { AnnotateButton } from '../findings/Annotations'
import { sentenceText } from '../findings/findingWords'
import { oneRun } from '../findings/words'
import { useShownFigures } from '../useCurrentComparison'
import { PinnedSentence } from './PinnedSentence'
import { RangeFact } from './RangeFact'
import './head.css'

interface RunBarProps {
  readonly run: Run
  readonly caveats: readonly ReactNode[]
}

export function RunBar({ run, caveats }: RunBarProps) {
  const bar = useRef<HTMLElement>(null)
  const error = usePage(p => p.notCompared)
  const { explanation } = useShownFigures()
  const findings = explanation?.runs[0] === run.id ? (explanation.document.alone?.[0]?.findings ?? []) : []
  const [first] = findings
  const isHeldBack = first !== undefined && first.code !== 'nothing-held-back'
  const sentence = (
    <>
      <span className="badge" data-run={run.letter} aria-hidden="true">
        {run.letter}
      </span>{' '}
      {isHeldBack ? sentenceText(first.parts, first.sentence, { sides: [] }) : oneRun(run)}
    </>
  )
  return (
    <>
      <PinnedSentence bar={bar}>{sentence}</PinnedSentence>
      <section className="verdict-bar head-bar" aria-label="Verdict" ref={bar}>
        <div className="verdict-words">
          <h2 className="verdict-sentence">{sentence}</h2>
          <ul className="verdict-facts">
            <RangeFact />
            {isHeldBack && <li>{oneRun(run)}</li>}
            <li>nothing to compare with yet: no verdict</li>
          </ul>
        </div>
        <div className="verdict-buttons">
          <AnnotateButton />
        </div>
        {(caveats.length > 0 || error) && (
          <div className="verdict-caveats">
            {caveats}
            {error && (
              <p data-lost="">
                What held it back is not shown: {[error.message, error.remedy].filter(Boolean).join(' ')}{' '}
                <code>{error.code}</code>
              </p>
            )}
          </div>
        )}
      </section>
    </>
  )
}
