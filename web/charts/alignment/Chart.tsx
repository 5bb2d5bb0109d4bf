/** Stripe alignment: share per class, position of request starts within the stripe, and the cost of partial stripes. */
import { useCallback } from 'react'
import type { Alignment } from '../../engine/protocol'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { useQuery } from '../shared/answers/useAnswers'
import { UNREAD } from '../shared/answers/words'
import { Canvas } from '../shared/frame/Canvas'
import { Panel } from '../shared/frame/Panel'
import { Badge } from '../shared/frame/Row'
import { SpecPanel } from '../shared/frame/SpecPanel'
import { LegendParts } from '../shared/frame/SpecRow'
import type { Surface } from '../shared/paint/surface'
import { wholeView } from '../shared/spec'
import { mostStarts, paintPositions, paintShares } from './scene'
import { alignment, POSITION_AXIS } from './spec'
import { costWords, largest, memberWords, words } from './summary'

const BAR = 18
const POSITIONS = 36

export function StripeAlignment({ frame, width }: { readonly frame: ChartFrame; readonly width: number }) {
  const { shown, actions } = frame
  const cells = wholeView(frame)
  const replies = useQuery(frame, alignment, alignment.queries.alignment, cells)
  const facets = useQuery(frame, alignment, alignment.queries.facets, cells)
  const answers = { alignment: replies, facets }
  const panel = alignment.panel(frame, answers)
  if (panel.instead !== undefined) {
    return (
      <Panel frame={frame} title={alignment.title} what={panel.what} words={[]}>
        <p className="chart-sentence">
          {panel.instead.join(' ')} Set a stripe unit to see alignment classes.{' '}
          <button type="button" className="link" onClick={actions.editGeometry}>
            Set geometry
          </button>
        </p>
      </Panel>
    )
  }
  const most = mostStarts(replies.map(r => r.answer))
  return (
    <SpecPanel frame={frame} spec={alignment} panel={panel} answers={answers} cells={cells}>
      <LegendParts parts={panel.legend} />
      {shown.map((run, i) => (
        <RunShares
          key={run.id}
          frame={frame}
          run={run}
          answer={replies[i]?.answer}
          width={width - 30}
          most={most}
          error={replies[i]?.error?.message}
        />
      ))}
    </SpecPanel>
  )
}

interface RunSharesProps {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly answer: Alignment | undefined
  readonly width: number
  readonly most: number
  readonly error: string | undefined
}

function RunShares({ frame, run, answer, width, most, error }: RunSharesProps) {
  const { palette } = frame
  const bar = useCallback(
    (surface: Surface) => {
      if (answer !== undefined && answer.n > 0) paintShares(surface, answer, { width, height: BAR, palette })
    },
    [answer, palette, width],
  )
  const positions = useCallback(
    (surface: Surface) => {
      if (answer !== undefined) paintPositions(surface, answer, most, { width, height: POSITIONS, palette })
    },
    [answer, palette, width, most],
  )
  return (
    <div className="alignment-run">
      <Badge letter={run.letter} />
      <div role="img" aria-label={words(run, answer)}>
        {error !== undefined && <p className="chart-sentence">{error}</p>}
        <Canvas width={width} height={BAR} draw={bar} />
        <p className="chart-sentence">
          <b>{answer === undefined ? UNREAD : largest(answer)}</b>
          {answer !== undefined && answer.n > 0 && `. ${costWords(answer)} ${memberWords(run)}`}
        </p>
        <Canvas width={width} height={POSITIONS} draw={positions} />
        <div className="alignment-axis">
          <span>{POSITION_AXIS.from}</span>
          <span>{POSITION_AXIS.quantity}</span>
          <span>{POSITION_AXIS.to}</span>
        </div>
      </div>
    </div>
  )
}
