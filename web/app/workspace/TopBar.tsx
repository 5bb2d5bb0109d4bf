import type { ReactNode } from 'react'
import { Menu, type MenuItem } from '../../charts/shared/menu/Menu'
import { titleOf } from '../../state/page'
import type { View } from '../../state/types'
import { useActions, usePage } from '../context'
import { EditableText } from '../shared/EditableText'
import { Logo } from '../shared/Logo'
import { pasteFromClipboard } from '../usePaste'
import { RailFold } from './rail/RailFold'

/** Layouts in the menu, where there is no room for the buttons. */
const LAYOUTS = [
  ['columns', 'Side by side'],
  ['overlay', 'Overlaid'],
  ['difference', 'Difference from baseline'],
] as const

/** Actions of the rail and its head, for narrow pages that hide them. */
function useMoreItems(): readonly MenuItem[] {
  const actions = useActions()
  const layout = usePage(p => p.view.layout)
  const { canShare, canCompare, canOverlay } = useAbilities()
  return [
    { label: 'Add files', run: () => actions.pickFiles('files') },
    { label: 'Add folder', run: () => actions.pickFiles('folder') },
    { label: 'Add from URL', run: () => actions.show({ kind: 'addresses' }) },
    { label: 'Paste', run: () => void pasteFromClipboard(actions) },
    ...(canOverlay ? LAYOUTS : LAYOUTS.slice(0, 1))
      .filter(([key]) => key !== layout)
      .map(([key, label]) => ({ label, run: () => actions.setLayout(key) })),
    { label: 'Matrix', disabled: !canCompare || layout === 'matrix', run: () => actions.setLayout('matrix') },
    { label: 'Labels', disabled: !canCompare, run: () => actions.show({ kind: 'labels' }) },
    ...(canOverlay ? [{ label: 'Align in time', run: () => actions.show({ kind: 'align' }) }] : []),
    { label: 'Play in time', run: actions.playBack },
    { label: 'Share', disabled: !canShare, run: () => actions.show({ kind: 'share' }) },
    { label: 'Storage geometry', run: actions.editGeometry },
    { label: 'Export requests', run: () => actions.show({ kind: 'export-requests' }) },
    { label: 'Find', run: () => actions.show({ kind: 'find' }) },
    { label: 'Shortcuts', run: () => actions.show({ kind: 'shortcuts' }) },
    { label: 'Close all runs', run: actions.closeAll },
  ]
}

/** Layouts that the open runs allow. Hidden runs count for a matrix, but not for an overlay. */
function useAbilities() {
  return {
    canShare: usePage(p => p.runs.length > 0 && p.runs.every(r => r.status.kind !== 'reading')),
    canCompare: usePage(p => p.runs.length > 1),
    canOverlay: usePage(p => p.runs.filter(r => !r.hidden).length > 1),
  }
}

interface TopBarProps {
  readonly themeButton: ReactNode
  readonly filterOpen: boolean
  /** Opens the rail as a drawer on narrow pages. */
  onFilter(): void
}

/** The bar at the top: title, layouts, menus and theme. */
export function TopBar({ themeButton, onFilter, filterOpen }: TopBarProps) {
  const actions = useActions()
  const title = usePage(titleOf)
  const { canShare } = useAbilities()
  const items = useMoreItems()
  return (
    <header className="bar">
      <div className="bar-start">
        <button
          type="button"
          className="bar-home"
          onClick={actions.goHome}
          title="To the first page; the runs stay open"
        >
          <Logo />
          <span className="brand">Seekscope</span>
        </button>
        <RailFold folded={true} />
      </div>
      <h1 className="bar-title">
        <EditableText text={title} name="this comparison" onChange={actions.setTitle} />
      </h1>
      <LayoutButtons />
      <div className="bar-end">
        <button type="button" className="button bar-filter" aria-expanded={filterOpen} onClick={onFilter}>
          Filter
        </button>
        <button
          type="button"
          className="button bar-find"
          title="Commands, runs, findings, figures, processes and terms"
          onClick={() => actions.show({ kind: 'find' })}
        >
          Find <kbd>Ctrl K</kbd>
        </button>
        <button
          type="button"
          className="button bar-play"
          title="The seek map and the queue in time (K)"
          onClick={actions.playBack}
        >
          Play
        </button>
        <button type="button" className="button" disabled={!canShare} onClick={() => actions.show({ kind: 'share' })}>
          Share
        </button>
        {themeButton}
        <span className="bar-more">
          <Menu label="More" items={items}>
            <span aria-hidden="true">⋯</span>
          </Menu>
        </span>
        <button
          type="button"
          className="button square"
          aria-label="Shortcuts"
          onClick={() => actions.show({ kind: 'shortcuts' })}
        >
          <kbd>?</kbd>
        </button>
      </div>
    </header>
  )
}

interface LayoutButton {
  readonly layout: View['layout']
  readonly name: string
  readonly title?: string | undefined
  readonly disabled?: boolean
}

function LayoutButtons() {
  const actions = useActions()
  const current = usePage(p => p.view.layout)
  const { canCompare, canOverlay } = useAbilities()
  const needsTwo = 'Needs two runs'
  const buttons: readonly LayoutButton[] = [
    { layout: 'columns', name: 'Columns' },
    { layout: 'overlay', name: 'Overlay', title: canOverlay ? undefined : needsTwo, disabled: !canOverlay },
    {
      layout: 'difference',
      name: 'Difference',
      title: canOverlay ? 'Run minus baseline' : needsTwo,
      disabled: !canOverlay,
    },
    {
      layout: 'matrix',
      name: 'Matrix',
      title: canCompare ? 'One metric across label dimensions (M)' : needsTwo,
      disabled: !canCompare,
    },
    { layout: 'events', name: 'Events', title: 'Every event as blkparse prints it (V)' },
  ]
  return (
    <fieldset className="segments" aria-label="Layout">
      {buttons.map(({ layout, name, title, disabled }) => (
        <button
          key={layout}
          type="button"
          aria-pressed={current === layout}
          disabled={disabled}
          title={title}
          onClick={() => actions.setLayout(layout)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
