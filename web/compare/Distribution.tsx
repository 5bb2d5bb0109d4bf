/**
 * Distribution of latencies by the bins of fio's JSON+: the share of I/Os that completed within a time, one line per
 * run.
 */
import type { LatencyDistribution, ResultRun } from '../engine/protocol'
import { count, duration } from '../lib/format'
import './distribution.css'

/** Lines that can be told apart: one per colour and dash of the runs. */
const COLOURS = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const [WIDTH, HEIGHT] = [100, 40]

interface LatencyCurve {
  readonly label: string
  readonly n: number
  readonly bins: LatencyDistribution['bins']
  readonly colour: string
}

export function Distributions({ runs }: { readonly runs: readonly ResultRun[] }) {
  const operations = (['read', 'write', 'trim'] as const).filter(operation =>
    runs.some(run => run.distributions?.some(d => d.operation === operation)),
  )
  return operations.map(operation => {
    const measured = runs.flatMap(run => {
      const bins = run.distributions?.find(d => d.operation === operation)?.bins ?? []
      return bins.length > 0 ? [{ label: run.label, bins, n: bins.reduce((sum, [, n]) => sum + n, 0) }] : []
    })
    const curves = measured.slice(0, COLOURS.length).map((curve, i) => ({ ...curve, colour: COLOURS[i] ?? 'a' }))
    return <Distribution key={operation} operation={operation} curves={curves} more={measured.length - curves.length} />
  })
}

/** On a logarithmic scale of latency. */
function Distribution({
  operation,
  curves,
  more,
}: {
  readonly operation: string
  readonly curves: readonly LatencyCurve[]
  readonly more: number
}) {
  const times = curves.flatMap(({ bins }) => bins.map(([at]) => Math.max(1, at)))
  const [low, high] = [Math.log10(Math.min(...times)), Math.log10(Math.max(...times))]
  const x = (at: number) => (high > low ? ((Math.log10(Math.max(1, at)) - low) / (high - low)) * WIDTH : WIDTH / 2)
  const path = ({ bins, n }: LatencyCurve) => {
    let done = 0
    return bins.map(([at, of], i) => {
      const before = done
      done += of
      const y = (share: number) => (HEIGHT * (1 - share / n)).toFixed(2)
      return i === 0 ? `M${x(at).toFixed(2)} ${y(before)}V${y(done)}` : `H${x(at).toFixed(2)}V${y(done)}`
    })
  }
  const ends = [10 ** low, 10 ** high] as const
  return (
    <section className="distribution" aria-label={`Latency distribution, ${operation}`}>
      <h3>Completion latency, {operation}: share of I/Os within a time</h3>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${operation}: ${curves.map(inWords).join('; ')}`}
      >
        <path className="distribution-grid" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
        {curves.map(curve => (
          <path key={curve.label} className="distribution-curve" data-colour={curve.colour} d={path(curve).join('')} />
        ))}
      </svg>
      <p className="distribution-scale">
        <span>{duration(ends[0])}</span>
        <span>0 to 100%, half at the middle line; logarithmic</span>
        <span>{duration(ends[1])}</span>
      </p>
      <ul className="distribution-legend">
        {curves.map(curve => (
          <li key={curve.label}>
            <svg viewBox="0 0 24 4" aria-hidden="true">
              <path className="distribution-curve" data-colour={curve.colour} d="M0 2H24" />
            </svg>
            {inWords(curve)}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </section>
  )
}

const inWords = ({ label, n, bins }: LatencyCurve): string =>
  `${label}: ${count(n)} I/Os, ${duration(bins[0]?.[0] ?? 0)} to ${duration(bins.at(-1)?.[0] ?? 0)}`
