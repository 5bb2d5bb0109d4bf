/** A stretch around a moment in place of its recording, beside a quiet stretch, and the way back. */
import type { MomentToCompare } from '../state/actions'
import { moveRun, placeRuns, withBaseline } from '../state/runs/runs'
import { dropRun, rereadTrace, startTrace } from './run'
import type { Session } from './session'

/** Name of the baseline of a stall. */
const QUIET = 'quiet stretch'

/**
 * Reads a stretch around a stall in place of the open trace, and a quiet one of the same length as its baseline. The
 * next moment of the recording is read in place of both.
 */
export function compareMoment(session: Session, id: string, { label, around, quiet }: MomentToCompare): void {
  const { update, changeTrace, openingOf, runsOf } = session
  const run = session.run(id)
  const opening = run && openingOf(run.trace)
  if (!opening) return
  const { window, expected: _, ...files } = opening
  const before = run.whole ?? { label: run.label, moments: run.moments ?? [], ...(window && { window }) }
  rereadTrace(session, { ...files, window: around }, run.trace)
  const baseline = { ...files, label: QUIET, ...(quiet && { window: quiet }) }
  const open = run.whole && runsOf(run.whole.quiet).length > 0 ? run.whole.quiet : undefined
  if (open !== undefined && quiet) rereadTrace(session, baseline, open)
  const trace = open ?? (quiet && startTrace(session, baseline, run.geometry))
  changeTrace(run.trace, () => ({ label, ...(trace !== undefined && { whole: { ...before, quiet: trace } }) }))
  if (open !== undefined || trace === undefined) return
  update(page => {
    const index = page.runs.findIndex(other => other.trace === run.trace)
    return { ...page, runs: placeRuns(withBaseline(moveRun(page.runs, `run-${trace}`, index), `run-${trace}`)) }
  })
}

/** Reads the complete recording of a run again, and closes the quiet stretch beside it. */
export function leaveMoment(session: Session, id: string): void {
  const run = session.run(id)
  const opening = run && session.openingOf(run.trace)
  if (!run?.whole || !opening) return
  const { label, quiet, window } = run.whole
  const { window: _, expected: __, ...files } = opening
  rereadTrace(session, { ...files, ...(window && { window }) }, run.trace)
  session.changeTrace(run.trace, () => ({ label }))
  for (const { id } of session.runsOf(quiet)) dropRun(session, id)
}
