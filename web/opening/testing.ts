/** For tests: a page on an engine with answers set by the test. */

import { resultsClient } from '../engine/answer'
import type { OpenEvents, TraceContext } from '../engine/client'
import type {
  DroppedFile,
  EngineError,
  Grouping,
  TimeWindow,
  TraceEstimate,
  TraceInfo,
  UnpackProgress,
} from '../engine/protocol'
import { ns, sector } from '../lib/units'
import { createActions } from '../state/actions/create'
import { createPageStore, type PageStore } from '../state/page'
import { createOpening } from './opening'

export const info = (seconds: number, over: Partial<TraceInfo> = {}): TraceInfo => ({
  name: 'trace',
  label: 'trace',
  format: 'blktrace-v7',
  absent: [],
  files: [],
  complete: true,
  span: ns(seconds * 1e9),
  events: 10,
  requests: 2,
  messages: 0,
  cpus: [0],
  devices: [
    {
      index: 0,
      dev: '254,0',
      name: 'vda',
      role: 'disk',
      events: 10,
      requests: 2,
      lba: [sector(0), sector(8)],
      active: [ns(0), ns(seconds * 1e9)],
    },
  ],
  processes: [],
  quality: {
    lostEvents: 0,
    truncatedBytes: 0,
    unknownRecords: 0,
    unmatched: { Q: 0, D: 0, C: 0 },
    holes: [],
    warnings: [],
  },
  ...over,
})

type FoundFiles = Pick<Grouping, 'traces' | 'rejected' | 'notes' | 'unread'> & Partial<Grouping>

/** An engine with answers set by the test. */
export function scripted(store: PageStore) {
  const opened: {
    name: string
    events: OpenEvents
    window: TimeWindow | undefined
    cancelled: boolean
    queries: string[]
  }[] = []
  const answer: {
    estimate: TraceEstimate
    grouping: FoundFiles | EngineError
    unpacking?: UnpackProgress | undefined
    meanwhile?: () => void
  } = {
    estimate: { events: 0, bytes: 0, fits: 0, capacity: 0, length: ns(0) },
    grouping: { traces: [], rejected: [], notes: [], unread: [] },
  }
  const engine = {
    openTrace: (
      name: string,
      _label: string,
      _parts: readonly unknown[],
      events: OpenEvents,
      { window }: TraceContext = {},
    ) => {
      const trace = { name, events, window, cancelled: false, queries: [] as string[] }
      opened.push(trace)
      const query = (kind: string, ask: unknown) => {
        trace.queries.push(`${kind} ${JSON.stringify(ask)}`)
        return new Promise<never>(() => undefined)
      }
      return { client: { query }, cancel: () => Object.assign(trace, { cancelled: true }) }
    },
    following: async () => () => ({
      client: { query: () => new Promise<never>(() => undefined) },
      cancel: () => undefined,
      stop: () => undefined,
    }),
    estimateTrace: async () => answer.estimate,
    openSnapshot: () => Promise.reject(new Error('no snapshot')),
    results: resultsClient(() => Promise.reject(new Error('no results'))),
    readTexts: () => Promise.reject(new Error('no texts')),
    groupParts: async (
      files: readonly DroppedFile[],
      unpacking: (progress: UnpackProgress) => void,
      signal: AbortSignal,
    ): Promise<Grouping> => {
      answer.meanwhile?.()
      signal.throwIfAborted()
      if ('code' in answer.grouping) throw answer.grouping
      unpacking({ path: 'dir/all.tar', bytes: 1, totalBytes: 4 })
      answer.unpacking = store.getState().unpacking
      return { files, problems: [], ...answer.grouping }
    },
  }
  return { engine, opened, answer }
}

export const file = (name: string): DroppedFile => ({
  name,
  path: `dir/${name}`,
  blob: new Blob([name]),
  lastModified: 0,
})
export const two: FoundFiles = {
  traces: [
    { name: 'one', label: 'one', parts: [0, 1] },
    { name: 'two', label: 'two', parts: [2] },
  ],
  rejected: [],
  notes: [],
  unread: [],
}
export const four = ['a', 'b', 'c', 'd'].map(file)

/** A new page on a scripted engine. */
export function scriptedPage() {
  const store = createPageStore()
  const engine = scripted(store)
  const actions = createActions(store, createOpening(store, engine.engine), async () => [])
  const page = () => store.getState()
  return {
    store,
    engine,
    actions,
    page,
    letters: () => page().runs.map(r => `${r.letter}${r.baseline ? '*' : ''}:${r.label}`),
    async openTwo() {
      engine.answer.grouping = two
      await actions.open(four)
      engine.opened[0]?.events.ready(info(4))
      engine.opened[1]?.events.ready(info(8))
    },
  }
}
