/** Windows of evidence in which a run has no requests, moved to where it has some. */
import type { Range, RateSeries } from '../../engine/protocol'
import { ns } from '../../lib/units'
import { deviceOf } from '../filter'
import type { Page, PageStore } from '../page'
import { width } from '../range'
import type { Run } from '../types'
import { movedBy, windowStart } from './evidence'

/** Resolution of a search for requests: bins per query. */
const BINS = 512

const completed = ({ readIos, writeIos, discardIos }: RateSeries): readonly number[] =>
  Array.from(readIos, (n, i) => n + (writeIos[i] ?? 0) + (discardIos[i] ?? 0))

/**
 * The nearest window start with requests, for a window without any; `undefined` if the run has no requests or is not
 * open.
 */
async function busyStart(run: Run, start: number, length: number): Promise<number | undefined> {
  const device = deviceOf(run)
  if (device === undefined) return undefined
  const rate = async (range: Range, n: number) =>
    completed(await run.client.query('rate', { filter: { device: device.index }, range, n }, 'evidence'))
  const [inWindow = 0] = await rate({ t0: ns(start), t1: ns(start + length) }, 1)
  if (inWindow > 0) return start
  let [from, to]: readonly [number, number] = device.active
  const center = start + length / 2
  while (to - from > length / 2) {
    const bin = (to - from) / BINS
    const busy = (await rate({ t0: ns(from), t1: ns(to) }, BINS)).flatMap((n, i) =>
      n > 0 ? [from + (i + 0.5) * bin] : [],
    )
    const [first, ...rest] = busy
    if (first === undefined) return undefined
    const nearest = rest.reduce((a, b) => (Math.abs(b - center) < Math.abs(a - center) ? b : a), first)
    ;[from, to] = [nearest - bin / 2, nearest + bin / 2]
  }
  return windowStart(device.active, (from + to) / 2, length)
}

/** Moves windows in which a run has no requests to the nearest ones. Returns a function that stops it. */
export function followEvidence(store: PageStore): () => void {
  const follow = ({ evidence, runs }: Page, before: Pick<Page, 'evidence'>) => {
    if (evidence?.windows === undefined || evidence.windows === before.evidence?.windows) return
    const { range, windows } = evidence
    if (range === undefined) return
    const starts = Object.keys(windows).flatMap(id => {
      const run = runs.find(run => run.id === id)
      const start = range.t0 - (windows[id] ?? 0) - (run?.shift ?? 0)
      return run ? [{ run, start }] : []
    })
    const length = width(range)
    const found = starts.map(({ run, start }) =>
      busyStart(run, start, length).then(
        busy => (busy === undefined || busy === start ? [] : [[run.id, movedBy(run, range, busy)] as const]),
        () => [],
      ),
    )
    void Promise.all(found).then(moved => {
      const changes = Object.fromEntries(moved.flat())
      if (Object.keys(changes).length === 0) return
      store.setState(
        page =>
          page.evidence?.windows === windows
            ? { ...page, evidence: { ...page.evidence, windows: { ...windows, ...changes } } }
            : page,
        true,
      )
    })
  }
  // A link may have opened the evidence before.
  follow(store.getState(), {})
  return store.subscribe(follow)
}
