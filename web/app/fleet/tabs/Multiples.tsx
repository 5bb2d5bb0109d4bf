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

/** Of the rows in sight, when none is selected. */
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
  /** ns per bin. */
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
  const known = bins?.filter(({ depth, rate }) => depth.length + rate.length > 0) ?? []
  const most = {
    depth: Math.max(1e-9, ...known.flatMap(({ depth }) => depth)),
    rate: Math.max(1e-9, ...known.flatMap(({ rate }) => rate)),
    time: Math.max(1, ...known.map(({ depth, rate, width }) => Math.max(depth.length, rate.length) * width)),
  }
  return (
    <section className="fleet-multiples" aria-label="Small multiples">
      <p className="caption">
        {view.selected.length > 0 ? 'The selected rows' : `The first ${counted(rows.length, 'row')} of the table`}
        {known.length > 0
          ? `: queue depth (line, up to ${figure(most.depth)}) and throughput (bars, up to ${figure(most.rate / 1e6)} MB/s), both on one scale over ${duration(most.time)}.`
          : bins && ' have no values over time.'}
      </p>
      {error && (
        <p className="fleet-wrong" role="alert">
          {error.message}
        </p>
      )}
      <ul>
        {(bins ?? []).map(own => {
          const place = view.selected.indexOf(own.row)
          return (
            <li key={own.row}>
              <p>
                {place >= 0 && (
                  <span className="badge" data-run={LETTERS[place]}>
                    {LETTERS[place]}
                  </span>
                )}
                <span title={runs?.type === 'text' ? wordAt(runs, own.row) : undefined}>
                  {runs?.type === 'text' ? wordAt(runs, own.row) : `Row ${own.row + 1}`}
                </span>
              </p>
              {own.depth.length + own.rate.length === 0 ? (
                <p className="caption">The digest has no values over time.</p>
              ) : (
                <Picture own={own} most={most} />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface MostOf {
  readonly depth: number
  readonly rate: number
  readonly time: number
}

function Picture({ own, most }: { readonly own: RowBins; readonly most: MostOf }) {
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
    draw(context, own, most)
  }, [own, most.depth, most.rate, most.time, dark])
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const label = `Queue depth ${figure(mean(own.depth))} and throughput ${figure(mean(own.rate) / 1e6)} MB/s on average over ${duration(Math.max(own.depth.length, own.rate.length) * own.width)}`
  return <canvas ref={canvas} role="img" aria-label={label} title={label} style={{ width: WIDTH, height: HEIGHT }} />
}

function draw(context: CanvasRenderingContext2D, { depth, rate, width }: RowBins, most: MostOf) {
  const colour = readPalette()
  const bin = (width / most.time) * WIDTH
  context.clearRect(0, 0, WIDTH, HEIGHT)
  // After its end a run has no ground.
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
    const height = (value / most.rate) * RATE_HEIGHT
    context.fillRect(i * bin, HEIGHT - height, Math.max(0.5, bin - 0.5), height)
  }
  context.strokeStyle = colour('in-flight')
  context.lineWidth = 1.25
  context.beginPath()
  for (const [i, value] of depth.entries()) {
    const y = DEPTH_HEIGHT - (value / most.depth) * (DEPTH_HEIGHT - 2)
    context.lineTo(i * bin, y)
    context.lineTo((i + 1) * bin, y)
  }
  context.stroke()
}
