/**
 * Depth and throughput over time of the selected rows, or of those in sight: small pictures on one scale each, read
 * when they are shown.
 */
import { useEffect, useMemo, useRef, useState } from 'react'
import { readPalette, useDarkTheme } from '../../../charts/shared/paint/theme'
import { asEngineError } from '../../../engine/errors'
import type { EngineError } from '../../../engine/protocol'
import type { TableCell } from '../../../fleet/table/columns'
import { wordAt } from '../../../fleet/table/columns'
import { counted, duration, figure } from '../../../lib/format'
import { LETTERS } from '../../../state/runs/runs'
import type { OpenFleet } from '../useFleet'

/** Maximum number of visible rows that are drawn if none is selected. */
const MAX_SHOWN = 24
const WIDTH = 220
const DEPTH_HEIGHT = 48
const RATE_HEIGHT = 34
const GAP = 6
const HEIGHT = DEPTH_HEIGHT + GAP + RATE_HEIGHT

interface RowBins {
  readonly row: number
  readonly depth: readonly number[]
  readonly rate: readonly number[]
  /** Width of a bin, ns. */
  readonly width: number
}

const NAMES = ['depth_mean_bins', 'bps_bins', 'bin_ns'] as const

const numbersIn = (cell: TableCell): readonly number[] =>
  Array.isArray(cell) ? cell.map(value => (typeof value === 'number' ? value : 0)) : []

function useBins(
  open: OpenFleet,
  rows: readonly number[],
): { readonly bins?: readonly RowBins[]; readonly error?: EngineError } {
  const { client } = open.fleet
  const key = rows.join()
  const [state, setState] = useState<{ readonly bins?: readonly RowBins[]; readonly error?: EngineError }>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the rows
  useEffect(() => {
    let current = true
    Promise.all(NAMES.map(name => client.cells(name, rows))).then(
      ([depth = [], rate = [], width = []]) => {
        if (!current) return
        setState({
          bins: rows.map((row, i) => ({
            row,
            depth: numbersIn(depth[i]),
            rate: numbersIn(rate[i]),
            width: Number(width[i] ?? 0),
          })),
        })
      },
      reason => current && setState({ error: asEngineError(reason) }),
    )
    return () => {
      current = false
    }
  }, [client, key])
  return state
}

export function Multiples({ open }: { readonly open: OpenFleet }) {
  const { view, order, columns } = open
  const rows = useMemo(
    () => (view.selected.length > 0 ? view.selected : Array.from(order?.subarray(0, MAX_SHOWN) ?? [])),
    [view.selected, order],
  )
  const { bins, error } = useBins(open, rows)
  const runs = columns.get('run')
  const filled = bins?.filter(({ depth, rate }) => depth.length + rate.length > 0) ?? []
  const max = {
    depth: Math.max(1e-9, ...filled.flatMap(({ depth }) => depth)),
    rate: Math.max(1e-9, ...filled.flatMap(({ rate }) => rate)),
    time: Math.max(1, ...filled.map(({ depth, rate, width }) => Math.max(depth.length, rate.length) * width)),
  }
  const line = `queue depth (line, up to ${figure(max.depth)})`
  const bars = `throughput (bars, up to ${figure(max.rate / 1e6)} MB/s)`
  return (
    <section className="fleet-multiples" aria-label="Small multiples">
      <p className="caption">
        {view.selected.length > 0 ? 'The selected rows' : `The first ${counted(rows.length, 'row')} of the table`}
        {filled.length > 0
          ? `: ${line} and ${bars}, both on one scale over ${duration(max.time)}.`
          : bins && ' have no values over time.'}
      </p>
      {error && (
        <p className="fleet-wrong" role="alert">
          {error.message}
        </p>
      )}
      <ul>
        {(bins ?? []).map(row => {
          const place = view.selected.indexOf(row.row)
          return (
            <li key={row.row}>
              <p>
                {place >= 0 && (
                  <span className="badge" data-run={LETTERS[place]}>
                    {LETTERS[place]}
                  </span>
                )}
                <span title={runs?.type === 'text' ? wordAt(runs, row.row) : undefined}>
                  {runs?.type === 'text' ? wordAt(runs, row.row) : `Row ${row.row + 1}`}
                </span>
              </p>
              {row.depth.length + row.rate.length === 0 ? (
                <p className="caption">The digest has no values over time.</p>
              ) : (
                <Picture bins={row} maxima={max} />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface Maxima {
  readonly depth: number
  readonly rate: number
  readonly time: number
}

function Picture({ bins: row, maxima }: { readonly bins: RowBins; readonly maxima: Maxima }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDarkTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours follow the theme
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!canvas.current || !context) return
    const ratio = window.devicePixelRatio || 1
    canvas.current.width = WIDTH * ratio
    canvas.current.height = HEIGHT * ratio
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    draw(context, row, maxima)
  }, [row, maxima.depth, maxima.rate, maxima.time, dark])
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const means = `Queue depth ${figure(mean(row.depth))} and throughput ${figure(mean(row.rate) / 1e6)} MB/s`
  const label = `${means} on average over ${duration(Math.max(row.depth.length, row.rate.length) * row.width)}`
  return <canvas ref={canvas} role="img" aria-label={label} title={label} style={{ width: WIDTH, height: HEIGHT }} />
}

function draw(context: CanvasRenderingContext2D, { depth, rate, width }: RowBins, maxima: Maxima) {
  const colour = readPalette()
  const bin = (width / maxima.time) * WIDTH
  context.clearRect(0, 0, WIDTH, HEIGHT)
  // The background ends with the run.
  context.fillStyle = colour('sunken')
  const end = Math.max(depth.length, rate.length) * bin
  context.fillRect(0, 0, end, DEPTH_HEIGHT)
  context.fillRect(0, DEPTH_HEIGHT + GAP, end, RATE_HEIGHT)
  context.strokeStyle = colour('axis')
  context.lineWidth = 1
  for (const y of [DEPTH_HEIGHT - 0.5, HEIGHT - 0.5]) {
    context.beginPath()
    context.moveTo(0, y)
    context.lineTo(end, y)
    context.stroke()
  }
  context.fillStyle = colour('op-read')
  for (const [i, value] of rate.entries()) {
    const height = (value / maxima.rate) * RATE_HEIGHT
    context.fillRect(i * bin, HEIGHT - height, Math.max(0.5, bin - 0.5), height)
  }
  context.strokeStyle = colour('in-flight')
  context.lineWidth = 1.25
  context.beginPath()
  for (const [i, value] of depth.entries()) {
    const y = DEPTH_HEIGHT - (value / maxima.depth) * (DEPTH_HEIGHT - 2)
    context.lineTo(i * bin, y)
    context.lineTo((i + 1) * bin, y)
  }
  context.stroke()
}
