/** A bisection of six commits for tests: one was skipped, one decided by the finding alone. */
import type { BisectEvidence, BisectLevel, PrintedBisection, PrintedCommit } from '../engine/protocol'

export const level = (value: number, reach: number, runs = 3): BisectLevel => ({
  runs,
  value,
  ci95: [value - reach, value + reach],
})

const starved = (commit?: BisectLevel, verdict?: 'good' | 'bad'): BisectEvidence => ({
  key: 'starved.share',
  label: 'Starved time',
  unit: 'share',
  of_finding: true,
  good: level(0.03, 0.005),
  bad: level(0.19, 0.01),
  ...(commit && { commit, place: 'near' }),
  ...(verdict && { verdict, error: 0.001 }),
})

const rate = (commit?: BisectLevel, verdict?: 'good' | 'bad'): BisectEvidence => ({
  key: 'iops',
  label: 'Requests completed',
  unit: '1/s',
  of_finding: false,
  good: level(318, 8),
  bad: level(165, 7),
  ...(commit && { commit, place: 'near' }),
  ...(verdict && { verdict, error: 0.001 }),
})

const hash = (digit: string): string => digit.repeat(40)

export function commit(step: number, digit: string, verdict: 'good' | 'bad', isTold = true): PrintedCommit {
  const [share, iops] = verdict === 'bad' ? [0.192, 166] : [0.03, 309]
  return {
    step,
    commit: hash(digit),
    subject: `Commit ${digit}`,
    runs: 4,
    verdict,
    evidence: [
      starved(level(share, 0.01, 4), verdict),
      isTold ? rate(level(iops, 10, 4), verdict) : rate(level(iops, 60, 4)),
    ],
    decided_by: 0,
    finding: { code: 'starved-while-waiting', present: verdict === 'bad' },
    contradicted: false,
    reason: `${digit} is ${verdict} after 4 runs.`,
  }
}

export const skipped: PrintedCommit = {
  step: 2,
  commit: hash('d'),
  subject: 'Commit d',
  runs: 0,
  verdict: 'skip',
  evidence: [],
  contradicted: false,
  reason: 'd cannot be tested: COMMAND ended with status 3.',
}

export const BISECTION: PrintedBisection = {
  schema: 1,
  kind: 'bisection',
  started: '2026-11-28T10:00:00.000Z',
  seconds: 2880,
  steps: 4,
  runs: 12,
  skipped: 1,
  candidates: 256,
  endpoints: [
    { side: 'good', commits: [hash('0')] },
    { side: 'bad', commits: [hash('f')] },
  ],
  anchors: [],
  commits: [commit(4, 'a', 'good', false), commit(3, 'b', 'bad'), commit(1, 'c', 'bad'), skipped],
  first_bad: hash('b'),
  remaining: [hash('b')],
  sides: [
    { side: 'good', commit: hash('a'), subject: 'Commit a', step: 4, digests: ['{}'] },
    { side: 'bad', commit: hash('b'), subject: 'Commit b', step: 3, digests: ['{}', '{}'] },
  ],
  between: 0,
  next: ['git checkout ffffffffffff', 'seekscope bisect'],
  mail: ['Bisected-by: seekscope, 4 steps, 12 runs'],
}
