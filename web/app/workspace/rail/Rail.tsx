import { useEffect, useRef } from 'react'
import { ownerKnownWords } from '../../../charts/files/owner'
import { filtered, listed, ofDevice, type Shown, shownRuns } from '../../../charts/shared/answers/shown'
import { useAnswers } from '../../../charts/shared/answers/useAnswers'
import type { Reply } from '../../../charts/shared/spec'
import type { Facets } from '../../../engine/protocol'
import { count, shortCount } from '../../../lib/format'
import { isOnlyDigest } from '../../../state/address/snapshots'
import { comparedPair } from '../../../state/comparing/comparing'
import { layerOf, visible } from '../../../state/filter'
import { put } from '../../../state/page'
import { objectColours } from '../../../state/runs/objects'
import { current } from '../../../state/trail'
import type { Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { RailMoments } from '../moments/RailMoments'
import { DeviceSwitch } from './DeviceSwitch'
import { Facet, MANY_UNFOLDED } from './Facet'
import {
  alignmentRows,
  cpuRows,
  type FacetInput,
  flagRows,
  largerCounts,
  mapWords,
  objectRows,
  opRows,
  processRows,
  writerRows,
} from './facets'
import { GeometryPanel } from './GeometryPanel'
import { LatencyFilter } from './LatencyFilter'

/** Maximum number of runs whose counts fit next to the names. */
const MAX_COLUMNS = 2
/** Delay of the counts after the last change of the view, ms: charts come first. */
const REST_MS = 120

/**
 * The rail of moments and filters: every property with its counts per run; a checked value is shown. `onMoment` is
 * called after a moment was chosen.
 */
export function Rail({ onMoment }: { readonly onMoment: () => void }) {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const view = usePage(p => p.view)
  const windows = usePage(p => p.evidence?.windows)
  const range = usePage(p => current(p.trail))
  const shown = visible(runs)
  const drawn = shownRuns(shown, put(view, 'windows', windows))
  const completing = drawn.some(run => run.device.row === 'completion')
  const replies = useAnswers('facets', drawn, run => ({ filter: run.filter, ...(range && { range }) }), 'rail', REST_MS)
  const facets = new Map(drawn.flatMap((run, i) => (replies[i]?.answer ? [[run.id, replies[i].answer] as const] : [])))
  const compared = usePage(p => p.comparison)
  const finding = usePage(p => p.finding)
  const columns = (shown.length > MAX_COLUMNS ? comparedPair(runs, compared, finding) : shown).slice(0, MAX_COLUMNS)
  const layer = layerOf(shown, view)
  const input = {
    runs: columns,
    facets,
    largest: useLargest(drawn, replies),
    hidden: view.hidden,
    hide: actions.hide,
    layer,
    objects: objectColours(shown),
  }
  const striped = shown.some(r => r.geometry)
  const mapped = columns.some(r => r.info?.objects)
  const isFiltered = filtered({ view })
  const hasSnapshot = shown.some(r => r.snapshot)
  const countless = shown.some(r => isOnlyDigest(r) || r.snapshot?.brief)
  const off4k = columns.map(run => facets.get(run.id)?.misaligned4k)
  const geometry = (
    <GeometryPanel
      runs={shown}
      off4k={off4k.every(n => n !== undefined) ? off4k.reduce((a, b) => a + b, 0) : undefined}
      requests={requestsOf(columns.map(r => facets.get(r.id)))}
    />
  )
  const digits = Math.max(
    4,
    ...columns.map(r => shortCount(requestsOf([facets.get(r.id)]) ?? 0).length),
    ...columns.flatMap(r => r.info?.devices.map(d => shortCount(d.requests).length) ?? []),
  )
  return (
    <div className="rail-inside" style={{ '--digits': digits } as React.CSSProperties}>
      <RailMoments onShow={onMoment} />
      <Held runs={shown} />
      {isFiltered && <Filtered clear={actions.clearFilters} />}
      {view.functions && <Through functions={view.functions} showAll={() => actions.setFunctions(undefined)} />}
      {range && !countless && <p className="caption rail-range">Counts for the visible range.</p>}
      {shown.length > MAX_COLUMNS && (
        <p className="caption rail-range">
          Counts of {listed(columns.map(r => r.letter))}
          {compared && ', which are compared'}. Filters apply to all {shown.length} runs.
        </p>
      )}
      {striped && geometry}
      <DeviceSwitch runs={columns} />
      {!countless && (
        <fieldset className="rail-facets" disabled={hasSnapshot} aria-label="Filters">
          {striped && (
            <Facet
              title="Alignment class"
              heads
              runs={columns}
              rows={[...alignmentRows(input), { key: '4k', label: 'off 4 KiB', counts: off4k, shown: true }]}
            />
          )}
          <Objects input={input} drawn={drawn} heads={mapped && !striped} />
          <Writers input={input} />
          <Facet
            title={`Operation${ofDevice(drawn)}`}
            heads={!striped && !mapped}
            runs={columns}
            rows={opRows(input)}
          />
          <Facet title="Flags" runs={columns} rows={flagRows(input)} />
          <Facet
            title="Process"
            {...(layer === 'process' && { note: 'colours the map' })}
            runs={columns}
            rows={processRows(input)}
          />
          <Facet title="CPU" note={completing ? 'completing' : 'submitting'} runs={columns} rows={cpuRows(input)} />
          <LatencyFilter runs={shown} />
        </fieldset>
      )}
      {!striped && geometry}
      <p className="visually-hidden" aria-live="polite">
        {!countless &&
          columns.map(r => `${r.letter}: ${count(requestsOf([facets.get(r.id)]) ?? 0)} requests`).join(', ')}
      </p>
    </div>
  )
}

function Filtered({ clear }: { readonly clear: () => void }) {
  return (
    <p className="rail-filtered">
      Filters hide some requests. <br />
      <button type="button" className="link" onClick={clear}>
        Clear filters
      </button>
    </p>
  )
}

/** The path through the kernel that is shown alone. */
function Through({ functions, showAll }: { readonly functions: readonly string[]; readonly showAll: () => void }) {
  return (
    <section className="facet" aria-label="Filter by call stack">
      <div className="facet-head">
        <h2 className="facet-title">Call stack</h2>
        <button type="button" className="link facet-note" onClick={showAll}>
          show all
        </button>
      </div>
      <p className="caption rail-through" title={functions.join(' > ')}>
        Only requests through <code>{functions.at(-1)}</code>.
      </p>
    </section>
  )
}

/** What a digest or a snapshot has of the filters. */
function Held({ runs }: { readonly runs: readonly Run[] }) {
  const digest = runs.some(isOnlyDigest)
  return (
    <>
      {digest && (
        <p className="caption rail-held">Digests have no single requests to filter: drop the traces for filters.</p>
      )}
      {runs.some(r => r.snapshot) && !digest && (
        <p className="caption rail-held">
          Opened from a snapshot, which has only the shown data. To change filters, drop the trace files here.
        </p>
      )}
      {runs.some(r => r.snapshot?.brief) && (
        <p className="caption rail-held">The counts of the filters are not in this short link.</p>
      )}
    </>
  )
}

interface ObjectsProps {
  readonly input: FacetInput
  readonly drawn: readonly Shown[]
  readonly heads: boolean
}

/** Files and structures, and how much of the data the map of the disk explains. */
function Objects({ input, drawn, heads }: ObjectsProps) {
  const { runs, layer } = input
  const sentence = ownerKnownWords(drawn.filter(({ id }) => runs.some(run => run.id === id)))
  return (
    <Facet
      title="Objects"
      {...(layer === 'object' && { note: 'colours the map' })}
      heads={heads}
      most={MANY_UNFOLDED}
      runs={runs}
      rows={objectRows(input)}
    >
      {sentence && <p className="caption facet-below">{sentence}</p>}
    </Facet>
  )
}

/** Whose data the requests carry, and from when the maps are. */
function Writers({ input }: Pick<ObjectsProps, 'input'>) {
  const words = mapWords(input.runs)
  return (
    <Facet title="Who dirtied it" note="or read it" most={MANY_UNFOLDED} runs={input.runs} rows={writerRows(input)}>
      {words && <p className="caption facet-below">Map of the disk: {words}.</p>}
    </Facet>
  )
}

/** The largest counts so far of each run's device. */
function useLargest(drawn: readonly Shown[], replies: readonly Reply<'facets'>[]): ReadonlyMap<string, Facets> {
  const previous = useRef<ReadonlyMap<string, { readonly device: number; readonly facets: Facets }>>(new Map())
  const largest = new Map(previous.current)
  drawn.forEach(({ id }, i) => {
    const { ask, answer } = replies[i] ?? {}
    if (!ask || !answer) return
    const { device } = ask.filter
    const old = largest.get(id)
    largest.set(id, { device, facets: old?.device === device ? largerCounts(old.facets, answer) : answer })
  })
  useEffect(() => {
    previous.current = largest
  })
  return new Map([...largest].map(([id, { facets }]) => [id, facets]))
}

function requestsOf(facets: readonly (Pick<Facets, 'ops'> | undefined)[]): number | undefined {
  const sums = facets.map(f => f && Object.values(f.ops).reduce((a, b) => a + b, 0))
  return sums.every(n => n !== undefined) ? sums.reduce((a, b) => a + b, 0) : undefined
}
