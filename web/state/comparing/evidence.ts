/**
 * The evidence of a finding: the intervals in which it is strongest. Runs do not do the same at the same time, so each
 * has its own window, as long as the interval.
 */
import type { Finding, Range } from '../../engine/protocol'
import { type Ns, ns } from '../../lib/units'
import { deviceOf, extentOf, visible } from '../filter'
import { type Page, put } from '../page'
import { clampRange, isWhole, width } from '../range'
import { current, push, replace } from '../trail'
import type { ComparedRuns, EvidenceWindows, Run } from '../types'

/**
 * What the evidence of a finding zooms to: the intervals in which its effect is concentrated, else where it is
 * strongest. ns since the run's first event.
 */
export function evidenceRanges({ when, evidence: { range } }: Finding): readonly (readonly [number, number])[] {
  if (when && when.intervals.length > 0) return when.intervals
  return range ? [range] : []
}

/** The range on the time axis of the page; absent where it is the complete axis. */
function onAxis(runs: readonly Run[], range: Range): Range | undefined {
  const extent = extentOf(runs)
  const clamped = clampRange(range, extent)
  return isWhole(clamped, extent) ? undefined : clamped
}

/** Offsets that show each other run at the same relative progress as the run with the evidence. */
function windowsOf(runs: readonly Run[], shownRun: Run, range: Range): EvidenceWindows {
  const active = deviceOf(shownRun)?.active
  const length = width(range)
  const middle = (range.t0 + range.t1) / 2 - (shownRun.shift ?? 0)
  const passed = active && active[1] > active[0] ? (middle - active[0]) / (active[1] - active[0]) : 0.5
  return Object.fromEntries(
    visible(runs).flatMap(run => {
      const activity = deviceOf(run)?.active
      if (run.id === shownRun.id || activity === undefined) return []
      const center = activity[0] + Math.min(1, Math.max(0, passed)) * (activity[1] - activity[0])
      return [[run.id, movedBy(run, range, windowStart(activity, center, length))] as const]
    }),
  )
}

/** Begin of a window within the run; a run that is shorter than the window is shown from its start. */
export const windowStart = ([from, to]: readonly [Ns, Ns], center: number, length: number): number =>
  Math.max(from, Math.min(center - length / 2, to - length))

/** By how much a run is moved on the axis, so that its window begins where the range does. */
export const movedBy = (run: Run, range: Range, start: number): Ns =>
  ns(Math.round(range.t0 - start - (run.shift ?? 0)))

/** The page with an interval of the finding's evidence; the range of the page stays if it is within the interval. */
export function withEvidence(page: Page, finding: Finding, interval: number, compared: ComparedRuns): Page {
  const { chart, run: index } = finding.evidence
  const [from, to] = evidenceRanges(finding)[interval] ?? []
  const shownRun = page.runs.find(run => run.id === compared.runs[index])
  const shown = put({ ...page, sight: { chart } }, 'evidence', { chart, interval })
  if (from === undefined || to === undefined || shownRun === undefined) return shown
  const shift = shownRun.shift ?? 0
  const range = onAxis(page.runs, { t0: ns(from + shift), t1: ns(to + shift) })
  const now = current(page.trail)
  // The next interval takes the place of the last one: one step back leaves the evidence.
  const trail = isWithin(now, range) ? page.trail : (page.evidence ? replace : push)(page.trail, range)
  if (range === undefined) return { ...shown, trail }
  return {
    ...shown,
    trail,
    view: put({ ...page.view, layout: 'columns' }, 'preview', undefined),
    evidence: { chart, interval, range, windows: windowsOf(page.runs, shownRun, range) },
  }
}

/** Whether a range shows no more than another one; absent: the complete axis. */
function isWithin(range: Range | undefined, outer: Range | undefined): boolean {
  if (range === undefined || outer === undefined) return range === outer
  // Links have times in whole ns.
  return range.t0 >= outer.t0 - 1 && range.t1 <= outer.t1 + 1
}

/** Drops evidence, and the mark of its chart, once its range or layout is no longer shown. */
export function withoutOldEvidence(page: Page): Page {
  const { evidence, view, trail } = page
  if (evidence === undefined) return page
  const shown = isWithin(current(trail), evidence.range) && (view.layout === 'columns' || !evidence.windows)
  return shown ? page : withoutMark(page)
}

/** Drops the evidence and the mark of its chart. */
export const withoutMark = (page: Page): Page => put(put(page, 'evidence', undefined), 'sight', undefined)

/** Back to the range from which the evidence was opened, however far it was zoomed into since. */
export function withoutEvidence(page: Page): Page {
  const { evidence, trail } = page
  if (evidence === undefined) return page
  const { range } = evidence
  const before = trail.steps.slice(0, trail.index)
  const opened = range ? before.findLastIndex(step => !isWithin(step, range)) : trail.index - 1
  return withoutMark({ ...page, trail: opened < 0 ? replace(trail, undefined) : { ...trail, index: opened } })
}
