import { deviceName } from '../../../charts/shared/answers/names'
import type { Geometry } from '../../../engine/protocol'
import { count, counted, sectorSize } from '../../../lib/format'
import { describeStart, formatGeometry, fullStripe, LEVEL_NAMES, parityDisks } from '../../../lib/geometry'
import { deviceOf } from '../../../state/filter'
import type { Run } from '../../../state/types'
import { useActions } from '../../context'
import { Suggested, sourceWords } from './Suggested'
import { suggestionsOf } from './suggestion'

/** The stripe geometry in use, and the one detected in the trace or its notes. */
export function GeometryPanel({
  runs,
  off4k,
  requests,
}: {
  runs: readonly Run[]
  off4k: number | undefined
  requests: number | undefined
}) {
  const { editGeometry } = useActions()
  const specs = new Map(runs.map(r => [r.geometry ? formatGeometry(r.geometry) : '', r] as const))
  const shared = specs.size === 1 ? runs[0]?.geometry : undefined
  const suggestion = runs.flatMap(suggestionsOf)[0]
  return (
    <section className="facet" aria-label="Storage geometry">
      <div className="facet-head">
        <h2 className="facet-title">Storage geometry</h2>
        <button type="button" className="link facet-note" onClick={editGeometry}>
          edit
        </button>
      </div>
      {shared && <Settings geometry={shared} device={runs[0]} />}
      {!shared && specs.size > 1 && (
        <ul>
          {runs.map(r => (
            <li key={r.id}>
              {r.letter}:{' '}
              {r.geometry
                ? `${LEVEL_NAMES[r.geometry.level]}, unit ${sectorSize(r.geometry.unit)}, start ${describeStart(r.geometry.start)}`
                : 'none'}
            </li>
          ))}
        </ul>
      )}
      {!shared && specs.size <= 1 && (
        <p className="geometry-none">
          No stripes set{suggestion ? '.' : ', none detected.'}
          {off4k !== undefined && requests !== undefined && (
            <>
              <br />4 KiB alignment:{' '}
              {off4k === 0
                ? `all ${counted(requests, 'request')}.`
                : `${counted(off4k, 'request')} of ${count(requests)} ${off4k === 1 ? 'is' : 'are'} not aligned.`}
            </>
          )}
        </p>
      )}
      {suggestion && (
        <div className="seen">
          <strong>{sourceWords(suggestion)}</strong>
          <Suggested suggestion={suggestion} />
          <p>Not applied.</p>
          <button type="button" className="link" onClick={editGeometry}>
            Set geometry
          </button>
        </div>
      )}
    </section>
  )
}

function Settings({ geometry, device }: { geometry: Geometry; device: Run | undefined }) {
  const shown = device && deviceOf(device)
  const parity = parityDisks(geometry.level)
  const rows = [
    ['Device', shown ? `${deviceName(shown.dev, device)} ${shown.dev.replace(',', ':')}` : ''],
    ['Level', LEVEL_NAMES[geometry.level]],
    ['Stripe unit', sectorSize(geometry.unit)],
    ['Data disks', parity > 0 ? `${geometry.dataDisks} of ${geometry.dataDisks + parity}` : String(geometry.dataDisks)],
    ['Full stripe', sectorSize(fullStripe(geometry))],
    ['Start offset', counted(geometry.start, 'sector')],
  ]
  return (
    <dl className="geometry">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="mono">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
