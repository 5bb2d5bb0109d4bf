/** A snapshot link or a report: the runs of the page become those of the snapshot, answered from it without their traces. */
import { asEngineError } from '../engine/errors'
import type { Geometry, Layer, SnapshotHead, TraceSnapshot } from '../engine/protocol'
import { problemOf } from '../link/fields'
import { put } from '../state/page'
import { placed } from '../state/runs'
import type { Run } from '../state/types'
import { failTrace, removeAllRuns, resummarise } from './run'
import type { Session } from './session'

/** `gone`: numbers of traces that were removed, from 1. `inFile`: the page is a report. */
export interface SnapshotOptions {
  readonly gone?: readonly number[]
  readonly inFile?: true
}

export async function openSnapshot(session: Session, text: string, { gone = [], inFile }: SnapshotOptions = {}): Promise<void> {
  const { store, engine, update } = session
  update(page => ({ ...page, sorting: true, opening: true }))
  try {
    const { snapshot: opened, problems } = await engine.openSnapshot(text)
    // The view of the link is set before its runs are opened; closing the runs before must not reset it.
    const { trail, view, linkProblems, finding, title, geometry } = store.getState()
    removeAllRuns(session)
    const kept = { trail, view, ...(finding !== undefined && { finding }), ...(title !== undefined && { title }), ...(geometry && { geometry }) }
    const { head, document, traces } = opened
    const missing = problems.map(what => problemOf('s', '', `Corrupt: ${what} could not be read.`))
    update(page => ({
      ...page,
      ...kept,
      opening: true,
      linkProblems: [...linkProblems, ...missing],
      snapshot: { text, ...(inFile && { inFile }), size: head.size, traces: traces.length, ...(document && { document }) },
    }))
    for (const [i, snapshot] of traces.entries()) {
      if (snapshot !== null && !gone.includes(i + 1)) startSnapshot(session, snapshot, i, head.runs[i] ?? { label: `Run ${i + 1}` }, geometry)
    }
  } catch (reason) {
    const errors = [asEngineError(reason)]
    update(page => ({ ...page, dialog: { kind: 'errors', title: 'The link could not be opened', errors } }))
  }
  update(page => ({ ...put(page, 'opening', undefined), sorting: false }))
}

function startSnapshot(
  session: Session,
  snapshot: TraceSnapshot,
  index: number,
  known: SnapshotHead['runs'][number],
  geometry: Geometry | undefined,
) {
  const { engine, update, runsOf } = session
  const trace = session.nextTrace()
  const nothing = () => undefined
  const ready = () => {
    for (const run of runsOf(trace)) resummarise(session, run.id)
  }
  const opened = engine.openTraceSnapshot(snapshot, { progress: nothing, partial: nothing, ready, failed: error => failTrace(session, trace, error) })
  session.onCancel(trace, opened.cancel)
  const first = snapshot.pictures[0]?.filter.device
  const run: Run = {
    ...known,
    id: `run-${trace}`,
    trace,
    snapshotIndex: index,
    snapshot: { ...snapshot.detail, layers: Object.keys(snapshot.pictures[0]?.map.layers ?? {}) as Layer[] },
    letter: 'A',
    baseline: false,
    hidden: false,
    status: { kind: 'ready' },
    client: opened.client,
    info: { ...snapshot.info, label: known.label },
    device: snapshot.info.devices.find(d => d.index === first)?.index ?? snapshot.info.devices[0]?.index ?? 0,
    ...(geometry && { geometry }),
  }
  update(page => ({ ...page, runs: placed([...page.runs, run]) }))
}
