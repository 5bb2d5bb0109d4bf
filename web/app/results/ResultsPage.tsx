/** The page while results of benchmarks are open, and no trace. */
import type { ReactNode } from 'react'
import { Results } from '../../compare/Results'
import { counted } from '../../lib/format'
import type { PageResults } from '../../state/page'
import { useActions, usePage } from '../context'
import { Logo } from '../shared/Logo'
import './results-page.css'

export function ResultsPage({ results: { document, files }, themeButton }: { readonly results: PageResults; readonly themeButton: ReactNode }) {
  const actions = useActions()
  const skipped = usePage(p => p.notRead.length)
  const names = files.map(file => file.name).join(', ')
  return (
    <div className="results-page">
      <header className="results-bar">
        <button type="button" className="results-home" onClick={actions.removeAll} title="Close all results">
          <Logo />
          <span className="brand">Seekscope</span>
        </button>
        <h1 title={names}>{names}</h1>
        {skipped > 0 && (
          <button type="button" className="link" onClick={() => actions.show({ kind: 'not-read' })}>
            {counted(skipped, 'file')} skipped
          </button>
        )}
        <button type="button" className="button" onClick={() => actions.pickFiles('files')}>
          Add files
        </button>
        {themeButton}
      </header>
      <main>
        <Results document={document} title={names} />
      </main>
    </div>
  )
}
