/**
 * Figures and findings of the visible range: once the view rests on a part of the time axis, the digest and summary of
 * that part of each run are queried, and compared like those of complete runs.
 */
import { ns } from '../../lib/units'
import { deviceOf } from '../filter'
import { type Page, type PageStore, put } from '../page'
import { current as currentRange } from '../trail'
import type { MeasuredPart, RangedFigures, Run } from '../types'
import { compareQuery, complete, currentComparison, fingerprintOf } from './comparing'

/** Wheel and keys change the range many times; the charts, which answer first, have their own queries. */
const SETTLE_MS = 150

/** Queries that a later range replaces. */
const CHANNEL = 'ranged'

/** What the page shows of its runs: the figures of the visible range once they are there, else of complete runs. */
export type ShownFigures = Pick<Page, 'runs' | 'comparison' | 'explanation' | 'finding' | 'ranged'>

/**
 * The runs with the summaries, the comparison and the finding that the page shows. `ranged` is absent where they are of
 * complete runs.
 */
export function shownFigures(page: ShownFigures): ShownFigures {
  const { ranged, runs } = page
  if (ranged === undefined) return page
  const { compared, parts } = ranged
  const isPair = compared.document.side !== undefined
  const ofRange = {
    ranged,
    runs: runs.map(run => put(run, 'summary', parts[run.id]?.summary ?? run.summary)),
    [isPair ? 'comparison' : 'explanation']: compared,
  }
  const finding = ranged.finding ?? rankInRange(page, ranged)
  return put(ofRange as ShownFigures, 'finding', finding)
}

/** The rank that the finding of the complete runs has in the range; absent where the range has no such finding. */
function rankInRange(page: ShownFigures, { compared }: RangedFigures): number | undefined {
  const code = currentComparison(page)?.finding?.code
  const found = currentComparison({ runs: page.runs, comparison: compared })?.comparison.findings
  return found?.find(finding => finding.code === code)?.rank
}

/** The digest and the summary of a part of a run; of a part that the run does not reach, they are empty. */
async function measure(
  { client, geometry, shift = ns(0) }: Run,
  { t0, t1 }: RangedFigures['range'],
): Promise<MeasuredPart> {
  const range = { t0: ns(Math.max(0, t0 - shift)), t1: ns(Math.max(0, t1 - shift)) }
  const query = { range, ...(geometry && { geometry }) }
  const [digest, summary] = await Promise.all([
    client.query('digest', query, `${CHANNEL} digest`),
    client.query('summary', query, `${CHANNEL} summary`),
  ])
  return { digest, summary }
}

/** Whether nothing of the shown device happened in a part. */
function isSilent(run: Run, part: MeasuredPart | undefined): boolean {
  const shown = deviceOf(run)?.dev
  const device = part?.summary.devices.find(({ dev }) => dev === shown)
  return device !== undefined && [device.events.Q, device.events.D, device.events.C].every(count => !count)
}

async function figuresIn(runs: readonly Run[], range: RangedFigures['range']): Promise<RangedFigures | undefined> {
  const [first] = runs
  const parts = await Promise.all(runs.map(run => measure(run, range)))
  const ask = compareQuery(
    runs,
    parts.map(({ digest }) => digest),
  )
  const document = await first?.client.query('compare', ask, CHANNEL)
  if (document === undefined) return undefined
  return {
    range,
    compared: { runs: runs.map(run => run.id), ask, document },
    parts: Object.fromEntries(runs.flatMap((run, i) => (parts[i] ? [[run.id, parts[i]]] : []))),
    silent: runs.flatMap((run, i) => (isSilent(run, parts[i]) ? run.id : [])),
  }
}

/**
 * The runs to measure within the visible range; none while the range is that of evidence, whose runs are moved, or is
 * going to be: the evidence that a link names follows once the complete runs are compared.
 */
function measurable({ runs, trail, evidence, named, opening }: Page): readonly Run[] {
  if (currentRange(trail) === undefined || evidence?.windows || named?.evidence !== undefined || opening) return []
  const shown = complete(runs)
  // A snapshot has the figures of complete runs only.
  return shown.some(run => run.snapshot) ? [] : shown
}

/** Keeps the figures of the visible range. Returns a function that stops it. */
export function followRange(store: PageStore): () => void {
  const pending = { what: '', timer: undefined as ReturnType<typeof setTimeout> | undefined }
  const ask = async (fingerprint: string) => {
    const page = store.getState()
    const range = currentRange(page.trail)
    if (range === undefined) return
    // Where the range cannot be measured the figures stay those of complete runs, which they are called.
    const ranged = await figuresIn(measurable(page), range).catch(() => undefined)
    if (pending.what !== fingerprint) return
    // Evidence that was opened meanwhile is of complete runs; the range is measured again when it is left.
    if (store.getState().evidence?.windows) pending.what = ''
    else store.setState(page => put(page, 'ranged', ranged), true)
  }
  const follow = (page: Page) => {
    if (page.evidence?.windows) return
    const runs = measurable(page)
    const shifts = runs.map(run => run.shift)
    const fingerprint = runs.length === 0 ? '' : JSON.stringify([currentRange(page.trail), shifts, fingerprintOf(runs)])
    if (fingerprint === pending.what) return
    pending.what = fingerprint
    clearTimeout(pending.timer)
    const isOfOthers = page.ranged?.compared.runs.join() !== runs.map(run => run.id).join()
    if (page.ranged && isOfOthers) store.setState(now => put(now, 'ranged', undefined), true)
    if (fingerprint !== '') pending.timer = setTimeout(() => ask(fingerprint), SETTLE_MS)
  }
  const stop = store.subscribe(follow)
  return () => {
    stop()
    clearTimeout(pending.timer)
  }
}
