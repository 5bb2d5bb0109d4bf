/** Lists each part of the link that could not be applied, as it is in the link. */
import { counted } from '../../../lib/format'
import { partOf } from '../../../link/words'
import { useActions, usePage } from '../../context'
import { Dialog, DialogFoot } from '../Dialog'

const MAX_LISTED = 100

export function LinkProblems() {
  const { close } = useActions()
  const problems = usePage(p => p.linkProblems)
  return (
    <Dialog title="Link problems" lead="Everything else loaded." onClose={close}>
      <section className="facts">
        <dl>
          {problems.slice(0, MAX_LISTED).map(({ key, value, why: reason }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is open
            <div key={i} data-code={key}>
              <dt>{partOf(key)}</dt>
              <dd>
                {reason ?? 'Cannot be read; the link may have been truncated or altered.'}
                <p className="mono">{value === '' ? '' : `${key}=${value}`}</p>
              </dd>
            </div>
          ))}
        </dl>
        {problems.length > MAX_LISTED && <p>{counted(problems.length - MAX_LISTED, 'more part')}.</p>}
      </section>
      <DialogFoot onClose={close} />
    </Dialog>
  )
}
