/**
 * Keeps the comparison in step with the runs: each complete trace gives one digest per geometry, and whenever
 * labels, groups, devices, the baseline or the order change, the engine compares the digests again. A single run is
 * explained by itself.
 */
import { asEngineError } from '../../engine/errors'
import type {
  CompareDocument,
  CompareQuery,
  Comparison,
  Digest,
  EngineError,
  Finding,
  FindingCode,
} from '../../engine/protocol'
import { counted } from '../../lib/format'
import { problemOf } from '../../link/fields'
import { deviceOf, visible } from '../filter'
import { type Page, type PageStore, put, settlePage } from '../page'
import type { ComparedRuns, Run } from '../types'
import { described, digestOf } from './digests'
import { evidenceRanges, withEvidence } from './evidence'

/** The comparison that is shown, with its finding. */
export interface CurrentComparison {
  readonly document: CompareDocument
  readonly comparison: Comparison
  /** The finding at the top of the page; absent when there is none. */
  readonly finding?: Finding
}

/** One user action may cause several changes in a row. */
const SETTLE_MS = 30

/** The visible runs without failed ones, once all are complete. */
export function complete(runs: readonly Run[]): readonly Run[] {
  const shown = visible(runs).filter(run => run.status.kind !== 'failed')
  return shown.every(run => run.status.kind === 'ready') ? shown : []
}

/** The runs that can be compared: at least two visible ones, all complete. */
export function comparable(runs: readonly Run[]): readonly Run[] {
  const shown = complete(runs)
  return shown.length > 1 ? shown : []
}

/** The comparison of these runs, or the explanation of the only one, if it is on the page. */
export function comparisonOfRuns({
  comparison,
  explanation,
  runs,
}: Pick<Page, 'comparison' | 'explanation' | 'runs'>): ComparedRuns | undefined {
  const shown = complete(runs)
  const candidate = shown.length > 1 ? comparison : explanation
  return candidate?.runs.join() === shown.map(run => run.id).join() ? candidate : undefined
}

const baselineOf = (runs: readonly Run[]): number =>
  Math.max(
    0,
    runs.findIndex(run => run.baseline),
  )

/** Queries the comparison of `runs`; one digest per run. */
export const compareQuery = (runs: readonly Run[], digests: readonly Digest[]): CompareQuery => ({
  runs: runs.flatMap((run, i) => (digests[i] ? [{ ...described(run, runs), trace: digests[i] }] : [])),
  baseline: baselineOf(runs),
})

/** Equal while the answer to the query of `runs` is. */
export const fingerprintOf = (runs: readonly Run[]): string =>
  JSON.stringify([baselineOf(runs), runs.map(run => [run.id, run.geometry, described(run, runs)])])

/** Whether a document compares exactly these runs in this arrangement. */
function isOf(document: CompareDocument, runs: readonly Run[]): boolean {
  const isSameRun = (run: Run, i: number) => {
    const { label, group, device } = document.runs[i] ?? {}
    const shown = deviceOf(run)
    return (
      label === described(run, runs).label && group === run.group && (device === shown?.dev || device === shown?.name)
    )
  }
  const baseline = document.sides[document.baseline]?.runs ?? []
  return document.runs.length === runs.length && runs.every(isSameRun) && baseline.includes(baselineOf(runs))
}

const NOT_AS_SHARED: EngineError = {
  code: 'not-in-snapshot',
  message: 'The snapshot has the comparison only as it was shared, not for this arrangement of the runs.',
  remedy: 'Restore the baseline, groups, labels, devices and geometry, or drop the original traces.',
}

const NOT_EXPLAINED: EngineError = {
  code: 'not-in-snapshot',
  message: 'The snapshot does not contain what held this run back.',
  remedy: 'Drop the original trace, or ask for a link of size L or a report.',
}

/** All comparisons of a document, in the order of their sides. */
export const comparisonsOf = ({ more = [], ...first }: CompareDocument): readonly Comparison[] =>
  first.side === undefined ? [] : [first as Comparison, ...more]

/** Whether the comparison shows a difference: in the total, or in how the disk was used. */
export const differs = ({ outcome, findings }: Comparison): boolean =>
  outcome === 'slower' || outcome === 'faster' || findings.some(({ code }) => !NO_DIFFERENCE.includes(code))

/** Findings that name no difference in how the disk was used. */
export const NO_DIFFERENCE: readonly FindingCode[] = ['no-real-difference', 'not-the-same-work']

/** Whether one side is certainly slower. */
export const isCertain = ({ outcome }: Comparison): boolean => outcome === 'slower' || outcome === 'faster'

/**
 * Chooses the comparison to show first: the first one, unless it shows no difference and others do. Then the one with
 * the largest difference; certain ones come first.
 */
export function mostTelling(all: readonly Comparison[]): Comparison | undefined {
  const [first] = all
  if (first === undefined || differs(first)) return first
  const time = ({ lost_ns }: Comparison) => Math.abs(lost_ns?.total ?? 0)
  const [largest] = all
    .filter(differs)
    .toSorted((a, b) => Number(isCertain(b)) - Number(isCertain(a)) || time(b) - time(a))
  return largest ?? first
}

/** The comparison and finding that the page shows; absent while nothing is compared. */
export function currentComparison({
  comparison: compared,
  runs,
  finding = 1,
}: Pick<Page, 'comparison' | 'runs' | 'finding'>): CurrentComparison | undefined {
  if (compared === undefined) return undefined
  const { document } = compared
  const all = comparisonsOf(document)
  const chosen = compared.runs.indexOf(runs.find(run => run.compared)?.id ?? '')
  const comparison = all.find(c => document.sides[c.side]?.runs.includes(chosen)) ?? mostTelling(all)
  if (comparison === undefined) return undefined
  // A snapshot of size XS may lack findings, so the rank is not an index.
  const shown =
    comparison.findings.find(f => f.rank === finding) ??
    comparison.findings[Math.min(finding, comparison.findings.length) - 1]
  return { document, comparison, ...(shown && { finding: shown }) }
}

