/** The two commits on either side of the change, and what was found in one sentence. */
import { drawnFigures, sideLevel, sideNamed } from '../../bisect/sides'
import { bisectionText } from '../../bisect/text'
import { betweenText, foundText, levelText, shortHash } from '../../bisect/words'
import { CopyButton } from '../../charts/shared/menu/CopyButton'
import { VERDICT_MARKS } from '../../compare/verdicts'
import type { BisectEvidence, PrintedBisection, PrintedSide } from '../../engine/protocol'
import { change, counted, quantity, typographic } from '../../lib/format'
import '../shared/verdict-bar.css'
import './bisect-head.css'

/** Letters of the sides, as in their comparison: the good commit is the baseline. */
const SIDE_LETTERS = { good: 'A', bad: 'B' } as const

interface BisectHeadProps {
  readonly document: PrintedBisection
  readonly compare: (() => void) | undefined
  /** What to know of the comparison; absent if there is nothing. */
  readonly note: string | undefined
}

export function BisectHead({ document, compare, note }: BisectHeadProps) {
  const { main, finding } = drawnFigures(document)
  const sides = [sideNamed(document, 'good'), sideNamed(document, 'bad')].flatMap(side => side ?? [])
  const shownFigure = finding ?? main
  const between = betweenText(document, typographic)
  return (
    <>
      {sides.length > 0 && (
        <ul className="bisect-sides" aria-label="Sides">
          {sides.map(side => (
            <SideChip key={side.side} document={document} side={side} figure={main} />
          ))}
        </ul>
      )}
      <section className="verdict-bar bisect-verdict" aria-label="Verdict">
        <div className="bisect-said">
          <p className="verdict-sentence">
            {foundText(document, typographic)}
            {shownFigure && sides.length === 2 ? <SideValues document={document} figure={shownFigure} /> : '.'}
          </p>
          <ul className="verdict-facts">
            {main && <Change document={document} figure={main} />}
            {between !== undefined && <li>{between}</li>}
          </ul>
        </div>
        <div className="bisect-buttons">
          <button type="button" className="button" disabled={compare === undefined} onClick={compare}>
            Compare these two <kbd>↵</kbd>
          </button>
          <CopyButton text={() => bisectionText(document)} label="Copy as plain text" />
          {note !== undefined && <p className="caption">{note}</p>}
        </div>
      </section>
    </>
  )
}

interface SideChipProps {
  readonly document: PrintedBisection
  readonly side: PrintedSide
  readonly figure: BisectEvidence | undefined
}

function SideChip({ document, side, figure }: SideChipProps) {
  const { commit, subject, step } = side
  const level = figure && sideLevel(document, side, figure)
  const isFound = document.first_bad !== undefined
  const role = side.side === 'good' ? 'last good' : isFound ? 'first bad' : 'nearest bad so far'
  const facts = [figure && level && levelText(figure.unit, level, typographic), subject].flatMap(text => text ?? [])
  return (
    <li data-run={SIDE_LETTERS[side.side]}>
      <span className="badge">{SIDE_LETTERS[side.side]}</span>
      <span className="bisect-side-name">
        <span className="mono">{commit === undefined ? side.side : shortHash(commit)}</span>, {role}
      </span>
      {side.side === 'good' && <span className="tag">baseline</span>}
      <span className="bisect-side-runs">
        {step === undefined ? 'given' : `step ${step}`}
        {level && `, ${counted(level.runs, 'run')}`}
      </span>
      <span className="bisect-side-facts">{facts.join(' \u00b7 ')}</span>
    </li>
  )
}

interface FigureProps {
  readonly document: PrintedBisection
  readonly figure: BisectEvidence
}

/** The figure of both sides, the bad one first: it is the subject. */
function SideValues({ document, figure }: FigureProps) {
  const [bad, good] = (['bad', 'good'] as const).map(name => {
    const side = sideNamed(document, name)
    const level = side && sideLevel(document, side, figure)
    return (
      <span key={name} className="bisect-pair">
        <span className="badge" data-run={SIDE_LETTERS[name]}>
          {SIDE_LETTERS[name]}
          <span className="visually-hidden"> {name}</span>
        </span>{' '}
        {quantity(figure.unit, level?.value)}
      </span>
    )
  })
  return (
    <>
      : {figure.label} {bad}; {good}.
    </>
  )
}

/** How the figure differs between both sides. Only a figure that tells them apart has the mark of a verdict. */
function Change({ document, figure }: FigureProps) {
  const [good, bad] = (['good', 'bad'] as const).map(name => {
    const side = sideNamed(document, name)
    return side && sideLevel(document, side, figure)
  })
  if (!good || !bad) return null
  const step = sideNamed(document, 'bad')?.step
  const tested = document.commits.find(commit => commit.step === step)
  const isTold = tested?.evidence.find(({ key }) => key === figure.key)?.verdict === 'bad'
  const words = `${figure.label} ${quantity(figure.unit, good.value)} \u2192 ${quantity(figure.unit, bad.value)}`
  return (
    <li {...(isTold && { 'data-verdict': 'worse' })}>
      {isTold && <span aria-hidden="true">{VERDICT_MARKS.worse} </span>}
      {words}
      {figure.unit !== 'share' && `, ${change(good.value, bad.value)}`}
    </li>
  )
}
