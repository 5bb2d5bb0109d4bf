/** The rule of a finding with its figures, whose requests it concerns, and settings that can explain it. */

import { TermText } from '../../../charts/shared/term/Term'
import { explained } from '../../../engine/findings'
import type { Finding } from '../../../engine/protocol'
import type { CurrentComparison } from '../../../state/comparing/comparing'
import { type FindingFigure, figuresOf, sentenceText } from '../findings/findingWords'
import { type BadgedSide, SideBadge } from './SideSentence'

interface FindingRuleProps {
  readonly current: CurrentComparison
  readonly finding: Finding
  /** The sides of the comparison, in the order of its document. */
  readonly sides: readonly BadgedSide[]
}

export function FindingRule({ current, finding, sides }: FindingRuleProps) {
  const { comparison, document } = current
  const { code, rule, focus, gain } = finding
  return (
    <div className="finding-rule">
      <div>
        <h3>The rule</h3>
        <p>
          {/* Size XS lacks it. */}
          {rule !== '' && (
            <>
              <code>{code}</code> fires when <TermText text={rule} />.{' '}
            </>
          )}
          <a href={explained(code)} target="_blank" rel="noopener">
            What this does and doesn&rsquo;t mean
          </a>
        </p>
        {focus && focus.length > 0 && <p className="finding-focus">{sentenceText(focus, '', document)}</p>}
        {gain && <p className="finding-gain">{sentenceText(gain.words, '', document)}</p>}
      </div>
      <FindingRows
        rows={figuresOf(finding, comparison.figures)}
        base={sides[document.baseline]}
        other={sides[comparison.side]}
      />
    </div>
  )
}

interface FindingRowsProps {
  readonly rows: readonly FindingFigure[]
  readonly base: BadgedSide | undefined
  readonly other: BadgedSide | undefined
}

function FindingRows({ rows, base, other }: FindingRowsProps) {
  if (rows.length === 0) return undefined
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Its figures</th>
          <th scope="col">{base && <SideBadge side={base} />}</th>
          <th scope="col">{other && <SideBadge side={other} />}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, before, after }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
