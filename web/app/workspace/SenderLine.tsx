/**
 * Whose the figures are, on a page that was opened from a snapshot: the sender's, until its traces are dropped and
 * compared.
 */
import { listed } from '../../charts/shared/answers/shown'
import type { CompareDocument } from '../../engine/protocol'
import { counted } from '../../lib/format'
import type { Run, SnapshotCheck } from '../../state/types'
import { usePage } from '../context'
import './sender-line.css'

/** Words for a trace that was read next to the snapshot. `source`: link or report. */
const WORDS: Readonly<Record<SnapshotCheck, (source: string) => string>> = {
  same: source => `SHA-256 as in the ${source}`,
  other: source => `events, times and devices as in the ${source}, but another SHA-256`,
  counts: source => `events, times and devices as in the ${source}; no SHA-256 to compare`,
  contradicts: source => `the ${source} has this SHA-256, but other figures`,
  foreign: source => `not a trace of the ${source}`,
}
const DOUBTFUL: readonly SnapshotCheck[] = ['other', 'contradicts']

const letters = (runs: readonly Run[]): string => listed(runs.map(run => run.letter))

/** What a link of size XS omits, with counts where the link has them. */
function omissions(document: CompareDocument | undefined, runs: readonly Run[]): string {
  const [figures = 0, findings = 0] = document?.left_out ?? []
  const warnings = runs.reduce((sum, run) => sum + (run.info?.warningsLeftOut ?? 0), 0)
  const counts = [
    [figures, 'more figure'],
    [findings, 'more finding'],
    [warnings, 'warning'],
  ] as const
  const words = counts.flatMap(([n, noun]) => (n > 0 ? [counted(n, noun)] : []))
  return `${[...words, 'filters, request sizes'].join(', ')} and stages are`
}

export function SenderLine() {
  const runs = usePage(p => p.runs)
  const snapshot = usePage(p => p.snapshot)
  const results = usePage(p => p.results)
  if (!snapshot && !(runs.length === 0 && results?.linked)) return undefined
  const sourceName = snapshot?.inFile ? 'report' : 'link'
  const senderRuns = runs.filter(run => run.snapshot)
  const checks = [...new Set(runs.flatMap(run => run.check ?? []))]
  const whose = senderRuns.length === runs.length ? 'Figures' : `Figures of ${letters(senderRuns)}`
  return (
    <p className="sender-line">
      {(senderRuns.length > 0 || runs.length === 0) && (
        <span>
          {whose} as the sender of this {sourceName} made them
          {results && results.files.length > 0 && ', except those of your files'}.
          {runs.length > 0 && ' Drop the traces to check them.'}
        </span>
      )}
      {senderRuns.some(run => run.snapshot?.brief) && (
        <span data-brief="">
          Size XS: {omissions(snapshot?.document, runs)} not in this link. Links of size S and larger have all figures;
          the traces have everything.
        </span>
      )}
      {checks.map(check => (
        <span key={check} data-check={check} className={DOUBTFUL.includes(check) ? 'warn' : undefined}>
          {letters(runs.filter(run => run.check === check))} read from your files: {WORDS[check](sourceName)}.
        </span>
      ))}
    </p>
  )
}
