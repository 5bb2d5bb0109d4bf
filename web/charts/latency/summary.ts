/** Latency in words and as a table. */
import type { Distribution } from '../../engine/protocol'
import { counted, duration } from '../../lib/format'
import type { Shown, StableView } from '../shared/shown'
import type { Table } from '../shared/table'
import { STAGE_NAMES, STAGE_WORDS } from './scale'

export function words(run: Shown, stage: StableView['stage'], distribution: Distribution | undefined): string {
  const name = `Latency of ${run.letter}, ${STAGE_NAMES[stage]} (${STAGE_WORDS[stage]})`
  if (distribution === undefined) return `${name}: not read yet.`
  if (distribution.n === 0) return `${name}: no visible request has both events.`
  const d = distribution
  return `${name} of ${counted(d.n, 'request')}: median ${duration(d.p50)}, mean ${duration(d.mean)}, p90 ${duration(d.p90)}, p99 ${duration(d.p99)}, p99.9 ${duration(d.p999)}, max ${duration(d.max)}.`
}

const FIGURES = ['min', 'p50', 'mean', 'p90', 'p95', 'p99', 'p999', 'max'] as const

export function table(
  shown: readonly Shown[],
  stage: StableView['stage'],
  distributions: readonly (Distribution | undefined)[],
): Table {
  return {
    title: `Latency ${STAGE_NAMES[stage]} (${STAGE_WORDS[stage]}) of the visible requests, ms`,
    columns: [
      { label: 'run', text: true },
      { label: 'requests' },
      ...FIGURES.map(label => ({ label: label === 'p999' ? 'p99.9' : label })),
    ],
    rows: shown.flatMap((run, i) => {
      const d = distributions[i]
      return d === undefined ? [] : [[run.letter, d.n, ...FIGURES.map(key => d[key] / 1e6)]]
    }),
  }
}
