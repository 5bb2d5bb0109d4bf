/** A stretch around a moment in place of its recording, beside a quiet stretch, and the way back. */
import { ns } from '../lib/units'
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
  const { quiet: last, ...whole } = run.whole ?? {
    label: run.label,
    moments: run.moments ?? [],
    span: run.info?.span ?? ns(0),
    ...(window && { window }),
  }
  rereadTrace(session, { ...files, window: around }, run.trace)
  const isQuietOpen = last !== undefined && runsOf(last).length > 0
  let trace = isQuietOpen ? last : undefined
  if (quiet) {
    const baseline = { ...files, label: QUIET, window: quiet }
    if (trace === undefined) trace = startTrace(session, baseline, run.geometry)
    else rereadTrace(session, baseline, trace)
  }
  changeTrace(run.trace, () => ({ label, whole: { ...whole, ...(trace !== undefined && { quiet: trace }) } }))
  if (isQuietOpen || trace === undefined) return
  const quietRun = `run-${trace}`
  update(page => {
    const index = page.runs.findIndex(other => other.trace === run.trace)
    return { ...page, runs: placeRuns(withBaseline(moveRun(page.runs, quietRun, index), quietRun)) }
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
  if (quiet !== undefined) for (const { id } of session.runsOf(quiet)) dropRun(session, id)
}
