import { useMemo } from 'react'
import { type CurrentComparison, currentComparison } from '../../state/comparing/comparing'
import { type ShownFigures, shownFigures } from '../../state/comparing/ranged'
import { usePage } from '../context'

/** The runs and comparison that the page shows: of the visible range once it is measured, else of complete runs. */
export function useShownFigures(): ShownFigures {
  const runs = usePage(p => p.runs)
  const comparison = usePage(p => p.comparison)
  const explanation = usePage(p => p.explanation)
  const finding = usePage(p => p.finding)
  const ranged = usePage(p => p.ranged)
  return useMemo(
    () =>
      shownFigures({
        runs,
        ...(comparison && { comparison }),
        ...(explanation && { explanation }),
        ...(finding !== undefined && { finding }),
        ...(ranged && { ranged }),
      }),
    [runs, comparison, explanation, finding, ranged],
  )
}

/** The comparison that the page shows, with its finding; absent while nothing is compared. */
export function useCurrentComparison(): CurrentComparison | undefined {
  const shown = useShownFigures()
  return useMemo(() => currentComparison(shown), [shown])
}
