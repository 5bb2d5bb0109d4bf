/** The moments of all runs in the rail: when, what the device did, for how long, how many requests, and the trigger. */
import type { KeyboardEvent, ReactNode } from 'react'
import { Badge } from '../../../charts/shared/frame/Row'
import { counted, duration, seconds, typographic } from '../../../lib/format'
import { stalledInWords, stallInWords } from '../../../lib/moments'
import { usePage } from '../../context'
import type { Moment, RunMoments } from './moments'
import { useMomentKeys } from './useMomentKeys'
import { useMoments } from './useMoments'
import '../rail/rail.css'
import './rail-moments.css'

/** `onShow` is called after a moment was chosen: narrow pages show the charts then. */
export function RailMoments({ onShow }: { readonly onShow: () => void }) {
  const { groups, moments, current, show, step, leave } = useMoments()
  const areSeveral = usePage(page => page.runs.length > 1)
  useMomentKeys(step)
  if (moments.length === 0) return undefined
  const conditions = new Set(moments.flatMap(({ trigger }) => trigger?.condition ?? []))
  const [condition] = conditions.size === 1 ? conditions : []
  const stalls = moments.filter(({ stall }) => stall)
  const choose = (moment: Moment) => {
    show(moment)
    onShow()
  }
  return (
    <section className="facet rail-moments" aria-label="Moments">
      <div className="facet-head">
        <h2 className="facet-title">Moments</h2>
        {current ? (
          <button type="button" className="link facet-note rail-moments-all" onClick={leave}>
            show all
          </button>
        ) : (
          <span className="caption facet-note rail-moments-key">
            <kbd>J</kbd> next
          </span>
        )}
      </div>
      <ol onKeyDown={moveFocus}>
        {groups.map(group => (
          <Group key={group.run.id} group={group} isNamed={areSeveral}>
            {group.moments.map(moment => (
              <li key={moment.key}>
                <RailMoment
                  moment={moment}
                  number={stalls.indexOf(moment) + 1}
                  isCurrent={moment.key === current?.key}
                  isConditionSaid={condition !== undefined}
                  choose={choose}
                />
              </li>
            ))}
          </Group>
        ))}
      </ol>
      {condition !== undefined && <p className="caption facet-below">Trigger: {condition}</p>}
    </section>
  )
}

/** The arrow keys move the focus between the moments. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.findIndex(button => button.matches(':focus'))
  buttons[index + step]?.focus()
}

interface GroupProps {
  readonly group: RunMoments
  readonly isNamed: boolean
  readonly children: ReactNode
}

function Group({ group: { run, quiet }, isNamed, children }: GroupProps) {
  return (
    <>
      {isNamed && (
        <li className="rail-moments-run">
          <Badge letter={run.letter} />
          <span title={run.whole?.label ?? run.label}>{run.whole?.label ?? run.label}</span>
        </li>
      )}
      {quiet && (
        <li className="rail-moments-quiet">
          quiet{run.baseline && ', baseline'}
          <span className="rail-moment-length">{duration(run.info?.span ?? 0)}</span>
        </li>
      )}
      {children}
    </>
  )
}

interface RailMomentProps {
  readonly moment: Moment
  /** Among the stalls of all runs; 0: no device stalled. */
  readonly number: number
  readonly isCurrent: boolean
  /** The condition of the trigger is that of all moments, and stands below them. */
  readonly isConditionSaid: boolean
  readonly choose: (moment: Moment) => void
}

function RailMoment({ moment, number, isCurrent, isConditionSaid, choose }: RailMomentProps) {
  const { stall, trigger, from } = moment
  const words = stall && [stallInWords(stall, typographic), stalledInWords(stall)].filter(Boolean).join(' · ')
  return (
    <button
      type="button"
      className="rail-moment"
      aria-current={isCurrent}
      title={words ?? trigger?.condition}
      onClick={() => choose(moment)}
    >
      <span className="rail-moment-number">{number > 0 ? number : <span aria-hidden="true">⚑</span>}</span>
      <span className="rail-moment-time">{seconds(from, 3)} s</span>
      {stall && (
        <>
          <span className="rail-moment-length">{duration(stall.to_ns - stall.from_ns)}</span>
          <span className="rail-moment-words">
            {stall.kind} · {counted(stall.requests, 'request')}
            {stall.unfinished && ', to the end'}
          </span>
        </>
      )}
      {trigger && (
        <span className="rail-moment-words">
          <span className="rail-moment-flag">trigger</span> {stall && `${seconds(trigger.time, 3)} s `}
          {!isConditionSaid && trigger.condition}
        </span>
      )}
    </button>
  )
}
