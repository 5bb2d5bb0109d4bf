/** Histogram of latency per run; dragging over the bars filters by latency. */

import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { noMatchWords } from '../../../charts/shared/answers/NoMatch'
import { filtered, type Shown, shownRuns } from '../../../charts/shared/answers/shown'
import { useAnswers } from '../../../charts/shared/answers/useAnswers'
import { TermText } from '../../../charts/shared/term/Term'
import { duration } from '../../../lib/format'
import { ns } from '../../../lib/units'
import { put } from '../../../state/page'
import { current } from '../../../state/trail'
import type { Run, View } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { type LatencyBins, latencyBins } from './histogram'

const BINS = 24
/** Delay after the last change of the view before the query, ms. */
const REST_MS = 200
const W = 184
const H = 28

export function LatencyFilter({ runs }: { runs: readonly Run[] }) {
  const actions = useActions()
  const pageView = usePage(p => p.view)
  const windows = usePage(p => p.evidence?.windows)
  const view = put(pageView, 'windows', windows)
  const range = usePage(p => current(p.trail)) ?? view.range
  const shown = shownRuns(runs, view)
  const replies = useAnswers(
    'distribution',
    shown,
    run => ({ filter: put(run.filter, 'latency', undefined), range, stage: 'q2c' }),
    'rail-latency',
    REST_MS,
  )
  const bins = latencyBins(
    replies.map(r => r.answer),
    BINS,
  )
  const reason = shown.find(run => run.device.absent?.latency !== undefined)?.device.absent?.latency
  return (
    <section className="facet" aria-label="Filter by latency">
      <div className="facet-head">
        <h2 className="facet-title">
          <TermText text="Latency, Q2C" />
        </h2>
        {view.latency ? (
          <button type="button" className="link facet-note" onClick={() => actions.setLatency(undefined)}>
            show all
          </button>
        ) : (
          <span className="caption facet-note">all</span>
        )}
      </div>
      {bins ? (
        <Histogram bins={bins} shown={shown} filter={view.latency} />
      ) : (
        <p className="caption">
          {reason !== undefined
            ? `Absent: ${reason}.`
            : filtered({ view })
              ? noMatchWords({ view })
              : 'No completed requests yet.'}
        </p>
      )}
    </section>
  )
}

/** Start and end of the kept bins, counted from the left; fractions while they are dragged. */
type BinSpan = readonly [number, number]

/** Selection of bins by dragging over the histogram, or by arrow keys on its ends. `filter`: the current filter, ns. */
function useBinSelection({ edges }: LatencyBins, filter: View['latency']) {
  const actions = useActions()
  const svg = useRef<SVGSVGElement>(null)
  const [drag, setDrag] = useState<BinSpan>()
  // The rounding of a link must not move an edge to the bin before it.
  const binOf = (t: number) =>
    Math.max(
      0,
      edges.findLastIndex(edge => edge <= t * (1 + 1e-9)),
    )
  const keptBins: BinSpan | undefined = drag ?? (filter && [binOf(filter[0]), binOf(filter[1])])
  const pointed = (event: PointerEvent) => {
    const box = svg.current?.getBoundingClientRect()
    return box ? Math.max(0, Math.min(BINS, ((event.clientX - box.left) / box.width) * BINS)) : 0
  }
  const choose = (from: number, to: number) => {
    const [a, b] = [Math.max(0, Math.min(from, to)), Math.min(BINS, Math.max(from, to))]
    actions.setLatency(a === 0 && b === BINS ? undefined : [ns(edges[a] ?? 0), ns(edges[b] ?? 0)])
  }
  const begin = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag([pointed(event), pointed(event)])
  }
  const move = (event: PointerEvent) => drag && setDrag([drag[0], pointed(event)])
  const finish = () => {
    if (!drag) return
    setDrag(undefined)
    // A drag within one bin keeps that bin.
    const from = Math.floor(Math.min(...drag))
    choose(from, Math.max(Math.ceil(Math.max(...drag)), from + 1))
  }
  const cancel = () => setDrag(undefined)
  const pressKey = (event: KeyboardEvent, end: 'low' | 'high') => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const [a, b] = keptBins ?? [0, BINS]
    if (end === 'low') choose(Math.min(a + step, b - 1), b)
    else choose(a, Math.max(b + step, a + 1))
  }
  return { svg, keptBins, begin, move, finish, cancel, pressKey }
}

interface BinnedLatencyProps {
  readonly bins: LatencyBins
  readonly shown: readonly Shown[]
  readonly filter: View['latency']
}

function Histogram({ bins, shown, filter }: BinnedLatencyProps) {
  const { svg, keptBins, begin, move, finish, cancel, pressKey } = useBinSelection(bins, filter)
  const [low, high] = keptBins ? [Math.min(...keptBins), Math.max(...keptBins)] : [0, BINS]
  const x = (bin: number) => (bin / BINS) * W
  const edgeWords = (bin: number) => duration(bins.edges[Math.round(bin)] ?? 0)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand inside a picture */}
      <svg
        ref={svg}
        className="latency"
        viewBox={`0 0 ${W} ${H}`}
        preserveAspectRatio="none"
        role="group"
        aria-label="Requests by latency; move the handles to filter"
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={finish}
        onPointerCancel={cancel}
      >
        <Bars bins={bins} shown={shown} x={x} />
        {keptBins && (
          <>
            <rect className="latency-veil" x={0} width={x(low)} y={0} height={H} />
            <rect className="latency-veil" x={x(high)} width={W - x(high)} y={0} height={H} />
          </>
        )}
        {(['low', 'high'] as const).map(end => {
          const bin = end === 'low' ? low : high
          return (
            <rect
              key={end}
              className="latency-handle"
              data-set={keptBins !== undefined}
              role="slider"
              tabIndex={0}
              aria-label={end === 'low' ? 'Minimum latency' : 'Maximum latency'}
              aria-valuemin={0}
              aria-valuemax={BINS}
              aria-valuenow={bin}
              aria-valuetext={edgeWords(bin)}
              x={x(bin) - (end === 'low' ? 0 : 3)}
              width={3}
              y={0}
              height={H}
              onKeyDown={event => pressKey(event, end)}
            />
          )
        })}
      </svg>
      <p className="latency-labels">
        <span>{edgeWords(low)}</span>
        {!keptBins && <span>{edgeWords(BINS / 2)}</span>}
        <span>{edgeWords(high)}</span>
      </p>
    </>
  )
}

interface BarsProps {
  readonly bins: LatencyBins
  readonly shown: readonly Shown[]
  x(bin: number): number
}

/** Bars of the first run, outlines of the others. */
function Bars({ bins, shown, x }: BarsProps) {
  const y = (share: number) => (share / bins.max) * (H - 1)
  const [bars, ...outlines] = bins.shares
  return (
    <>
      {bars?.map((share, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place
        <rect key={i} className="latency-bar" x={x(i) + 0.5} width={W / BINS - 1} y={H - y(share)} height={y(share)} />
      ))}
      {outlines.map((shares, i) => {
        const run = shown[i + 1]
        const steps = shares.map((share, bin) => `L${x(bin)} ${H - y(share)}H${x(bin + 1)}`)
        return (
          <path
            key={run?.id ?? i}
            className="latency-line"
            data-run={run?.letter}
            d={`M0 ${H}${steps.join('')}V${H}`}
          />
        )
      })}
    </>
  )
}
