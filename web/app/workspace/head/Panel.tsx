/** The panel below the verdict: one of its tabs at a time, or folded to their row. Print has all of them. */
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { useStore } from 'zustand'
import { foldPanel, type PanelTab, panelStore, showPanel } from '../../../state/panel'
import './panel.css'

export interface PanelSheet {
  readonly key: PanelTab
  readonly name: string
  /** What stands behind the name: `4`, `2 changed`. */
  readonly count?: string | undefined
  /** What stands at the right end of the row of tabs while this one is open. */
  readonly aside?: ReactNode
  readonly content: ReactNode
}

export function Panel({ sheets }: { readonly sheets: readonly PanelSheet[] }) {
  const id = useId()
  const chosen = useStore(panelStore, panel => panel.tab)
  const folded = useStore(panelStore, panel => panel.folded)
  const sheet = sheets.find(({ key }) => key === chosen) ?? sheets[0]
  if (!sheet) return undefined
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = sheets[(sheets.indexOf(sheet) + step + sheets.length) % sheets.length]
    if (!next) return
    showPanel(next.key)
    document.getElementById(`${id}${next.key}`)?.focus()
  }
  return (
    <section className="panel" data-folded={folded} aria-label="Findings and figures">
      <div className="panel-tabs">
        <div role="tablist" aria-label="Panel" onKeyDown={onKeyDown}>
          {sheets.map(({ key, name, count }) => (
            <button
              key={key}
              id={`${id}${key}`}
              type="button"
              role="tab"
              aria-selected={key === sheet.key}
              aria-controls={`${id}${key}-panel`}
              tabIndex={key === sheet.key ? 0 : -1}
              onClick={() => showPanel(key)}
            >
              {name}
              {count !== undefined && <span className="panel-count"> {count}</span>}
            </button>
          ))}
        </div>
        <div className="panel-aside">
          {!folded && sheet.aside}
          <button type="button" className="link panel-fold" aria-expanded={!folded} onClick={() => foldPanel(!folded)}>
            {folded ? 'Unfold' : 'Fold'} <kbd>P</kbd>
          </button>
        </div>
      </div>
      {sheets.map(({ key, name, content }) => (
        <div
          key={key}
          className="panel-sheet"
          id={`${id}${key}-panel`}
          role="tabpanel"
          aria-labelledby={`${id}${key}`}
          data-name={name}
          hidden={folded || key !== sheet.key}
        >
          {content}
        </div>
      ))}
    </section>
  )
}
