/** What an armed recorder noted beside a trace: the trigger of a moment, or that the recording is a quiet one. */
import { useEffect, useRef } from 'react'
import { ns } from '../../../../lib/units'
import type { AnnotationDraft } from '../../../../state/annotations/annotations'
import type { Run } from '../../../../state/types'
import { useActions, usePage } from '../../../context'

/** The trigger of a quiet recording, in `trigger.txt`. */
const NONE = 'none'

type RunWithNotes = Pick<Run, 'id' | 'notes' | 'info'>

function factOf(run: Pick<Run, 'notes'>, key: string): string | number | undefined {
  const facts = (run.notes ?? []).flatMap(note => (note.kind === 'trigger' ? note.facts : []))
  return facts.find(fact => fact.key === key)?.value
}

/** The mark of the time at which the recorder fired; `undefined` without one, or where it is on another clock. */
export function triggerMark(run: RunWithNotes): AnnotationDraft | undefined {
  const fired = factOf(run, 'trigger_fired')
  const zero = run.info?.clockAtZero
  if (typeof fired !== 'number' || zero === undefined) return undefined
  const at = ns(Math.round(fired * 1e9 - zero))
  if (at < 0 || at > (run.info?.span ?? 0)) return undefined
  return { run: run.id, at, text: `trigger: ${factOf(run, 'trigger') ?? 'a moment'}`, author: 'seekscope-record' }
}

/** The only recording among others that an armed recorder made while nothing fired: their baseline. */
export function quietRun<T extends Pick<Run, 'notes'>>(runs: readonly T[]): T | undefined {
  const quiet = runs.filter(run => factOf(run, 'trigger') === NONE)
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
    if (quiet && complete.includes(quiet)) actions.setBaseline(quiet.id)
  }, [runs, annotations, actions])
}
