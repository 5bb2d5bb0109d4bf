/** A view of the script of later views, or why it is missing. */
import type { ReactNode } from 'react'
import { usePageContext } from '../context'
import type * as LaterViews from '../laterViews'
import { MISSING_REMEDY, missingTitle } from './missing'
import { useOnDemand } from './onDemand'

export function LaterView({ children }: { children: (views: typeof LaterViews) => ReactNode }) {
  const { laterViews } = usePageContext()
  const { status, exports } = useOnDemand(laterViews, true)
  if (exports) return children(exports)
  const missing = { failed: status === 'failed', retry: laterViews.load }
  return (
    <div className="later-view" role="status">
      <p>{missingTitle(missing)}</p>
      {missing.failed && (
        <>
          <p>{MISSING_REMEDY}</p>
          <button type="button" className="button" onClick={missing.retry}>
            Retry
          </button>
        </>
      )}
    </div>
  )
}
