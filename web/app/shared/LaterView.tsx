/** A view of the script of later views, or why it is missing. */
import { createContext, type ReactNode, useContext } from 'react'
import type * as LaterViews from '../laterViews'
import { MISSING_REMEDY, missingTitle } from './missing'
import { type OnDemand, useOnDemand } from './onDemand'

export const LaterViewsProvider = createContext<OnDemand<typeof LaterViews> | undefined>(undefined)

export function LaterView({ children }: { children: (views: typeof LaterViews) => ReactNode }) {
  const laterViews = useContext(LaterViewsProvider)
  if (!laterViews) throw new Error('this component must be inside <LaterViewsProvider>')
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
