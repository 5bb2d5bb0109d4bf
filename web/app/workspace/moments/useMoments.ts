/** Which moment of the open runs is looked at, and how to look at another one. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { ns } from '../../../lib/units'
import type { PageActions } from '../../../state/actions'
import type { Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import {
  comparisonWithQuiet,
  type Moment,
  momentKey,
  momentsByRun,
  nextMoment,
  type RunMoments,
  stretchAround,
} from './moments'
import { quietRun } from './triggers'

interface LookedAt {
  /** The key of the moment that was looked at last. */
  readonly key?: string
  /** The runs that were hidden before moments were looked at beside a quiet recording: they stay hidden. */
  readonly hidden?: ReadonlySet<string>
}

/** It belongs to the reader: links have the time range of a moment only. */
const momentStore = createStore<LookedAt>(() => ({}))

/** A moment that is so much of its run is shown with all of it: an armed recorder keeps little more. */
const MIN_SHARE = 0.9

/** Marks the moment that another part of the page shows. */
export const markMoment = (run: Pick<Run, 'id'>, from: number): void =>
  momentStore.setState({ key: momentKey(run, from) })

/**
 * Shows a moment: alone beside the quiet recording if there is one, else as the run that is compared. Where a stretch
 * around another moment is open in place of its recording, this moment is read in its place.
 */
function lookAtMoment(actions: PageActions, runs: readonly Run[], moment: Moment): void {
  const { key, run } = moment
  const { hidden = new Set(runs.filter(run => run.hidden).map(run => run.id)) } = momentStore.getState()
  momentStore.setState({ key, hidden })
  if (run.whole) {
    void actions.compareMoment(run.id, comparisonWithQuiet(moment))
    return
  }
  const quiet = quietRun(runs)
  if (quiet && runs.length > 2) actions.lookAt([quiet.id, run.id])
  else if (run.hidden) actions.toggle(run.id)
  if (!quiet && runs.length > 2 && !run.baseline) actions.compare(run.id)
  const span = run.info?.span ?? 0
  const [begin, end] = stretchAround(moment)
  const shift = run.shift ?? 0
  // The figures of a complete run need no second reading.
  if (end - begin >= MIN_SHARE * span) actions.whole()
  else actions.commit({ t0: ns(begin + shift), t1: ns(end + shift) })
}

export interface ShownMoments {
  readonly groups: readonly RunMoments[]
  readonly moments: readonly Moment[]
  /** The moment that was looked at last; absent before, and after `leave`. */
  readonly current?: Moment
  readonly show: (moment: Moment) => void
  /** Shows the moment `offset` further in the list. */
  readonly step: (offset: number) => void
  /** Shows all runs over their complete time again, except those that the reader had hidden before. */
  readonly leave: () => void
}

export function useMoments(): ShownMoments {
  const actions = useActions()
  const runs = usePage(page => page.runs)
  const key = useStore(momentStore, shown => shown.key)
  const groups = momentsByRun(runs)
  const moments = groups.flatMap(group => group.moments)
  const current = moments.find(moment => moment.key === key && !moment.run.hidden)
  const show = (moment: Moment) => lookAtMoment(actions, runs, moment)
  return {
    groups,
    moments,
    ...(current && { current }),
    show,
    step: offset => {
      const next = nextMoment(moments, current?.key, offset)
      if (next) show(next)
    },
    leave: () => {
      const { hidden } = momentStore.getState()
      for (const run of runs) {
        if (run.hidden && hidden && !hidden.has(run.id)) actions.toggle(run.id)
        if (run.whole) void actions.leaveMoment(run.id)
      }
      actions.whole()
      momentStore.setState({}, true)
    },
  }
}
