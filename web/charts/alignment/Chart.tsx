/** Stripe alignment: share per class, position of request starts within the stripe, and the cost of partial stripes. */
import { useCallback } from 'react'
import type { Alignment } from '../../engine/protocol'
import { sectorSize } from '../../lib/format'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import { Canvas } from '../shared/frame/Canvas'
import { Legend } from '../shared/frame/Legend'
import { Panel } from '../shared/frame/Panel'
import { Badge } from '../shared/frame/Row'
import type { Surface } from '../shared/paint/surface'
import { ALIGNMENT_LEGEND, mostStarts, paintPositions, paintShares } from './scene'
import { costWords, gridWords, largest, memberWords, table, words } from './summary'

const BAR = 18
const POSITIONS = 36

export function StripeAlignment({ frame, width }: { readonly frame: ChartFrame; readonly width: number }) {
  const { shown, view, actions } = frame
  const geometry = shown.find(s => s.filter.geometry)?.filter.geometry
  const replies = useAnswers(
    'alignment',
    shown,
    run =>
      run.filter.geometry === undefined
        ? undefined
        : { filter: run.filter, range: view.range, geometry: run.filter.geometry },
    'alignment',
    150,
  )
  const facets = useAnswers(
    'facets',
    shown,
    run => (run.filter.geometry === undefined ? { filter: run.filter, range: view.range } : undefined),
    'alignment-4k',
    150,
  )
  const answers = replies.map(r => r.answer)
  if (geometry === undefined) {
    const judged = gridWords(
      shown,
      facets.map(f => f.answer?.misaligned4k),
    )
    return (
      <Panel frame={frame} title="Stripe alignment" what="share per class" words={[]}>
        <p className="chart-sentence">
          {judged} Set a stripe unit to see alignment classes.{' '}
          <button type="button" className="link" onClick={actions.editGeometry}>
            Set geometry
          </button>
        </p>
      </Panel>
    )
  }
  const most = mostStarts(answers)
  return (
    <Panel
      frame={frame}
      title="Stripe alignment"
      what={`stripes of ${geometry.dataDisks} x ${sectorSize(geometry.unit)} from sector ${geometry.start}`}
      words={shown.map((run, i) => words(run, answers[i]))}
      measured="alignment-classes"
      table={() => table(shown, answers)}
    >
      <Legend entries={ALIGNMENT_LEGEND} />
      {shown.map((run, i) => (
        <RunShares
          key={run.id}
          frame={frame}
          run={run}
          answer={answers[i]}
          width={width - 30}
          most={most}
          error={replies[i]?.error?.message}
        />
      ))}
    </Panel>
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
          <b>{answer === undefined ? 'not read yet' : largest(answer)}</b>
          {answer !== undefined && answer.n > 0 && `. ${costWords(answer)} ${memberWords(run)}`}
        </p>
        <Canvas width={width} height={POSITIONS} draw={positions} />
        <div className="alignment-axis">
          <span>start of stripe</span>
          <span>request starts</span>
          <span>end</span>
        </div>
      </div>
    </div>
  )
}
