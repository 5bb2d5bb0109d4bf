import { useMemo } from 'react'
import { type CurrentComparison, currentComparison } from '../../state/comparing/comparing'
import { usePage } from '../context'

/** The comparison that the page shows, with its finding; absent while nothing is compared. */
export function useCurrentComparison(): CurrentComparison | undefined {
  const runs = usePage(p => p.runs)
  const comparison = usePage(p => p.comparison)
  const finding = usePage(p => p.finding)
  return useMemo(
    () => currentComparison({ runs, ...(comparison && { comparison }), ...(finding && { finding }) }),
    [runs, comparison, finding],
  )
}
