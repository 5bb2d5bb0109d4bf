/** One line above the page, when a link could not be shown as it is; the whole of it in a dialog. */
import { headline } from '../../link/words'
import { useActions, usePage } from '../context'

export function LinkNotice() {
  const problems = usePage(p => p.linkProblems)
  const { show, dismissLink } = useActions()
  if (problems.length === 0) return undefined
  return (
    <section className="link-notice" aria-label="About the link" data-codes={problems.map(p => p.key).join(' ')}>
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
