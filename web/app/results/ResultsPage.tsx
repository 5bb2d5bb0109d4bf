/** The page while results of benchmarks are open, and no trace. */
import type { ReactNode } from 'react'
import { ResultsWithText } from '../../compare/reading/ResultsWithText'

import { type PageResults, titleOf } from '../../state/page'
import { useActions, usePage } from '../context'
import { Logo } from '../shared/Logo'
import { skippedWords } from '../shared/skippedWords'
import { SenderLine } from '../workspace/SenderLine'
import './results-page.css'

const GUESSED = {}

export function ResultsPage({
  results,
  themeButton,
}: {
  readonly results: PageResults
  readonly themeButton: ReactNode
}) {
  const actions = useActions()
  const skipped = usePage(p => p.notRead)
  const layout = usePage(p => p.view.matrix) ?? GUESSED
  const title = usePage(titleOf)
  const names = results.files.length > 0 ? results.files.map(file => file.name).join(', ') : title
  return (
    <div className="results-page">
      <header className="results-bar">
        <button type="button" className="results-home" onClick={actions.removeAll} title="Close all results">
          <Logo />
          <span className="brand">Seekscope</span>
        </button>
        <h1 title={names}>{names}</h1>
        {skipped.length > 0 && (
          <button type="button" className="link" onClick={() => actions.show({ kind: 'not-read' })}>
            {skippedWords(skipped)}
          </button>
        )}
        <button type="button" className="button" onClick={() => actions.pickFiles('files')}>
          Add files
        </button>
        <button type="button" className="button" onClick={() => actions.show({ kind: 'share' })}>
          Share
        </button>
        {themeButton}
      </header>
      <main>
        <SenderLine />
        <ResultsWithText results={results} title={names} layout={layout} setLayout={actions.layOut} actions={actions} />
      </main>
    </div>
  )
}
