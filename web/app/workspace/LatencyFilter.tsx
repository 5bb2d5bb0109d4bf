import { useRef, useState } from 'react'
import { noMatchWords } from '../../charts/shared/NoMatch'
import { filtered, shownRuns } from '../../charts/shared/shown'
import { useAnswers } from '../../charts/shared/useAnswers'
import { duration } from '../../lib/format'
import { ns } from '../../lib/units'
import { put } from '../../state/page'
import { current } from '../../state/trail'
import type { Run } from '../../state/types'
import { useActions, usePage } from '../context'
import { latencyBins } from './histogram'

const BINS = 24
/** Delay after the last change of the view. */
const REST_MS = 200
const W = 184
const H = 28

/** Histogram of latency per run; dragging over the bars filters by latency. */
export function LatencyFilter({ runs }: { runs: readonly Run[] }) {
  const actions = useActions()
  const pageView = usePage(p => p.view)
  const windows = usePage(p => p.evidence?.windows)
  const view = put(pageView, 'windows', windows)
  const range = usePage(p => current(p.trail)) ?? view.range
  const drawn = shownRuns(runs, view)
  const replies = useAnswers(
    'distribution',
    drawn,
    run => ({ filter: put(run.filter, 'latency', undefined), range, stage: 'q2c' }),
    'rail-latency',
    REST_MS,
  )
  const why = drawn.find(run => run.device.absent?.latency !== undefined)?.device.absent?.latency
  const svg = useRef<SVGSVGElement>(null)
  const [drag, setDrag] = useState<readonly [number, number]>()
  const bins = latencyBins(
    replies.map(r => r.answer),
    BINS,
  )
  const edge = (i: number) => bins?.edges[i] ?? 0
  const binOf = (t: number) =>
    Math.max(
      0,
      (bins?.edges ?? []).findLastIndex(e => e <= t * (1 + 1e-9)),
    )
  const kept: readonly [number, number] | undefined =
    drag ?? (view.latency && [binOf(view.latency[0]), binOf(view.latency[1])])

  const at = (event: React.PointerEvent) => {
    const box = svg.current?.getBoundingClientRect()
    return box ? Math.max(0, Math.min(BINS, ((event.clientX - box.left) / box.width) * BINS)) : 0
  }
  const choose = (from: number, to: number) => {
    const [a, b] = [Math.max(0, Math.min(from, to)), Math.min(BINS, Math.max(from, to))]
    actions.setLatency(a === 0 && b === BINS ? undefined : [ns(edge(a)), ns(edge(b))])
  }
  const finish = () => {
    if (!drag) return
    setDrag(undefined)
    choose(Math.floor(Math.min(...drag)), Math.max(Math.ceil(Math.max(...drag)), Math.floor(Math.min(...drag)) + 1))
  }
  const onKeyDown = (event: React.KeyboardEvent, end: 0 | 1) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const [a, b] = kept ?? [0, BINS]
    choose(end === 0 ? Math.min(a + by, b - 1) : a, end === 1 ? Math.max(b + by, a + 1) : b)
  }
  const x = (i: number) => (i / BINS) * W
  const y = (s: number) => (bins ? (s / bins.most) * (H - 1) : 0)
  const [low, high] = kept ? [Math.min(...kept), Math.max(...kept)] : [0, BINS]

  return (
    <section className="facet" aria-label="Filter by latency">
      <div className="facet-head">
        <h2 className="facet-title">Latency, Q2C</h2>
        {view.latency ? (
          <button type="button" className="link facet-note" onClick={() => actions.setLatency(undefined)}>
            show all
          </button>
        ) : (
          <span className="caption facet-note">all</span>
        )}
      </div>
      {bins ? (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand inside a picture */}
          <svg
            ref={svg}
            className="latency"
            viewBox={`0 0 ${W} ${H}`}
            preserveAspectRatio="none"
            role="group"
            aria-label="Requests by latency; move the handles to filter"
            onPointerDown={event => {
              event.currentTarget.setPointerCapture(event.pointerId)
              setDrag([at(event), at(event)])
            }}
            onPointerMove={event => drag && setDrag([drag[0], at(event)])}
            onPointerUp={finish}
            onPointerCancel={() => setDrag(undefined)}
          >
            {bins.shares[0]?.map((s, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place
              <rect key={i} className="latency-bar" x={x(i) + 0.5} width={W / BINS - 1} y={H - y(s)} height={y(s)} />
            ))}
            {bins.shares.slice(1).map((shares, r) => (
              <path
                key={drawn[r + 1]?.id ?? r}
                className="latency-line"
                data-run={drawn[r + 1]?.letter}
                d={`M0 ${H}${shares.map((s, i) => `L${x(i)} ${H - y(s)}H${x(i + 1)}`).join('')}V${H}`}
              />
            ))}
            {kept && (
              <>
                <rect className="latency-veil" x={0} width={x(low)} y={0} height={H} />
                <rect className="latency-veil" x={x(high)} width={W - x(high)} y={0} height={H} />
              </>
            )}
            {([low, high] as const).map((bin, end) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: the lower and the upper end
                key={end}
                className="latency-handle"
                data-set={kept !== undefined}
                role="slider"
                tabIndex={0}
                aria-label={end === 0 ? 'Minimum latency' : 'Maximum latency'}
                aria-valuemin={0}
                aria-valuemax={BINS}
                aria-valuenow={bin}
                aria-valuetext={duration(edge(Math.round(bin)))}
                x={x(bin) - (end === 0 ? 0 : 3)}
                width={3}
                y={0}
                height={H}
                onKeyDown={event => onKeyDown(event, end as 0 | 1)}
              />
            ))}
          </svg>
          <p className="latency-labels">
            <span>{duration(edge(kept ? Math.round(low) : 0))}</span>
            {!kept && <span>{duration(edge(BINS / 2))}</span>}
            <span>{duration(edge(kept ? Math.round(high) : BINS))}</span>
          </p>
        </>
      ) : (
        <p className="caption">
          {why !== undefined
            ? `Absent: ${why}.`
            : filtered({ view })
              ? noMatchWords({ view })
              : 'No completed requests yet.'}
        </p>
      )}
    </section>
  )
}
