/** Whose the figures are, on a page that was opened from a snapshot: the sender's, until its traces are dropped and compared. */
import { listed } from '../../charts/shared/shown'
import type { Run, SnapshotCheck } from '../../state/types'
import { usePage } from '../context'
import './sender-line.css'

/** What is said of a trace that was read next to the snapshot. `it`: link or report. */
const WORDS: Readonly<Record<SnapshotCheck, (it: string) => string>> = {
  same: it => `SHA-256 as in the ${it}`,
  other: it => `events, times and devices as in the ${it}, but another SHA-256`,
  counts: it => `events, times and devices as in the ${it}; no SHA-256 to compare`,
  contradicts: it => `the ${it} has this SHA-256, but other figures`,
  foreign: it => `not a trace of the ${it}`,
}
const DOUBTFUL: readonly SnapshotCheck[] = ['other', 'contradicts']

const letters = (runs: readonly Run[]): string => listed(runs.map(run => run.letter))

export function SenderLine() {
  const runs = usePage(p => p.runs)
  const snapshot = usePage(p => p.snapshot)
  const results = usePage(p => p.results)
  if (!snapshot && !(runs.length === 0 && results?.linked)) return undefined
  const it = snapshot?.inFile ? 'report' : 'link'
  const theirs = runs.filter(run => run.snapshot)
  const checks = [...new Set(runs.flatMap(run => run.check ?? []))]
  const whose = theirs.length === runs.length ? 'Figures' : `Figures of ${letters(theirs)}`
  return (
    <p className="sender-line">
      {(theirs.length > 0 || runs.length === 0) && (
        <span>
          {whose} as the sender of this {it} made them{results && results.files.length > 0 && ', except those of your files'}.
          {runs.length > 0 && ' Drop the traces to check them.'}
        </span>
      )}
      {checks.map(check => (
        <span key={check} data-check={check} className={DOUBTFUL.includes(check) ? 'warn' : undefined}>
          {letters(runs.filter(run => run.check === check))} read from your files: {WORDS[check](it)}.
        </span>
      ))}
    </p>
  )
}
