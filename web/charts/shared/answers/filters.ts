/** What the filters leave: whether a request of a run matches them, and in words what they hide. */
import { useMemo } from 'react'
import { duration } from '../../../lib/format'
import type { View } from '../../../state/types'
import type { Shown } from './shown'
import { useAnswers } from './useAnswers'

/** Names of hidden values that are listed. */
const MAX_NAMED = 3

const onlyWords = (what: string): string => `only ${what} are shown`

/** What is hidden: `write is off`, `cpu 0 and cpu 1 are off; latency 1 ms to 4 ms only`. */
export function filterWords({ hidden, latency, functions }: Pick<View, 'hidden' | 'latency' | 'functions'>): string {
  const named = [
    ...hidden.ops,
    ...hidden.flags,
    ...hidden.processes,
    ...hidden.cpus.map(cpu => `cpu ${cpu}`),
    ...hidden.alignment,
    ...hidden.objects,
    ...hidden.writers,
  ]
  const first = named.slice(0, MAX_NAMED)
  const more = named.length - first.length
  const list = [...first, ...(more > 0 ? [`${more} more`] : [])]
  const last = list.at(-1)
  const off = list.length > 1 ? `${list.slice(0, -1).join(', ')} and ${last} are off` : `${last} is off`
  return [
    ...(named.length > 0 ? [off] : []),
    ...(latency ? [onlyWords(`latencies of ${duration(latency[0])} to ${duration(latency[1])}`)] : []),
    ...(functions ? [onlyWords(`requests through ${functions.at(-1)}`)] : []),
  ].join('; ')
}

/** Ids of the runs of which no request matches the filters. A run that completes nothing is none of them. */
export function useUnmatched(shown: readonly Shown[], isFiltered: boolean): ReadonlySet<string> {
  const replies = useAnswers(
    'rate',
    shown,
    run =>
      isFiltered && run.device.absent?.throughput === undefined && run.end > run.begin
        ? { filter: run.filter, range: { t0: run.begin, t1: run.end }, n: 1 }
        : undefined,
    'matches',
  )
  const ids = shown.flatMap(({ id }, i) => {
    const answer = isFiltered ? replies[i]?.answer : undefined
    const counts = answer && [answer.readIos[0], answer.writeIos[0], answer.discardIos[0]]
    return counts?.every(n => !n) ? id : []
  })
  const key = ids.join('\n')
  return useMemo(() => new Set(key === '' ? [] : key.split('\n')), [key])
}
