import { MEASURES, USER_GUIDE } from '../../lib/docs'
import { COMMANDS, type Command } from '../commands'
import { PLAY_KEYS } from '../play/keys'
import { Dialog, DialogFoot } from './Dialog'

const GROUPS = ['Time', 'Runs', 'Page'] as const satisfies readonly Command['group'][]

/** Keys that the fleet's table of rows handles itself; they are listed here only. */
const FLEET_KEYS = [
  ['/', 'Focus the condition'],
  ['↑ ↓', 'Previous or next row; with Shift, select on the way'],
  ['Space', 'Select the row'],
  ['Enter', 'Compare the selected rows'],
] as const

/** The key of the page of a bisection. */
const BISECT_KEYS = [['Enter', 'Compare the two commits']] as const

const OWN_KEYS = { 'In a fleet': FLEET_KEYS, 'In a bisection': BISECT_KEYS } as const

/** Lists all keys: the table of commands, and the tables of fleet, bisection and playback. */
export function Shortcuts({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" wide onClose={onClose}>
      <div className="shortcuts">
        {GROUPS.map(group => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {COMMANDS.filter(c => c.group === group).map(c => (
                <div key={c.label}>
                  <dt>
                    {(c.shown ?? c.keys).map(key => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{c.label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {Object.entries(OWN_KEYS).map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, label]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>In playback</h3>
          <dl>
            {PLAY_KEYS.map(({ label, shown: keys }) => (
              <div key={label}>
                <dt>
                  {keys.map(key => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <DialogFoot onClose={onClose}>
        <nav className="dialog-links" aria-label="Documents">
          <a href={USER_GUIDE} target="_blank" rel="noopener">
            User guide
          </a>
          <a href={MEASURES} target="_blank" rel="noopener">
            Measures
          </a>
        </nav>
      </DialogFoot>
    </Dialog>
  )
}
