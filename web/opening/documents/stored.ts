/** Runs from their digests: rows of a table, or the sides of a bisection. */
import type { EngineError } from '../../engine/protocol'
import { storeRuns } from '../../fleet/client'
import { groupsIfSeveral } from '../../lib/groupsIfSeveral'
import { EMPTY_PAGE, put } from '../../state/page'
import { placeRuns } from '../../state/runs/runs'
import type { Run } from '../../state/types'
import { resummarise } from '../run'
import type { Session } from '../session'

/** Digests, and what is known of each of them. */
export interface StoredDigests {
  readonly texts: readonly string[]
  /** The device to compare, by its number; absent: the first one. */
  readonly devs: readonly (string | undefined)[]
  readonly origins: readonly Omit<NonNullable<Run['digest']>, 'path'>[]
}

/**
 * Opens digests as runs in place of those that are open; the fleet or the bisection stays. The first run is the
 * baseline. Rejects with an EngineError.
 */
export async function openStored(session: Session, { texts, devs, origins }: StoredDigests): Promise<void> {
  const { store, update } = session
  const traces = texts.map(() => session.nextTrace())
  const failed = (error: EngineError) =>
    update(page => ({
      ...page,
      runs: page.runs.map(run => (traces.includes(run.trace) ? { ...run, status: { kind: 'failed', error } } : run)),
    }))
  const stored = await storeRuns(texts, failed)
  session.cancelAll()
  store.setState(({ linkProblems, opening, fleet, bisection }) => {
    const page = put({ ...EMPTY_PAGE, linkProblems }, 'opening', opening)
    return put(put(page, 'fleet', fleet), 'bisection', bisection)
  }, true)
  const groups = groupsIfSeveral(stored.outlines.map(({ about }) => about.group))
  const runs = stored.outlines.map(({ info, detail, about }, i): Run => {
    const trace = traces[i] ?? 0
    const { client, cancel } = stored.openRun(i)
    session.onCancel(trace, cancel)
    const { label, kernel, bench, settings, labelSource, path } = about
    const { label: _, kernel: __, ...labelFacts } = labelSource
    return {
      id: `run-${trace}`,
      trace,
      digest: { path, row: i, ...origins[i] },
      snapshot: { ...detail, layers: [] },
      letter: 'A',
      linkLetter: 'A',
      baseline: false,
      hidden: false,
      status: { kind: 'ready' },
      client,
      info,
      label,
      openedAs: label,
      labelFacts,
      device: info.devices.find(({ dev }) => dev === devs[i])?.index ?? 0,
      ...(groups[i] !== undefined && { group: groups[i] }),
      ...(kernel !== undefined && { kernel }),
      ...(bench && bench.length > 0 && { bench }),
      ...(settings && settings.length > 0 && { settings }),
    }
  })
  update(page => ({ ...put(page, 'dialog', undefined), runs: placeRuns(runs) }))
  for (const { id } of runs) resummarise(session, id)
}
