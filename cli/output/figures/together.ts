/** `summary --together`: percentiles over the requests of all traces, as if they were one recording. */

import type { Latency, PrintedTogether, Range, RequestColumns } from '../../../web/engine/protocol'
import { pages } from '../../../web/export/file'
import type { LoadedTrace } from '../../input/read/traces'
import { UsageError } from '../../program/usage'

/** Limit for the requests of all traces: 16 bytes each. */
const MAX_REQUESTS = 1 << 26
/** Samples that a list has room for at first; it doubles. */
const INITIAL_CAPACITY = 1 << 16

/** Times that are added one after another, in ns. */
class Samples {
  private values = new Float64Array(INITIAL_CAPACITY)
  private count = 0

  /** Adds the time between two moments, where both are known. */
  add(from: number | undefined, to: number | undefined): void {
    const ns = (to ?? Number.NaN) - (from ?? Number.NaN)
    if (Number.isNaN(ns)) return
    if (this.count === this.values.length) {
      const larger = new Float64Array(this.values.length * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.count++] = Math.max(ns, 0)
  }

  /** The figures of all samples; percentiles are by nearest rank, as those of one trace. */
  figures(): Latency | undefined {
    const { count: n } = this
    if (n === 0) return undefined
    const sorted = this.values.subarray(0, n).sort()
    const sample = (rank: number) => sorted[Math.min(Math.max(rank, 1), n) - 1] ?? Number.NaN
    const percentile = (tenThousandths: number) => sample(Math.ceil((n * tenThousandths) / 10_000))
    return {
      n,
      min: sample(1),
      mean: sorted.reduce((sum, ns) => sum + ns, 0) / n,
      p50: percentile(5_000),
      p90: percentile(9_000),
      p95: percentile(9_500),
      p99: percentile(9_900),
      p999: percentile(9_990),
      p9999: percentile(9_999),
      max: sample(n),
    }
  }
}

/** Collects the requests of the disks of traces that are read one after another. */
export class Together {
  private readonly q2c = new Samples()
  private readonly d2c = new Samples()
  private readonly disks: string[] = []
  private requests = 0

  async add({ trace, label }: Pick<LoadedTrace, 'trace' | 'label'>, range?: Range): Promise<void> {
    const { devices } = trace.query('info', {})
    for (const { index, name, requests, role } of devices) {
      // A request of an array is on its disks once more.
      if (role !== 'disk' || requests === 0) continue
      this.requests += requests
      if (this.requests > MAX_REQUESTS)
        throw new UsageError(`--together holds at most ${MAX_REQUESTS} requests; take fewer traces`)
      this.disks.push(`${label}: ${name}`)
      const query = { filter: { device: index }, ...(range && { range }) }
      for await (const page of pages(ask => trace.query('columns', ask), query)) this.addRows(page)
    }
  }

  private addRows({ n, queued, issued, completed }: RequestColumns): void {
    for (let row = 0; row < n; row++) {
      this.q2c.add(queued[row], completed[row])
      this.d2c.add(issued[row], completed[row])
    }
  }

  document(): PrintedTogether {
    const [q2c, d2c] = [this.q2c.figures(), this.d2c.figures()]
    return { disks: this.disks, ...(q2c && { q2c }), ...(d2c && { d2c }) }
  }
}
