import type { ReactNode } from 'react'
import { Menu } from '../../charts/shared/Menu'
import { titleOf } from '../../state/page'
import { useActions, usePage } from '../context'
import { EditableText } from '../shared/EditableText'
import { Logo } from '../shared/Logo'
import { pasteFromClipboard } from '../usePaste'

/** Layouts in the menu, where there is no room for the buttons. */
const LAYOUTS = [
  ['columns', 'Side by side'],
  ['overlay', 'Overlaid'],
  ['difference', 'Difference from baseline'],
] as const

/** Title, layout, theme, shortcuts. `onFilter` opens the drawer where the rail has no room. */
export function TopBar({
  themeButton,
  onFilter,
  filterOpen,
}: {
  themeButton: ReactNode
  onFilter(): void
  filterOpen: boolean
}) {
  const actions = useActions()
  const title = usePage(titleOf)
  const layout = usePage(p => p.view.layout)
  const runs = usePage(p => p.runs.length > 1)
  const shareable = usePage(p => p.runs.length > 0 && p.runs.every(r => r.status.kind !== 'reading'))
  const several = usePage(p => p.runs.filter(r => !r.hidden).length > 1)
  /** Actions of the rail and its head, for narrow pages that hide them. */
  const more = [
    { label: 'Add files', run: () => actions.pickFiles('files') },
    { label: 'Add folder', run: () => actions.pickFiles('folder') },
    { label: 'Add from URL', run: () => actions.show({ kind: 'addresses' }) },
    { label: 'Paste', run: () => void pasteFromClipboard(actions) },
    ...(several ? LAYOUTS : LAYOUTS.slice(0, 1))
      .filter(([key]) => key !== layout)
      .map(([key, label]) => ({ label, run: () => actions.setLayout(key) })),
    { label: 'Matrix', disabled: !runs || layout === 'matrix', run: () => actions.setLayout('matrix') },
    { label: 'Labels', disabled: !runs, run: () => actions.show({ kind: 'labels' }) },
    ...(several ? [{ label: 'Align in time', run: () => actions.show({ kind: 'align' }) }] : []),
    { label: 'Play in time', run: actions.playBack },
    { label: 'Share', disabled: !shareable, run: () => actions.show({ kind: 'share' }) },
    { label: 'Storage geometry', run: actions.editGeometry },
    { label: 'Export requests', run: () => actions.show({ kind: 'export-requests' }) },
    { label: 'Shortcuts', run: () => actions.show({ kind: 'shortcuts' }) },
    { label: 'Close all runs', run: actions.removeAll },
  ]
  return (
    <header className="bar">
      <button type="button" className="bar-home" onClick={actions.removeAll} title="Close all runs">
        <Logo />
        <span className="brand">Seekscope</span>
      </button>
      <h1 className="bar-title">
        <EditableText text={title} name="this comparison" onChange={actions.setTitle} />
      </h1>
      <fieldset className="segments" aria-label="Layout">
        <button type="button" aria-pressed={layout === 'columns'} onClick={() => actions.setLayout('columns')}>
          Columns
        </button>
        <button
          type="button"
          aria-pressed={layout === 'overlay'}
          disabled={!several}
          title={several ? undefined : 'Needs two runs'}
          onClick={() => actions.setLayout('overlay')}
        >
          Overlay
        </button>
        <button
          type="button"
          aria-pressed={layout === 'difference'}
          disabled={!several}
          title={several ? 'Run minus baseline' : 'Needs two runs'}
          onClick={() => actions.setLayout('difference')}
        >
          Difference
        </button>
        <button
          type="button"
          aria-pressed={layout === 'matrix'}
          disabled={!runs}
          title={runs ? 'One metric across label dimensions (M)' : 'Needs two runs'}
          onClick={() => actions.setLayout('matrix')}
        >
          Matrix
        </button>
        <button
          type="button"
          aria-pressed={layout === 'events'}
          title="Every event as blkparse prints it (V)"
          onClick={() => actions.setLayout('events')}
        >
          Events
        </button>
      </fieldset>
      <div className="bar-end">
        <button type="button" className="button bar-filter" aria-expanded={filterOpen} onClick={onFilter}>
          Filter
        </button>
        <button
          type="button"
          className="button bar-play"
          title="The seek map and the queue in time (K)"
          onClick={actions.playBack}
        >
          Play
        </button>
        <button type="button" className="button" disabled={!shareable} onClick={() => actions.show({ kind: 'share' })}>
          Share
        </button>
        {themeButton}
        <span className="bar-more">
          <Menu label="More" items={more}>
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
