/** The page while a table of digests is open: its rows, a matrix of any two labels, and figures over builds. */
import { type ReactNode, useRef } from 'react'
import { FLEET_TABS, type FleetTab } from '../../fleet/rows/view'
import { count, counted } from '../../lib/format'
import { type PageFleet, titleOf } from '../../state/page'
import { useActions, usePage } from '../context'
import { PageBar } from '../shared/PageBar'
import { useSlashKey } from '../shared/useSlashKey'
import { Failures } from './Failures'
import './fleet.css'
import { FleetHead } from './head/FleetHead'
import { ShareFleet } from './head/ShareFleet'
import { Filters } from './rail/Filters'
import { Selected } from './table/Selected'
import { FleetTable } from './table/Table'
import { MatrixTab } from './tabs/MatrixTab'
import { Multiples } from './tabs/Multiples'
import { TrendTab } from './tabs/TrendTab'
import { useFleet } from './useFleet'

const NAMES: Readonly<Record<FleetTab, string>> = { table: 'Table', matrix: 'Matrix', trend: 'Trend' }

export function FleetPage({ fleet, themeButton }: { readonly fleet: PageFleet; readonly themeButton: ReactNode }) {
  const actions = useActions()
  const title = usePage(titleOf)
  const open = useFleet(fleet)
  const input = useRef<HTMLInputElement>(null)
  const { view, set, error } = open
  const { rows, failures, files } = fleet.client.outline
  const compare = () => void actions.compareRows(view.selected)
  useSlashKey(input)
  return (
    <div className="fleet-page">
      <PageBar
        open="the fleet stays"
        title={title}
        hint={files.join(', ')}
        views={NAMES}
        view={view.tab}
        onView={chosen => set({ tab: FLEET_TABS.find(tab => tab === chosen) ?? view.tab })}
        viewsLabel="View"
      >
        {rows > 0 && <ShareFleet open={open} title={title} />}
        {themeButton}
      </PageBar>
      {rows > 0 && <Filters open={open} />}
      <main className="fleet-main" data-tab={view.tab}>
        {error && (
          <p className="fleet-wrong" role="alert">
            {error.message} {error.remedy}
          </p>
        )}
        {failures.length > 0 && <Failures failures={failures} isOnlyContent={rows === 0} />}
        {rows > 0 && (
          <>
            <FleetHead open={open} input={input} />
            {view.tab === 'table' ? (
              <FleetTable open={open} onCompare={compare} />
            ) : view.tab === 'matrix' ? (
              <MatrixTab open={open} />
            ) : (
              <TrendTab open={open} />
            )}
            {view.multiples && view.tab === 'table' && (open.order?.length ?? 0) > 0 && <Multiples open={open} />}
            {view.tab === 'table' && <Selected open={open} onCompare={compare} />}
          </>
        )}
      </main>
      <p className="fleet-said" role="status">
        {view.selected.length > 0 ? `${counted(view.selected.length, 'row')} selected of ${count(rows)}` : ''}
      </p>
    </div>
  )
}
