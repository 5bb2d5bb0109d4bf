/** Splits a trace into one run per device, and joins them again: to compare devices of one trace, on one clock. */
import type { DeviceInfo, TraceClient } from '../../engine/protocol'
import type { Run } from '../types'
import { placeRuns } from './runs'

/** Devices with requests. */
export const shownDevices = (run: Run): readonly DeviceInfo[] => run.info?.devices.filter(d => d.requests > 0) ?? []

/** The label of a run until the user renames it. */
export function ownLabel(run: Run): string {
  const trace = run.info?.label ?? run.openedAs ?? run.label
  const device = run.alone && run.info?.devices.find(d => d.index === run.device)
  return device ? `${trace} ${device.name}` : trace
}

/** Runs of one trace need separate channels: a query of one must not replace a query of another. */
export const ownChannels = (client: TraceClient, id: string): TraceClient => ({
  query: (kind, ask, channel) => client.query(kind, ask, channel === undefined ? undefined : `${channel} of ${id}`),
})

/** Replaces a run by one per device, adding at most `room` runs. A run with one device is left as it is. */
export function splitRun(runs: readonly Run[], id: string, room: number): readonly Run[] {
  const run = runs.find(r => r.id === id)
  const devices = run ? shownDevices(run).slice(0, room + 1) : []
  if (!run || run.alone || devices.length < 2) return runs
  const renamed = run.label !== ownLabel(run)
  const deviceRuns = devices.map((device, i): Run => {
    const { compared: _, ...rest } = run
    const part = {
      ...rest,
      id: i === 0 ? id : `${id}-${device.dev}`,
      device: device.index,
      alone: true as const,
      baseline: run.baseline && i === 0,
    }
    return {
      ...part,
      label: renamed ? `${run.label} ${device.name}` : ownLabel(part),
      client: i === 0 ? run.client : ownChannels(run.client, part.id),
    }
  })
  return placeRuns(runs.flatMap(r => (r.id === id ? deviceRuns : [r])))
}

/** Replaces the runs of a trace's devices by one run, at the place of the first. */
export function joinDevices(runs: readonly Run[], trace: number): readonly Run[] {
  const parts = runs.filter(r => r.trace === trace)
  const [first] = parts
  if (!first?.alone) return runs
  const { alone: _, ...rest } = first
  const device = first.info?.devices[0]?.index ?? first.device
  const joinedRun: Run = {
    ...rest,
    device,
    label: ownLabel(rest),
    baseline: parts.some(r => r.baseline),
    hidden: parts.every(r => r.hidden),
  }
  return placeRuns(runs.flatMap(r => (r === first ? [joinedRun] : r.trace === trace ? [] : [r])))
}
