/** A table of digests as a fleet, and the comparison of some of its rows. In a script of its own, which is fetched with the first table. */
import { asEngineError } from '../engine/errors'
import type { EngineError } from '../engine/protocol'
import { openFleet, storeRuns } from '../fleet/client'
import { MOST_COMPARED, viewOf, viewText } from '../fleet/view'
import type { FoundFile } from '../ingest/found'
import { severalGroups } from '../lib/severalGroups'
import { EMPTY_PAGE, put } from '../state/page'
import { placed } from '../state/runs'
import type { Run } from '../state/types'
import { resummarise } from './run'
import type { Session } from './session'

const NO_DIGESTS: EngineError = {
  code: 'not-digests',
  message: 'The table has no rows.',
  remedy: 'Make a table of digests with seekscope digest or seekscope fleet.',
}

/** Opens tables in place of everything that was open. */
export async function openTables(session: Session, files: readonly FoundFile[], text = ''): Promise<void> {
  const { store, update, cancelAll } = session
  try {
    const client = await openFleet(files.map(({ name, path, blob }) => ({ name, path, blob })))
    if (client.outline.rows + client.outline.failures.length === 0) {
      client.close()
      throw NO_DIGESTS
    }
    cancelAll()
    store.getState().fleet?.client.close()
    const urls = files.flatMap(({ source }) => source ?? [])
    const view = viewOf(text)
    const { linkProblems } = store.getState()
    store.setState(
      {
        ...EMPTY_PAGE,
        linkProblems,
        fleet: { client, view, text: viewText(view), ...(urls.length === files.length && { urls }) },
      },
      true,
    )
    const rows = new URLSearchParams(text).get('compare')?.split(',').map(Number) ?? []
    if (rows.length > 0 && rows.every(row => Number.isInteger(row) && row >= 0 && row < client.outline.rows)) await openRows(session, rows)
  } catch (reason) {
    const title = files.length === 1 ? `${files[0]?.name} could not be opened` : 'The tables could not be opened'
    update(page => ({ ...page, sorting: false, dialog: { kind: 'errors', title, errors: [asEngineError(reason)] } }))
  }
}

/** Opens rows of the fleet as runs, from their digests: the first is the baseline. */
export async function openRows(session: Session, rows: readonly number[]): Promise<void> {
  const { store, update } = session
  const { fleet } = store.getState()
  if (!fleet || rows.length === 0) return
  const chosen = rows.slice(0, MOST_COMPARED)
  try {
    const { texts, devs, sums, sources, sourceSums } = await digestsOf(fleet.client, chosen)
    const traces = texts.map(() => session.nextTrace())
    const failed = (error: EngineError) =>
      update(page => ({ ...page, runs: page.runs.map(run => (traces.includes(run.trace) ? { ...run, status: { kind: 'failed', error } } : run)) }))
    const stored = await storeRuns(texts, failed)
    session.cancelAll()
    store.setState(page => ({ ...EMPTY_PAGE, linkProblems: page.linkProblems, ...(page.opening && { opening: page.opening }), fleet }), true)
    const groups = severalGroups(stored.outlines.map(({ about }) => about.group))
    const runs = stored.outlines.map(({ info, detail, about }, i): Run => {
      const trace = traces[i] ?? 0
      const { client, cancel } = stored.openRun(i)
      session.onCancel(trace, cancel)
      const { label, kernel, bench, settings, labelSource, path } = about
      const { label: _, kernel: __, ...labelFacts } = labelSource
      return {
        id: `run-${trace}`,
        trace,
        digest: {
          path,
          row: chosen[i] ?? 0,
          ...(sums[i] !== undefined && { sha256: sums[i] }),
          ...(sources[i] !== undefined && { source: sources[i] }),
          ...(sourceSums[i] !== undefined && { sourceSha256: sourceSums[i] }),
        },
        snapshot: { ...detail, layers: [] },
        letter: 'A',
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
    update(page => ({ ...put(page, 'dialog', undefined), runs: placed(runs) }))
    for (const { id } of runs) resummarise(session, id)
  } catch (reason) {
    update(page => ({ ...page, dialog: { kind: 'errors', title: 'The rows could not be compared', errors: [asEngineError(reason)] } }))
  }
}

const text = (cell: unknown): string | undefined => (typeof cell === 'string' && cell !== '' ? cell : undefined)

/** The digest of a run is in the row of one of its devices: that of another is found by the run that it is of. */
async function digestsOf(client: Awaited<ReturnType<typeof openFleet>>, rows: readonly number[]) {
  const has = (name: string) => client.outline.columns.some(column => column.name === name)
  const names = ['sha256', 'run', 'trace', 'position', 'compared', 'dev', ...['source', 'source_sha256'].filter(has)]
  const columns = await client.columns(names)
  const at = (row: number, name: string): string | number | undefined => {
    const column = columns[names.indexOf(name)]
    return column?.type === 'text' ? column.words[column.codes[row] ?? -1] : column?.values[row]
  }
  const key = (row: number) => JSON.stringify(['sha256', 'run', 'trace', 'position', 'source'].map(name => at(row, name)))
  const holders = new Map<string, number[]>()
  const wanted = new Set(rows.map(key))
  for (let row = 0; row < client.outline.rows; row++) {
    const own = key(row)
    if (wanted.has(own)) holders.set(own, [...(holders.get(own) ?? []), row])
  }
  const texts: string[] = []
  for (const row of rows) {
    const candidates = (holders.get(key(row)) ?? [row]).toSorted(
      (a, b) => Number(at(b, 'compared') === 'true') - Number(at(a, 'compared') === 'true'),
    )
    let found: string | undefined
    for (const candidate of candidates) found ??= text((await client.cells('digest', [candidate]))[0])
    if (found === undefined)
      throw {
        code: 'digests-damaged',
        message: `Row ${row + 1} (${at(row, 'run') ?? 'no label'}) has no digest, nor has another row of its run.`,
        remedy: 'Select whole runs when you copy rows with an engine: the digest is in the row of the compared device.',
      } satisfies EngineError
    texts.push(found)
  }
  return {
    texts,
    devs: rows.map(row => at(row, 'dev')),
    sums: rows.map(row => text(at(row, 'sha256'))),
    sources: rows.map(row => (has('source') ? text(at(row, 'source')) : undefined)),
    sourceSums: rows.map(row => (has('source_sha256') ? text(at(row, 'source_sha256')) : undefined)),
  }
}
