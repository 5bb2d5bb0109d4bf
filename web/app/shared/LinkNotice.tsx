/** One line above the page when a link could not be applied completely; details in a dialog. */
import { headline } from '../../link/words'
import { useActions, usePage } from '../context'

export function LinkNotice() {
  const problems = usePage(p => p.linkProblems)
  const { show, dismissLink } = useActions()
  if (problems.length === 0) return undefined
  return (
    <section className="link-notice" aria-label="Link problems" data-codes={problems.map(p => p.key).join(' ')}>
      <span aria-hidden="true">!</span>
      <p role="status" title={headline(problems)}>
        {headline(problems)}
      </p>
      <button type="button" className="link" onClick={() => show({ kind: 'link-problems' })}>
        Details
      </button>
      <button type="button" className="link" onClick={dismissLink}>
        Dismiss
      </button>
    </section>
  )
}
