/** How to go on, what speaks against the result, and the lines for the mail. */
import { doubtTexts, nextTitle, TITLES } from '../../bisect/words'
import type { PrintedBisection } from '../../engine/protocol'
import './bisect-notes.css'

export function BisectNotes({ document }: { readonly document: PrintedBisection }) {
  const { next, mail } = document
  const doubts = doubtTexts(document)
  return (
    <div className="bisect-notes">
      {next.length > 0 && <Block title={nextTitle(document)} lines={next} />}
      <div className="bisect-notes-side">
        {doubts.length > 0 && (
          <section aria-labelledby="bisect-doubts">
            <h2 id="bisect-doubts">What speaks against it</h2>
            {doubts.map(text => (
              <p key={text}>{text}</p>
            ))}
          </section>
        )}
        {mail.length > 0 && <Block title={TITLES.mail} lines={mail} />}
      </div>
    </div>
  )
}

function Block({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <pre>{lines.join('\n')}</pre>
    </section>
  )
}
