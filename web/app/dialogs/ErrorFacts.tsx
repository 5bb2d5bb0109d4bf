import type { Warning } from '../../engine/protocol'
import { count } from '../../lib/format'

/** One error or warning: file, location, problem, what was kept and how to fix it. */
export function ErrorFacts({ error, titled }: { error: Warning; titled: boolean }) {
  const { at: location } = error
  const byte =
    location?.byte !== undefined
      ? `byte ${count(location.byte)}${location.size !== undefined ? ` of ${count(location.size)}` : ''}`
      : undefined
  const place = location?.line !== undefined ? [`line ${count(location.line)}`, byte].join(', ') : byte
  const rows = [
    ['File', location?.file, true],
    ['Location', place, true],
    ['Problem', error.message, false],
    ['Kept', error.kept, false],
  ] as const
  return (
    <section className="facts" data-code={error.code}>
      {titled && <h3>{location?.file ?? error.message}</h3>}
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
