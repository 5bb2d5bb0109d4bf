/** Loss intervals of a run's device: charts are incomplete there. */
import type { LossInterval } from '../../../engine/protocol'
import { duration, seconds } from '../../../lib/format'
import { type Ns, ns } from '../../../lib/units'
import type { LegendEntry } from '../paint/legendEntry'
import type { Shown } from './shown'

/** In the legend of a chart with loss intervals in view. */
export const LOST_ENTRY: LegendEntry = { label: 'events lost', token: 'bad', shape: 'hatch' }

/** Overlapping loss intervals of several CPUs as one. */
export interface LossSpan {
  readonly t0: Ns
  readonly t1: Ns
  /** Ascending numbers. */
  readonly cpus: readonly number[]
}

/** Joins overlapping spans; the result is in time order. */
export function united(times: readonly LossSpan[]): readonly LossSpan[] {
  const found: LossSpan[] = []
  for (const { t0, t1, cpus } of [...times].sort((a, b) => a.t0 - b.t0)) {
    const last = found.at(-1)
    if (last === undefined || t0 > last.t1) found.push({ t0, t1, cpus })
    else
      found[found.length - 1] = {
        t0: last.t0,
        t1: ns(Math.max(last.t1, t1)),
        cpus: [...new Set([...last.cpus, ...cpus])].sort((a, b) => a - b),
      }
  }
  return found
}

export const lostOf = (holes: readonly LossInterval[], device: number): readonly LossSpan[] =>
  united(holes.filter(hole => hole.device === device).map(({ from, to, cpu }) => ({ t0: from, t1: to, cpus: [cpu] })))

/** Loss intervals of a run's shown device. */
export const lostIn = ({ info, device }: Pick<Shown, 'info' | 'device'>): readonly LossSpan[] =>
  lostOf(info.quality.holes, device.index)

const cpusInWords = (cpus: readonly number[]): string => `${cpus.length === 1 ? 'cpu' : 'cpus'} ${cpus.join(', ')}`

/** A row for the tooltip at a time; `undefined` outside of loss intervals. */
export function lostRow(lost: readonly LossSpan[], t: number): readonly string[] | undefined {
  const here = lost.find(l => t >= l.t0 && t <= l.t1)
  return here && [LOST_ENTRY.label, `${seconds(here.t0, 3)} to ${seconds(here.t1, 3)} s`, cpusInWords(here.cpus)]
}

/** The warnings of a run say which. */
export const WHY_UNRELIABLE = 'events were lost, or times cannot be trusted'

/** A warning for screen readers and text. Starts with a space; empty where nothing was lost. */
export function lostWords(run: Pick<Shown, 'info' | 'device'>): string {
  const lost = lostIn(run)
  const [first] = lost
  if (first === undefined) return ''
  const all = lost.reduce((sum, l) => sum + l.t1 - l.t0, 0)
  const times =
    lost.length === 1
      ? `from ${seconds(first.t0, 3)} to ${seconds(first.t1, 3)} s`
      : `in ${lost.length} intervals, ${duration(all)} in total`
  return ` Unreliable: events were lost ${times}. The chart is incomplete there, and figures for the full run are wrong.`
}
