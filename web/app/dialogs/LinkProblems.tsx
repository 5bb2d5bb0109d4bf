/** Lists each part of the link that could not be applied, as it is in the link. */
import { counted } from '../../lib/format'
import { partOf } from '../../link/words'
import { useActions, usePage } from '../context'
import { Dialog, DialogFoot } from './Dialog'

const MOST = 100

export function LinkProblems() {
  const { close } = useActions()
  const problems = usePage(p => p.linkProblems)
  return (
    <Dialog title="Link problems" lead="Everything else loaded." onClose={close}>
      <section className="facts">
        <dl>
          {problems.slice(0, MOST).map(({ key, value, why }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is open
            <div key={i} data-code={key}>
              <dt>{partOf(key)}</dt>
              <dd>
                {why ?? 'Cannot be read; the link may have been truncated or altered.'}
                <p className="mono">{value === '' ? '' : `${key}=${value}`}</p>
              </dd>
            </div>
          ))}
        </dl>
        {problems.length > MOST && <p>{counted(problems.length - MOST, 'more part')}.</p>}
      </section>
      <DialogFoot onClose={close} />
    </Dialog>
  )
}
