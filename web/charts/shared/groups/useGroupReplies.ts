import { useMemo } from 'react'
import type { ChartFrame } from '../answers/shown'
import { type OwnPart, useQuery } from '../answers/useAnswers'
import type { Cells, ChartQuery, ChartSpec, Reply, RunsFrame } from '../spec'
import { type Covers, repliesOfGroups } from './spread'

/** Replies to one query: of each shown run, or of each group from those of all its runs. */
export function useGroupReplies<K extends 'depth' | 'rate', A extends NonNullable<Reply<K>['answer']>>(
  frame: ChartFrame,
  spec: Pick<ChartSpec<object>, 'chart' | 'missing'>,
  query: ChartQuery<K, Cells>,
  cells: Cells,
  combine: (answers: readonly A[], covers: Covers) => A | undefined,
  ownParts?: ReadonlyMap<string, OwnPart<RunsFrame, Cells>>,
): readonly Reply<K>[] {
  const { groups } = frame
  const all = useMemo(() => (groups ? { ...frame, shown: groups.flat() } : frame), [frame, groups])
  const replies = useQuery(all, spec, query, cells, ownParts)
  return useMemo(() => {
    if (groups === undefined) return replies
    const byRun = new Map(all.shown.map((run, i) => [run.id, replies[i] ?? {}]))
    return repliesOfGroups(groups, byRun, combine)
  }, [groups, all, replies, combine])
}
