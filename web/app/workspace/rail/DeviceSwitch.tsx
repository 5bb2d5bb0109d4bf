import { kindWords } from '../../../charts/shared/answers/names'
import { shortCount } from '../../../lib/format'
import { deviceOf } from '../../../state/filter'
import type { Run } from '../../../state/types'
import { useActions } from '../../context'

/** Indent of a device below another one, px. */
const INDENT = 12

/** The devices of the runs by name, each followed by those on which it lies. */
export function stacked(runs: readonly Pick<Run, 'info'>[]): readonly { name: string; depth: number }[] {
  const list = new Map<string, number>()
  for (const { info } of runs) {
    const devices = info?.devices ?? []
    const lower = new Set(devices.flatMap(({ below }) => below ?? []))
    const add = (index: number, depth: number) => {
      const device = devices.find(entry => entry.index === index)
      if (device === undefined || depth > devices.length) return
      if (!list.has(device.name)) list.set(device.name, depth)
      for (const member of device.below ?? []) add(member, depth + 1)
    }
    for (const { index } of devices) if (!lower.has(index)) add(index, 0)
  }
  return [...list].map(([name, depth]) => ({ name, depth }))
}

/**
 * Selects the device that the charts show, when a trace has several. A run that was split off for one device has no
 * choice.
 */
export function DeviceSwitch({ runs: shown }: { runs: readonly Run[] }) {
  const actions = useActions()
  const runs = shown.filter(r => !r.alone)
  if (runs.every(r => (r.info?.devices.length ?? 0) < 2)) return undefined
  const devices = stacked(runs)
  const hasLayers = devices.some(({ depth }) => depth > 0)
  return (
    <fieldset className="facet" data-runs={runs.length} style={{ '--runs': runs.length } as React.CSSProperties}>
      <legend className="facet-head">
        <span className="facet-title">{hasLayers ? 'Layers' : 'Device'}</span>
        <span className="caption facet-note">requests</span>
      </legend>
      {devices.map(({ name, depth }) => {
        const having = runs.flatMap(run => {
          const device = run.info?.devices.find(d => d.name === name)
          return device ? [{ run, device }] : []
        })
        const kind = having[0] ? kindWords(having[0].device) : ''
        return (
          <label key={name} className="facet-row">
            <input
              type="radio"
              name="device"
              checked={having.every(({ run, device }) => deviceOf(run) === device)}
              onChange={() => having[0] && actions.setDevice(having[0].run.id, having[0].device.index)}
            />
            <span className="facet-label" style={{ marginLeft: depth * INDENT }}>
              {name}
              {kind !== '' && <span className="facet-extra"> {kind}</span>}
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
