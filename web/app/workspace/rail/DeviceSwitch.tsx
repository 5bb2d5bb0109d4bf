import { shortCount } from '../../../lib/format'
import { deviceOf } from '../../../state/filter'
import type { Run } from '../../../state/types'
import { useActions } from '../../context'

const ROLES = { stacked: 'array', remapped: 'mapped', disk: '' } as const

/**
 * Selects the device that the charts show, when a trace has several. A run that was split off for one device has no
 * choice.
 */
export function DeviceSwitch({ runs: shown }: { runs: readonly Run[] }) {
  const actions = useActions()
  const runs = shown.filter(r => !r.alone)
  if (runs.every(r => (r.info?.devices.length ?? 0) < 2)) return undefined
  const names = [...new Set(runs.flatMap(r => r.info?.devices.map(d => d.name) ?? []))]
  return (
    <fieldset className="facet" data-runs={runs.length} style={{ '--runs': runs.length } as React.CSSProperties}>
      <legend className="facet-head">
        <span className="facet-title">Device</span>
        <span className="caption facet-note">requests</span>
      </legend>
      {names.map(name => {
        const having = runs.flatMap(run => {
          const device = run.info?.devices.find(d => d.name === name)
          return device ? [{ run, device }] : []
        })
        const role = having[0] ? ROLES[having[0].device.role] : ''
        return (
          <label key={name} className="facet-row">
            <input
              type="radio"
              name="device"
              checked={having.every(({ run, device }) => deviceOf(run) === device)}
              onChange={() => having[0] && actions.setDevice(having[0].run.id, having[0].device.index)}
            />
            <span className="facet-label">
              {name}
              {role !== '' && <span className="facet-extra"> {role}</span>}
            </span>
            {runs.map(run => (
              <span key={run.id} className="facet-count">
                {shortCount(run.info?.devices.find(d => d.name === name)?.requests ?? 0)}
              </span>
            ))}
          </label>
        )
      })}
    </fieldset>
  )
}
