/** Stalls of a run's device: it completes nothing promptly there, though requests wait. */
import type { Stall } from '../../../engine/protocol'
import { duration, seconds, typographic } from '../../../lib/format'
import { stallInWords } from '../../../lib/moments'
import { type Ns, ns } from '../../../lib/units'
import type { LegendEntry } from '../paint/legendEntry'
import type { Shown } from './shown'

/** In the legend of a chart with a stall in view. */
export const STALL_ENTRY: LegendEntry = { label: 'stall', token: 'waiting', shape: 'hatch' }

/** A stall on the time axis. */
export interface StallSpan {
  readonly t0: Ns
  readonly t1: Ns
  readonly stall: Stall
}

/** The stalls of a run's shown device; none until they are found. */
export const stalledIn = ({ run, device, shift }: Pick<Shown, 'run' | 'device' | 'shift'>): readonly StallSpan[] =>
  (run.moments ?? [])
    .filter(stall => stall.device === device.dev)
    .map(stall => ({ t0: ns(stall.from_ns + shift), t1: ns(stall.to_ns + shift), stall }))

/** A row for the tooltip at a time; `undefined` outside of stalls. */
export function stallRow(stalls: readonly StallSpan[], t: number): readonly string[] | undefined {
  const here = stalls.find(span => t >= span.t0 && t <= span.t1)
  return here && [STALL_ENTRY.label, `${seconds(here.t0, 3)} to ${seconds(here.t1, 3)} s`, here.stall.kind]
}

/** The stalls for screen readers and text. Starts with a space; empty without any. */
export function stallWords(stalls: readonly StallSpan[]): string {
  const [first] = stalls
  if (first === undefined) return ''
  const all = stalls.reduce((sum, span) => sum + span.t1 - span.t0, 0)
  return stalls.length === 1
    ? ` From ${seconds(first.t0, 3)} s on the device ${stallInWords(first.stall, typographic)}.`
    : ` The device stalled ${stalls.length} times, for ${duration(all)} in sum.`
}
