import { useRef } from 'react'
import { STARVED } from '../../../charts/queue-depth/spec'
import { ALIGNMENT_NAMES } from '../../../charts/shared/answers/names'
import { UnreliableMark } from '../../../charts/shared/frame/LossIntervals'
import { useWidth } from '../../../charts/shared/frame/useWidth'
import { alignmentToken } from '../../../charts/shared/paint/palette'
import { STATE_NAMES } from '../../../engine/protocol'
import type { SummaryDevice } from '../../../engine/summary'
import { count, share } from '../../../lib/format'
import type { Run } from '../../../state/types'
import './bars.css'
import { STATE_TOKENS, STATES } from './states'

interface BarPart {
  readonly key: string
  readonly name: string
  readonly share: number
  readonly token: string
  /** Text inside the part, if it fits. */
  readonly text: string
  readonly look?: 'starved' | 'solid' | 'pale' | 'hatched'
}

/** Names of the states in a bar, which has no room for what starved means. */
const NAMES = { ...STATE_NAMES, starved: STARVED }

const CLASSES = [
  ['full', 'full_stripe', 'full stripe'],
  ['unit', 'unit_aligned', 'unit-aligned'],
  ['inside', 'inside_unit', 'inside a unit'],
  ['straddles', 'straddles', 'straddle a stripe boundary'],
] as const

const stateParts = (device: SummaryDevice): BarPart[] =>
  STATES.map(key => {
    const part = device.states?.[key] ?? 0
    return {
      key,
      name: NAMES[key],
      token: STATE_TOKENS[key],
      share: part,
      text: key === 'starved' ? '' : `${share(part)} ${NAMES[key]}`,
      ...(key === 'starved' && { look: key }),
    }
  })

function classParts(device: SummaryDevice): BarPart[] {
  const classes = device.alignment?.classes
  const total = classes ? Object.values(classes).reduce((sum, c) => sum + c.requests, 0) : 0
  return CLASSES.map(([cls, key, verb]) => {
    const n = classes?.[key].requests ?? 0
    return {
      key,
      name: ALIGNMENT_NAMES[cls],
      share: total > 0 ? n / total : 0,
      token: `--${alignmentToken(cls)}`,
      text: `${count(n)} of ${count(total)} ${verb}`,
      look: LOOKS[cls],
    }
  })
}

/** How parts are filled: strong colours have white text, pale ones dark text; straddling requests are hatched. */
const LOOKS = { full: 'solid', unit: 'pale', inside: 'pale', straddles: 'hatched' } as const

export type BarKind = 'states' | 'alignment'

/** The kinds of bars that all devices have data for. */
export function barsOf(devices: readonly SummaryDevice[]): readonly BarKind[] {
  if (devices.length === 0) return []
  return [
    ...(devices.every(d => d.states) ? ['states' as const] : []),
    ...(devices.every(d => d.alignment) ? ['alignment' as const] : []),
  ]
}

/** Width of a character at 11 px, with a margin for wider fallback fonts, px. */
const CHARACTER = 6.6
/** Width of the run letter, leading figure and gaps before each bar, px. */
const LEAD_WIDTH = 132

/** One bar per run. Figures are in the bar or before it; screen readers get all of them as text. */
export function StateBars({
  runs,
  devices,
  kind,
}: {
  runs: readonly Run[]
  devices: readonly SummaryDevice[]
  kind: BarKind
}) {
  const rows = runs.flatMap((run, i) =>
    devices[i]
      ? [{ run, device: devices[i], parts: kind === 'states' ? stateParts(devices[i]) : classParts(devices[i]) }]
      : [],
  )
  const maxShare = Math.max(...rows.map(r => r.parts[0]?.share ?? 0))
  const names = rows[0]?.parts ?? []
  const box = useRef<HTMLElement>(null)
  const room = (useWidth(box) - LEAD_WIDTH) / CHARACTER
  return (
    <figure className="bars" ref={box}>
      <figcaption className="visually-hidden">
        {kind === 'states' ? 'How the time went' : 'Alignment of requests to stripes'}
      </figcaption>
      {rows.map(({ run, device, parts }) => {
        const lead = parts[0]
        return (
          <div key={run.id} className="bars-row">
            <span>{run.letter}</span>
            <span className="bars-lead" data-most={rows.length > 1 && lead?.share === maxShare && kind === 'states'}>
              {kind === 'states' ? STARVED : 'full'} {share(lead?.share ?? 0)}
              <UnreliableMark spoiled={device.spoiled} names={[kind]} />
            </span>
            <span
              className="bars-bar"
              role="img"
              aria-label={`${run.letter}: ${parts.map(p => `${p.name} ${share(p.share)}`).join(', ')}`}
            >
              {parts
                .filter(p => p.share > 0)
                .map(p => (
                  <span
                    key={p.key}
                    className="bars-part"
                    data-look={p.look}
                    style={{ flexGrow: p.share, '--part': `var(${p.token})` } as React.CSSProperties}
                    title={`${p.name}: ${share(p.share)}`}
                  >
                    {fittingText(p, room)}
                  </span>
                ))}
            </span>
          </div>
        )
      })}
      <div className="bars-legend" aria-hidden="true">
        {names.map(p => (
          <span key={p.key}>
            <span
              className="bars-part"
              data-look={p.look}
              style={{ '--part': `var(${p.token})` } as React.CSSProperties}
            />
            {p.name}
          </span>
        ))}
      </div>
    </figure>
  )
}

/** The longest text that fits into the part. */
function fittingText(part: BarPart, characters: number): string {
  const room = part.share * characters - 1
  if (part.text === '') return ''
  if (part.text.length <= room) return part.text
  const short = share(part.share)
  return short.length <= room ? short : ''
}
