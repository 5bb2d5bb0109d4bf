/**
 * Reads a table of digests, or holds runs of one in the engine: each in a worker of its own, so that the page never
 * waits.
 */
import { toEngineError } from '../engine/errors'
import { compare, compareMatrix, compareText, knownFigures, packSnapshot, Shot } from '../engine/generated/seekscope.js'
import type { DigestFigure } from '../engine/protocol'
import { startCompiled } from '../engine/workerEngine'
import { tableError } from './errors'
import type { FromTableWorker, ToTableWorker } from './protocol'
import { answerOfHeld, type HeldRun } from './shared'
import { contentsOf, snapshotOf } from './stored'
import type { StoredOutline } from './table/outline'
import { type DigestTable, openTable } from './table/table'

const scope = self

const post = (message: FromTableWorker) => scope.postMessage(message)

/** A run in the engine; undefined where its digest is damaged. */
function createHeldRun(text: string): { readonly held: HeldRun; readonly outline: StoredOutline } | undefined {
  try {
    const run = contentsOf(text)
    if (!run) return undefined
    const { trace: _, ...about } = run
    const snapshot = snapshotOf(run)
    const { info, detail } = snapshot
    return {
      held: { run, shot: new Shot(JSON.stringify(snapshot)) },
      outline: { about, info, detail, device: null },
    }
  } catch {
    // Its fields have other types than those of a digest.
    return undefined
  }
}

function store(texts: readonly string[]): {
  readonly runs: readonly HeldRun[]
  readonly outlines: readonly StoredOutline[]
} {
  const runs = texts.map((text, i) => {
    const run = createHeldRun(text)
    if (!run)
      throw tableError(
        'digests-damaged',
        `The digest of run ${i + 1} is damaged.`,
        'Make the table again with seekscope digest or seekscope fleet.',
      )
    return run
  })
  return { runs: runs.map(({ held }) => held), outlines: runs.map(({ outline }) => outline) }
}

const createAnswers = () => {
  let table: DigestTable | undefined
  let held: readonly HeldRun[] = []
  const opened = (): DigestTable => {
    if (!table) throw new Error('no table is open')
    return table
  }
  return async ({ kind, ask }: ToTableWorker): Promise<unknown> => {
    switch (kind) {
      case 'open': {
        startCompiled(ask.engine)
        table = await openTable(ask.sources)
        const { rows, columns, failures } = table
        const figures: readonly DigestFigure[] = knownFigures()
        return { rows, columns, failures, figures, files: ask.sources.map(({ name }) => name) }
      }
      case 'columns': {
        const columns = []
        for (const name of ask.names) columns.push(await opened().column(name))
        return columns
      }
      case 'cells':
        return opened().cells(ask.name, ask.rows)
      case 'store': {
        startCompiled(ask.engine)
        const stored = store(ask.texts)
        held = stored.runs
        return stored.outlines
      }
      case 'query': {
        const run = held[ask.trace]
        if (!run) throw new Error('no such run')
        return answerOfHeld({ compare, compareMatrix, compareText, packSnapshot }, run, ask.kind, ask.query)
      }
    }
  }
}

const answers = createAnswers()

self.onmessage = ({ data }: MessageEvent<ToTableWorker>) => {
  answers(data).then(
    answer => post({ id: data.id, answer }),
    thrown => post({ id: data.id, error: toEngineError(thrown) }),
  )
}