/** The runs that are compared: the first of the baseline's side and of the other one; all, while nothing is compared. */
export function comparedPair(
  runs: readonly Run[],
  compared: ComparedRuns | undefined,
  finding: number | undefined,
): readonly Run[] {
  const now = currentComparison({ runs, ...(compared && { comparison: compared }), ...(finding && { finding }) })
  if (now === undefined || compared === undefined) return visible(runs)
  const { document, comparison } = now
  return [document.baseline, comparison.side].flatMap(side => {
    const id = compared.runs[document.sides[side]?.runs[0] ?? -1]
    return runs.filter(run => run.id === id)
  })
}

/**
 * Shows the finding and evidence that a link names, once all its runs are compared, and reports those that do not
 * exist. The range of the evidence is already part of the link.
 */
function withNamed(page: Page): Page {
  const { named, comparison, opening } = page
  if (!named || !comparison || opening) return page
  const rest = put(page, 'named', undefined)
  const { finding: rank = 1, evidence: wanted } = named
  const shown = currentComparison(page)
  const tell = (page: Page, key: 'finding' | 'evidence', value: number, why: string): Page => ({
    ...page,
    linkProblems: [...page.linkProblems, problemOf(key, String(value), why)],
  })
  if (shown?.finding?.rank !== rank) {
    const { length } = shown?.comparison.findings ?? []
    const why =
      length === 0
        ? 'The comparison has no findings.'
        : `The comparison has no finding ${rank}; the first one is shown.`
    return named.finding === undefined ? rest : tell(put(rest, 'finding', undefined), 'finding', rank, why)
  }
  if (wanted === undefined) return rest
  const { chart } = shown.finding.evidence
  if (chart === 'quality') return tell(rest, 'evidence', wanted, 'The evidence of this finding is not in a chart.')
  const last = Math.max(1, evidenceRanges(shown.finding).length)
  const shownPage =
    wanted <= last
      ? rest
      : tell(
          rest,
          'evidence',
          wanted,
          `The evidence of this finding has ${counted(last, 'interval')}; the last one is shown.`,
        )
  return settlePage(withEvidence(shownPage, shown.finding, Math.min(wanted, last) - 1, comparison))
}

/**
 * Drops the comparison of runs that are no longer shown, and its finding. A finding that a link names is kept: it
 * belongs to runs that are still being opened.
 */
function withoutComparison(page: Page): Page {
  const rest = put(put(page, 'comparison', undefined), 'notCompared', undefined)
  if (page.named) return rest
  return put(put(put(rest, 'finding', undefined), 'evidence', undefined), 'sight', undefined)
}

/**
 * Starts comparing whenever the runs change. Returns a function that stops it.
 *
 * `pending.fingerprint` identifies the runs, labels and baseline of the latest request. A result is stored only if it
 * is still the latest: an older one would show figures of other runs under the new labels.
 */
export function followRuns(store: PageStore): () => void {
  const pending = { what: '', timer: undefined as ReturnType<typeof setTimeout> | undefined }

  const ask = async (fingerprint: string) => {
    const { runs: all, snapshot } = store.getState()
    const runs = complete(all)
    const [first] = runs
    if (first === undefined) return
    const key = runs.length > 1 ? 'comparison' : 'explanation'
    const isCurrent = () => pending.what === fingerprint
    try {
      const sharedDocument =
        runs.every(run => run.snapshot) && snapshot?.document && isOf(snapshot.document, runs)
          ? snapshot.document
          : undefined
      if (!sharedDocument && runs.some(run => run.snapshot && !run.snapshot.pieces))
        throw runs.length > 1 ? NOT_AS_SHARED : NOT_EXPLAINED
      const question = compareQuery(runs, await Promise.all(runs.map(digestOf)))
      if (!isCurrent()) return
      const document = sharedDocument ?? (await first.client.query('compare', question, 'compare'))
      if (!isCurrent()) return
      const compared = { runs: runs.map(run => run.id), ask: question, document }
      store.setState(page => put({ ...page, [key]: compared }, 'notCompared', undefined), true)
    } catch (reason) {
      if (!isCurrent() || (reason instanceof DOMException && reason.name === 'AbortError')) return
      const error: EngineError = asEngineError(reason)
      store.setState(page => put({ ...page, notCompared: error }, key, undefined), true)
    }
  }

  const follow = (page: Page) => {
    const { runs, comparison, explanation, notCompared, named, opening } = page
    if (named && comparison && !opening) return store.setState(withNamed, true)
    const shown = complete(runs)
    const fingerprint = shown.length === 0 ? '' : fingerprintOf(shown)
    if (fingerprint === pending.what) return
    pending.what = fingerprint
    clearTimeout(pending.timer)
    // The comparison of other runs is wrong now. With new labels or a new geometry it stays until the new one is ready.
    const isOfShown = (asked: ComparedRuns | undefined) =>
      asked?.runs.length === shown.length && shown.every((run, i) => run.id === asked.runs[i])
    if (explanation !== undefined && !isOfShown(explanation))
      store.setState(page => put(page, 'explanation', undefined), true)
    if (!isOfShown(comparison) && (comparison !== undefined || notCompared !== undefined))
      store.setState(withoutComparison, true)
    if (fingerprint !== '') pending.timer = setTimeout(() => ask(fingerprint), SETTLE_MS)
  }
  const stop = store.subscribe(follow)
  return () => {
    stop()
    clearTimeout(pending.timer)
  }
}
