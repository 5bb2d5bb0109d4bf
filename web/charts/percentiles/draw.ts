/** Paints latency by percentile: x is -log10(1 - p), so that each further nine takes the same room; y is log. */
import type { Distribution } from '../../engine/protocol'
import { dashed, type Surface } from '../shared/paint/surface'

export interface Curve {
  /** 0..1 ascending, and the latency of each, ns. */
  readonly p: Float64Array
  readonly ns: Float64Array
  readonly colour: string
  readonly dash: readonly number[]
}

/** The 95 % interval of each point of a curve. */
export interface CurveBand {
  readonly p: Float64Array
  readonly low: Float64Array
  /** NaN for an open end. */
  readonly high: Float64Array
  readonly colour: string
}

export interface CurveScene {
  readonly width: number
  readonly height: number
  /** Nines at the right edge: 3 is p99.9. */
  readonly nines: number
  readonly y: (ns: number) => number
}

/** x of a percentile 0..1. */
export const percentileX = (p: number, scene: Pick<CurveScene, 'width' | 'nines'>): number =>
  (Math.min(scene.nines, -Math.log10(Math.max(1e-12, 1 - p))) / scene.nines) * scene.width

export function drawCurve(surface: Surface, curve: Curve, scene: CurveScene): void {
  surface.strokeStyle = curve.colour
  surface.lineWidth = 1.75
  dashed(surface, curve.dash, () => {
    surface.beginPath()
    for (let i = 0; i < curve.p.length; i += 1) {
      const p = curve.p[i] ?? 0
      if (-Math.log10(Math.max(1e-12, 1 - p)) > scene.nines * 1.0001) break
      const [x, y] = [percentileX(p, scene), scene.y(curve.ns[i] ?? 0)]
      if (i === 0) surface.moveTo(x, y)
      else surface.lineTo(x, y)
    }
    surface.stroke()
  })
}

/** Fills between the ends, where there are both. */
export function drawBand(surface: Surface, { p, low, high, colour }: CurveBand, scene: CurveScene): void {
  surface.fillStyle = colour
  surface.globalAlpha = 0.16
  let from = 0
  while (from < low.length) {
    let to = from
    while (to < low.length && !Number.isNaN(low[to]) && !Number.isNaN(high[to])) to += 1
    if (to - from > 1) {
      const x = (i: number) => percentileX(p[i] ?? 0, scene)
      surface.beginPath()
      surface.moveTo(x(from), scene.y(low[from] ?? 0))
      for (let i = from + 1; i < to; i += 1) surface.lineTo(x(i), scene.y(low[i] ?? 0))
      for (let i = to - 1; i >= from; i -= 1) surface.lineTo(x(i), scene.y(high[i] ?? 0))
      surface.fill()
    }
    from = to + 1
  }
  surface.globalAlpha = 1
}

/** A curve up to its last request: with n requests the last point is p = 1 - 1/n, the maximum. */
export function upToLongest({ p, ns, n, max }: Pick<Distribution, 'p' | 'ns' | 'n' | 'max'>): Pick<Curve, 'p' | 'ns'> {
  const end = 1 - 1 / Math.max(1, n)
  const keep = p.findIndex(q => q >= end)
  const last = keep < 0 ? p.length : keep
  return { p: Float64Array.from([...p.subarray(0, last), end]), ns: Float64Array.from([...ns.subarray(0, last), max]) }
}

/** Latency of a percentile on a curve, between its points linear. */
export function latencyAt(curve: Pick<Curve, 'p' | 'ns'>, p: number): number {
  let i = curve.p.findIndex(q => q >= p)
  if (i < 0) i = curve.p.length - 1
  const [p1, n1] = [curve.p[i] ?? 1, curve.ns[i] ?? 0]
  const [p0, n0] = [curve.p[i - 1] ?? p1, curve.ns[i - 1] ?? n1]
  return p1 === p0 ? n1 : n0 + ((p - p0) / (p1 - p0)) * (n1 - n0)
}

export interface Crossing {
  readonly p: number
  readonly ns: number
  /** Which curve is faster below: 0 or 1. */
  readonly faster: 0 | 1
  /** Largest ratio of the two beyond the crossing. */
  readonly beyond: number
}

/** The crossing of two curves; absent unless they cross once, and differ by 10 % on both sides. */
export function crossing(a: Pick<Curve, 'p' | 'ns'>, b: Pick<Curve, 'p' | 'ns'>, nines: number): Crossing | undefined {
  const signs: { p: number; sign: number; ratio: number }[] = []
  for (let step = 1; step <= 300; step += 1) {
    const p = 1 - 10 ** ((-step / 300) * nines)
    const ratio = latencyAt(b, p) / latencyAt(a, p)
    const sign = ratio > 1.1 ? 1 : ratio < 1 / 1.1 ? -1 : 0
    if (sign !== 0) signs.push({ p, sign, ratio })
  }
  const turns = signs.flatMap((s, i) => (i > 0 && signs[i - 1]?.sign !== s.sign ? [i] : []))
  const [turn] = turns
  if (turns.length !== 1 || turn === undefined) return undefined
  const [before, after] = [signs[turn - 1], signs[turn]]
  if (before === undefined || after === undefined) return undefined
  let [low, high] = [before.p, after.p]
  for (let i = 0; i < 40; i += 1) {
    const middle = (low + high) / 2
    if (latencyAt(b, middle) / latencyAt(a, middle) > 1 === after.sign > 0) high = middle
    else low = middle
  }
  const ratios = signs.slice(turn).map(s => (s.ratio > 1 ? s.ratio : 1 / s.ratio))
  return { p: low, ns: latencyAt(a, low), faster: before.sign < 0 ? 1 : 0, beyond: Math.max(...ratios) }
}
