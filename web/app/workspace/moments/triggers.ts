/** What an armed recorder noted beside a trace: the trigger of a moment, or that the recording is a quiet one. */
import { useEffect, useRef } from 'react'
import { isQuietRecording } from '../../../lib/moments'
import { type Ns, ns } from '../../../lib/units'
import type { AnnotationDraft } from '../../../state/annotations/annotations'
import type { Run } from '../../../state/types'
import { useActions, usePage } from '../../context'

type RunWithNotes = Pick<Run, 'id' | 'notes' | 'info' | 'whole'>

/** Why an armed recorder kept a moment, and when it noticed. */
export interface Trigger {
  /** Time since the first event of the run. */
  readonly time: Ns
  /** The condition as the recorder was given it: `iops<10 for 300ms`. */
  readonly condition: string
}

function factOf(run: Pick<Run, 'notes'>, key: string): string | number | undefined {
  const facts = (run.notes ?? []).flatMap(note => note.facts)
  return facts.find(fact => fact.key === key)?.value
}

/** Whether an armed recorder kept the run because no condition held in it. */
export const isQuiet = (run: Pick<Run, 'notes'>): boolean => isQuietRecording(run.notes ?? [])

/** Time of the last event of a run, or of the recording of which a stretch is open. */
export const spanOf = ({ info, whole }: Pick<Run, 'info' | 'whole'>): number => whole?.span ?? info?.span ?? 0

/** The trigger of a run; `undefined` without one, or where its time is on another clock. */
export function triggerOf(run: RunWithNotes): Trigger | undefined {
  const fired = factOf(run, 'trigger_fired')
  const zero = run.info?.clockAtZero
  if (typeof fired !== 'number' || zero === undefined) return undefined
  const time = ns(Math.round(fired * 1e9 - zero))
  if (time < 0 || time > spanOf(run)) return undefined
  return { time, condition: String(factOf(run, 'trigger') ?? 'a moment') }
}

/** The mark of the time at which the recorder fired. */
export function triggerMark(run: RunWithNotes): AnnotationDraft | undefined {
  const trigger = triggerOf(run)
  if (!trigger) return undefined
  return { run: run.id, at: trigger.time, text: `trigger: ${trigger.condition}`, author: 'seekscope-record' }
}

/** The only recording among others that an armed recorder made while nothing fired: their baseline. */
export function quietRun<T extends Pick<Run, 'notes'>>(runs: readonly T[]): T | undefined {
  const quiet = runs.filter(isQuiet)
  return quiet.length === 1 && runs.length > 1 ? quiet[0] : undefined
}

/** Marks triggers and chooses the quiet baseline, once per run that is complete. */
export function useTriggers(): void {
  const actions = useActions()
  const runs = usePage(page => page.runs)
  const annotations = usePage(page => page.annotations)
  const seen = useRef(new Set<string>())
  useEffect(() => {
    const complete = runs.filter(run => run.status.kind === 'ready' && !seen.current.has(run.id))
    if (complete.length === 0 || runs.some(run => run.status.kind === 'reading')) return
    for (const run of complete) {
      seen.current.add(run.id)
      const mark = triggerMark(run)
      // A page that was kept has the mark already.
      const isMarked = annotations.some(({ run, text }) => run === mark?.run && text === mark.text)
      if (mark && !isMarked) actions.saveAnnotation(mark)
    }
    const quiet = quietRun(runs)
    if (quiet && complete.includes(quiet)) {
      actions.move(quiet.id, 0)
      actions.setBaseline(quiet.id)
    }
  }, [runs, annotations, actions])
}
