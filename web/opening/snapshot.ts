/**
 * A snapshot link or a report: the runs of the page become those of the snapshot, answered from it without their
 * traces.
 */

import type { OpenSnapshot } from '../engine/client'
import { asEngineError } from '../engine/errors'
import { type Geometry, LAYERS } from '../engine/protocol'
import { problemOf } from '../link/fields'
import type { TraceSum } from '../link/view'
import { put } from '../state/page'
import { placeRuns } from '../state/runs/runs'
import type { Run } from '../state/types'
import { failTrace, removeAllRuns, resummarise } from './run'
import type { Session } from './session'

/** `gone`: numbers of removed traces, from 1. `inFile`: the snapshot is embedded in this page, which is a report. */
export interface SnapshotOptions {
  readonly gone?: readonly number[]
  readonly sums?: readonly TraceSum[]
  readonly inFile?: true
}

export async function openSnapshot(
  session: Session,
  text: string,
  { gone: removed = [], sums, inFile }: SnapshotOptions = {},
): Promise<void> {
  const { store, engine, update } = session
  update(page => ({ ...page, sorting: true, opening: true }))
  try {
    const opened = await engine.openSnapshot(text)
    const { head, document, traces, problems, results } = opened.outline
    // The view of the link is set before its runs are opened; closing the runs before must not reset it.
    const { trail, view, linkProblems, finding, named, title, geometry } = store.getState()
    removeAllRuns(session)
    const restored = {
      trail,
      view,
      ...(finding !== undefined && { finding }),
      ...(named && { named }),
      ...(title !== undefined && { title }),
      ...(geometry && { geometry }),
    }
    const missing = problems.map(part => problemOf('s', '', `Corrupt: ${part} could not be read.`))
    update(page => ({
      ...page,
      ...restored,
      opening: true,
      linkProblems: [...linkProblems, ...missing],
      ...(results && { results: { document: results, files: [], linked: results.tables, client: engine.results } }),
      snapshot: {
        text,
        ...(inFile && { inFile }),
        size: head.size,
        traces: traces.length,
        ...(sums && { sums: traces.map((_, i) => sums.find(({ trace }) => trace === i + 1)?.sum) }),
        ...(document && { document }),
      },
    }))
    for (const i of traces.keys()) if (!removed.includes(i + 1)) startTrace(session, opened, i, geometry)
  } catch (reason) {
    const errors = [asEngineError(reason)]
    update(page => ({ ...page, dialog: { kind: 'errors', title: 'The link could not be opened', errors } }))
  }
  update(page => ({ ...put(page, 'opening', undefined), sorting: false }))
}

/** Adds a trace of a snapshot as a run; a trace that could not be read is skipped. */
function startTrace(
  session: Session,
  { outline, openTrace }: OpenSnapshot,
  index: number,
  geometry: Geometry | undefined,
) {
  const contents = outline.traces[index]
  if (!contents) return
  const { info, detail, device, layers } = contents
  const head = outline.head.runs[index] ?? { label: `Run ${index + 1}` }
  const trace = session.nextTrace()
  const opened = openTrace(index, error => failTrace(session, trace, error))
  session.onCancel(trace, opened.cancel)
  const run: Run = {
    ...head,
    id: `run-${trace}`,
    trace,
    snapshotIndex: index,
    // A link is untrusted: unknown layers are dropped.
    snapshot: { ...detail, layers: LAYERS.filter(layer => layers.includes(layer)) },
    letter: 'A',
    linkLetter: 'A',
    baseline: false,
    hidden: false,
    status: { kind: 'ready' },
    client: opened.client,
    info: { ...info, label: head.label },
    device: info.devices.find(d => d.index === device)?.index ?? info.devices[0]?.index ?? 0,
    ...(geometry && { geometry }),
  }
  session.update(page => ({ ...page, runs: placeRuns([...page.runs, run]) }))
  resummarise(session, run.id)
}
