import type { Warning } from '../../engine/protocol'
import { count } from '../../lib/format'

/** One error or warning: file, location, problem, what was kept and how to fix it. */
export function ErrorFacts({ error, titled }: { error: Warning; titled: boolean }) {
  const { at } = error
  const byte =
    at?.byte !== undefined ? `byte ${count(at.byte)}${at.size !== undefined ? ` of ${count(at.size)}` : ''}` : undefined
  const place = at?.line !== undefined ? [`line ${count(at.line)}`, byte].join(', ') : byte
  const rows = [
    ['File', at?.file, true],
    ['Location', place, true],
    ['Problem', error.message, false],
    ['Kept', error.kept, false],
  ] as const
  return (
    <section className="facts" data-code={error.code}>
      {titled && <h3>{at?.file ?? error.message}</h3>}
      <dl>
        {rows.map(
          ([name, value, mono]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd className={mono ? 'mono' : undefined}>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {error.remedy && (
        <p className="remedy">
          <strong>How to fix:</strong> {error.remedy}
        </p>
      )}
      <p className="facts-code mono">{error.code}</p>
    </section>
  )
}
