import { useState } from 'react'
import { version } from '../../../package.json'
import { isMailHere, samplesHere } from '../../ingest/samples'
import { LICENSES, MEASURES, USER_GUIDE } from '../../lib/docs'
import { isOneFile, ONE_FILE } from '../../lib/ownFile'
import { useActions, usePage } from '../context'
import { Logo } from '../shared/Logo'
import type * as Views from '../views'
import { DropZone, type DropZoneProps } from './DropZone'
import './landing.css'
import { Record } from './Record'
import { MailCard, SampleCard } from './SampleCard'

export interface LandingProps extends DropZoneProps {
  readonly themeButton: React.ReactNode
  /** What the browser keeps; absent until its script was loaded. */
  readonly keptViews: Pick<typeof Views, 'ClearKept' | 'Continue'> | undefined
}

/** The page before a trace is shown: what it does, where to drop, sample comparisons, how to record a trace. */
export function Landing({ themeButton, keptViews, dragged, missing }: LandingProps) {
  const actions = useActions()
  const busy = usePage(p => p.sorting) || missing !== undefined
  const [samples] = useState(samplesHere)
  return (
    <div className="landing">
      <header className="landing-bar">
        <Logo />
        <span className="brand">Seekscope</span>
        <nav className="landing-links" aria-label="Documents">
          <a href={USER_GUIDE}>User guide</a>
          <a href={MEASURES}>Measures</a>
        </nav>
        {themeButton}
      </header>
      <main>
        <div className="landing-head">
          <div>
            <h1>
              The new kernel is slower. <span className="h1-second">See how its disk I/O changed.</span>
            </h1>
            <p className="lead">
              Drop two block I/O traces. Seekscope draws them side by side on the same axes and lists what changed.
              Mails, tables and benchmark outputs open, too.
            </p>
          </div>
          <p className="privacy">
            <strong>Your traces stay in this browser.</strong> No uploads, no tracking. Files are read locally; nothing
            is fetched unless you enter a URL.
          </p>
        </div>
        {keptViews && <keptViews.Continue disabled={busy} />}
        <DropZone dragged={dragged} missing={missing} />
        {samples.length > 0 && (
          <section aria-labelledby="samples-title">
            <h2 id="samples-title">
              Or try a sample <span className="caption">real recordings and a mail, included in the page</span>
            </h2>
            <div className="samples">
              {samples.map(sample => (
                <SampleCard
                  key={sample.id}
                  sample={sample}
                  disabled={busy}
                  onOpen={() => void actions.openSample(sample)}
                />
              ))}
              {isMailHere() && <MailCard disabled={busy} onOpen={() => void actions.openSampleMail()} />}
            </div>
          </section>
        )}
        <Record />
      </main>
      <footer className="caption">
        <span>Seekscope {version}, free software</span>
        {!isOneFile() && (
          <a href={ONE_FILE} download>
            Download as a single HTML file
          </a>
        )}
        <a href={LICENSES} target="_blank" rel="noopener">
          Third-party licenses
        </a>
        {keptViews && <keptViews.ClearKept />}
        <button type="button" className="shortcuts-hint" onClick={() => actions.show({ kind: 'shortcuts' })}>
          <kbd>?</kbd> shortcuts
        </button>
      </footer>
    </div>
  )
}
