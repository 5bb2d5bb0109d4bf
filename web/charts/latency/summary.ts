/** Latency in words and as a table. */
import type { Distribution, FailureMarks } from '../../engine/protocol'
import { counted, duration } from '../../lib/format'
import type { Shown, StableView } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { notReadWords } from '../shared/answers/words'
import { latencyFailureWords } from './failures'
import { STAGE_NAMES, STAGE_WORDS } from './scale'

export const TITLE = 'Latency'

export function words(
  run: Shown,
  stage: StableView['stage'],
  distribution: Distribution | undefined,
  failures?: FailureMarks,
): string {
  return requestWords(run, stage, distribution) + latencyFailureWords(failures, stage)
}

function requestWords(run: Shown, stage: StableView['stage'], distribution: Distribution | undefined): string {
  const name = `${TITLE} of ${run.letter}, ${STAGE_NAMES[stage]} (${STAGE_WORDS[stage]})`
  if (distribution === undefined) return notReadWords(name)
  if (distribution.n === 0) return `${name}: no visible request has both events.`
  const d = distribution
  return `${name} of ${counted(d.n, 'request')}: median ${duration(d.p50)}, mean ${duration(d.mean)}, p90 ${duration(d.p90)}, p99 ${duration(d.p99)}, p99.9 ${duration(d.p999)}, max ${duration(d.max)}.`
}

const FIGURES = ['min', 'p50', 'mean', 'p90', 'p95', 'p99', 'p999', 'max'] as const

export function table(
  shown: readonly Shown[],
  stage: StableView['stage'],
  distributions: readonly (Distribution | undefined)[],
  failures: readonly (FailureMarks | undefined)[] = [],
): Table {
  const hasFailures = failures.some(marks => marks !== undefined && marks.n > 0)
  return {
    title: `${TITLE} ${STAGE_NAMES[stage]} (${STAGE_WORDS[stage]}) of the visible requests, ms`,
    columns: [
      { label: 'run', text: true },
      { label: 'requests' },
      ...(hasFailures ? [{ label: 'failed' }] : []),
      ...FIGURES.map(label => ({ label: label === 'p999' ? 'p99.9' : label })),
    ],
    rows: shown.flatMap((run, i) => {
      const d = distributions[i]
      const failed = hasFailures ? [failures[i]?.n ?? 0] : []
      return d === undefined ? [] : [[run.letter, d.n, ...failed, ...FIGURES.map(key => d[key] / 1e6)]]
    }),
  }
}
