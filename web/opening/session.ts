/** What all ways of opening share: the store, the engine, and how to stop the workers of open traces. */
import type { estimateTrace, groupParts, openSnapshot, openTrace, readTexts } from '../engine/client'
import type { followStream } from '../engine/live/client'
import type {
  BlockNote,
  DroppedEvents,
  FileBeside,
  ResultsClient,
  TimeWindow,
  TraceFile,
  ZoneNote,
} from '../engine/protocol'
import { type Page, type PageStore, settlePage } from '../state/page'
import { changeRun } from '../state/runs/runs'
import type { Run } from '../state/types'
import type { KnownFacts } from './facts'

/** The engine's side of opening; a parameter, so that tests run without workers. */
export interface OpeningEngine {
  readonly openTrace: typeof openTrace
  /** Loaded when a stream is opened. */
  following(): Promise<typeof followStream>
  readonly groupParts: typeof groupParts
  readonly estimateTrace: typeof estimateTrace
  readonly openSnapshot: typeof openSnapshot
  readonly results: ResultsClient
  readonly readTexts: typeof readTexts
}

/** A trace that can be read, also again. */
export interface TraceToOpen {
  readonly name: string
  readonly label: string
  readonly parts: readonly TraceFile[]
  /** Arguments with which the command line would open the same files. */
  readonly inputs?: readonly string[]
  readonly facts?: KnownFacts
  readonly zones?: readonly ZoneNote[]
  readonly blocks?: readonly BlockNote[]
  readonly dropped?: DroppedEvents
  readonly beside?: readonly FileBeside[]
  /** The part to read; absent: the complete trace. */
  readonly window?: TimeWindow
  /** Time 0 on the trace clock, in decimal digits, if the beginning of the recording is missing. */
  readonly origin?: string
  /** Approximate number of bytes to read; absent: those of all files. */
  readonly expected?: number
}

type RunChange = Partial<Run> | ((run: Run) => Partial<Run>)

export interface Session {
  readonly store: PageStore
  readonly engine: OpeningEngine
  update(change: (page: Page) => Page): void
  run(id: string): Run | undefined
  /** Does nothing when the run has been removed. */
  changeRun(id: string, change: RunChange): void
  /** One trace may be several runs, one per device. */
  runsOf(trace: number): readonly Run[]
  changeTrace(trace: number, change: (run: Run) => Partial<Run>): void
  /** A number for a new trace, ascending in the order of opening. */
  nextTrace(): number
  /** A number for files that are opened together. */
  nextBatch(): number
  /** The last number given to a trace. */
  lastTrace(): number
  /** Remembers the files of a trace, to read it, or another part of it, later. */
  onOpening(trace: number, opening: TraceToOpen): void
  /** Absent for snapshots, and once the trace is closed. */
  openingOf(trace: number): TraceToOpen | undefined
  /** Remembers how to end the worker of a trace. */
  onCancel(trace: number, cancel: () => void): void
  /** Remembers how to end the stream of a trace. */
  onStop(trace: number, stop: () => void): void
  stop(trace: number): void
  /** Remembers how to add files that lie next to a trace. */
  onBeside(trace: number, add: (files: readonly FileBeside[]) => void): void
  addBeside(trace: number, files: readonly FileBeside[]): void
  cancel(trace: number): void
  cancelAll(): void
}

export function createSession(store: PageStore, engine: OpeningEngine): Session {
  const cancels = new Map<number, () => void>()
  const openings = new Map<number, TraceToOpen>()
  const beside = new Map<number, (files: readonly FileBeside[]) => void>()
  const stops = new Map<number, () => void>()
  let [trace, batch] = [1, 1]
  const update = (change: (page: Page) => Page) => store.setState(page => settlePage(change(page)), true)
  return {
    store,
    engine,
    update,
    run: id => store.getState().runs.find(r => r.id === id),
    changeRun: (id, change) =>
      update(page => {
        const run = page.runs.find(r => r.id === id)
        return run
          ? { ...page, runs: changeRun(page.runs, id, typeof change === 'function' ? change(run) : change) }
          : page
      }),
    runsOf: trace => store.getState().runs.filter(r => r.trace === trace),
    changeTrace: (trace, change) =>
      update(page => ({ ...page, runs: page.runs.map(r => (r.trace === trace ? { ...r, ...change(r) } : r)) })),
    nextTrace: () => trace++,
    nextBatch: () => batch++,
    lastTrace: () => trace - 1,
    onOpening: (trace, opening) => openings.set(trace, opening),
    openingOf: trace => openings.get(trace),
    onCancel: (trace, cancel) => cancels.set(trace, cancel),
    onStop: (trace, stop) => stops.set(trace, stop),
    stop: trace => stops.get(trace)?.(),
    onBeside: (trace, add) => beside.set(trace, add),
    addBeside: (trace, files) => beside.get(trace)?.(files),
    cancel: trace => {
      cancels.get(trace)?.()
      cancels.delete(trace)
      beside.delete(trace)
      stops.delete(trace)
      openings.delete(trace)
    },
    cancelAll: () => {
      for (const cancel of cancels.values()) cancel()
      cancels.clear()
      beside.clear()
      stops.clear()
      openings.clear()
    },
  }
}
