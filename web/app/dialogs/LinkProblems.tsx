/** Each part of the link that could not be shown, as it stands there. */
import { counted } from '../../lib/format'
import { partOf } from '../../link/words'
import { useActions, usePage } from '../context'
import { Dialog, DialogFoot } from './Dialog'

const MOST = 100

export function LinkProblems() {
  const { close } = useActions()
  const problems = usePage(p => p.linkProblems)
  return (
    <Dialog title="About the link" lead="Everything else in it is shown." onClose={close}>
      <section className="facts">
        <dl>
          {problems.slice(0, MOST).map(({ key, value, why }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is open
            <div key={i} data-code={key}>
              <dt>{partOf(key)}</dt>
              <dd>
                {why ?? 'This cannot be read; the link may have been cut or changed on its way.'}
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
