/** What the bisection took, by what it judged, and when good and bad were measured again. */
import { decidingFigure, lastJudged } from '../../bisect/document'
import { anchorTexts, needsFindingText, timeText } from '../../bisect/words'
import type { PrintedBisection } from '../../engine/protocol'
import { count, duration, typographic } from '../../lib/format'
import './bisect-rail.css'

export function BisectRail({ document }: { readonly document: PrintedBisection }) {
  const { candidates, steps, runs, skipped, seconds, started } = document
  const last = lastJudged(document)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['commits', candidates === undefined ? undefined : count(candidates)],
    ['steps', count(steps)],
    ['runs', count(runs)],
    ['skipped', count(skipped)],
    ['time', duration(seconds * 1e9)],
    ['started', started && timeText(started)],
  ]
  const anchors = anchorTexts(document, typographic)
  const note = needsFindingText(document)
  return (
    <div className="bisect-facts">
      <section aria-label="Bisection">
        <h2>Bisection</h2>
        <dl>
          {facts.map(
            ([name, value]) =>
              value !== undefined && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
      </section>
      {last && (
        <section aria-label="Judged by">
          <h2>Judged by</h2>
          <ul>
            {last.finding && (
              <li>
                finding <code>{last.finding.code}</code>
              </li>
            )}
            {last.evidence.map(figure => (
              <li key={figure.key}>
                {figure.label}
                {figure === decidingFigure(last) && last.evidence.length > 1 ? ' (decides)' : ''}
              </li>
            ))}
          </ul>
          {note !== undefined && <p>{note}</p>}
        </section>
      )}
      {anchors.length > 0 && (
        <section aria-label="Good and bad again">
          <h2>Good and bad again</h2>
          {anchors.map(text => (
            <p key={text}>{text}</p>
          ))}
        </section>
      )}
    </div>
  )
}
