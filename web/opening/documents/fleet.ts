/** A table of digests as a fleet, and the comparison of some of its rows. */
import { asEngineError } from '../../engine/errors'
import type { EngineError } from '../../engine/protocol'
import { openFleet } from '../../fleet/client'
import { MAX_COMPARED, viewOf, viewText } from '../../fleet/rows/view'
import { cellAt } from '../../fleet/table/columns'
import type { FoundFile } from '../../ingest/found'
import { EMPTY_PAGE } from '../../state/page'
import type { Session } from '../session'
import { openStored } from './stored'

const NO_DIGESTS: EngineError = {
  code: 'not-digests',
  message: 'The table has no rows.',
  remedy: 'Make a table of digests with seekscope digest or seekscope fleet.',
}

/** Opens tables; everything else that is open is closed. */
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
    if (rows.length > 0 && rows.every(row => Number.isInteger(row) && row >= 0 && row < client.outline.rows))
      await openFleetRows(session, rows)
  } catch (reason) {
    const title = files.length === 1 ? `${files[0]?.name} could not be opened` : 'The tables could not be opened'
    update(page => ({ ...page, sorting: false, dialog: { kind: 'errors', title, errors: [asEngineError(reason)] } }))
  }
}

/** Opens rows of the fleet as runs, from their digests: the first is the baseline. */
export async function openFleetRows(session: Session, rows: readonly number[]): Promise<void> {
  const { store, update } = session
  const { fleet } = store.getState()
  if (!fleet || rows.length === 0) return
  const chosen = rows.slice(0, MAX_COMPARED)
  try {
    const { texts, devs, sums, sources, sourceSums } = await digestsOf(fleet.client, chosen)
    const origins = chosen.map((row, i) => ({
      row,
      ...(sums[i] !== undefined && { sha256: sums[i] }),
      ...(sources[i] !== undefined && { source: sources[i] }),
      ...(sourceSums[i] !== undefined && { sourceSha256: sourceSums[i] }),
    }))
    await openStored(session, { texts, devs, origins })
  } catch (reason) {
    update(page => ({
      ...page,
      dialog: { kind: 'errors', title: 'The rows could not be compared', errors: [asEngineError(reason)] },
    }))
  }
}

const text = (cell: unknown): string | undefined => (typeof cell === 'string' && cell !== '' ? cell : undefined)

type FleetTable = Awaited<ReturnType<typeof openFleet>>

/** Maximum number of rows of a run that are searched for its digest. */
const MAX_PROBED_FILES = 64

const OF_RUN = ['sha256', 'run', 'trace', 'position', 'source'] as const
const NEEDED = [...OF_RUN, 'dev', 'source_sha256', 'digest'] as const

/** The cells that opening needs. Only one row of a run has its digest: the one of the compared device. */
async function digestsOf(client: FleetTable, rows: readonly number[]) {
  const has = (name: string) => client.outline.columns.some(column => column.name === name)
  const found = await Promise.all(NEEDED.map(async name => (has(name) ? client.cells(name, rows) : [])))
  const cellText = (name: (typeof NEEDED)[number], i: number) => text(found[NEEDED.indexOf(name)]?.[i])
  const list = (name: (typeof NEEDED)[number]) => rows.map((_, i) => cellText(name, i))
  const ownDigests = list('digest')
  const lacking = rows.filter((_, i) => ownDigests[i] === undefined)
  const otherDigests = lacking.length > 0 ? await digestsOfRuns(client, lacking) : new Map<number, string>()
  const texts = rows.map((row, i) => {
    const digest = ownDigests[i] ?? otherDigests.get(row)
    if (digest !== undefined) return digest
    throw {
      code: 'digests-damaged',
      message: `Row ${row + 1} has no digest, nor has another row of its run.`,
      remedy: 'Select whole runs when you copy rows with an engine: the digest is in the row of the compared device.',
    } satisfies EngineError
  })
  return { texts, devs: list('dev'), sums: list('sha256'), sources: list('source'), sourceSums: list('source_sha256') }
}

/** Finds the digests of rows that have none in the other rows of the same run. */
async function digestsOfRuns(client: FleetTable, rows: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const has = (name: string) => client.outline.columns.some(column => column.name === name)
  const columns = await client.columns(OF_RUN.filter(has))
  const keyOf = (row: number) =>
    columns.map(column => (column.type === 'text' ? column.codes[row] : column.values[row])).join()
  const rowsOfRun = new Map(rows.map(row => [keyOf(row), [] as number[]]))
  for (let row = 0; row < client.outline.rows; row++) rowsOfRun.get(keyOf(row))?.push(row)
  // The row of the compared device has the digest, unless an engine has changed it: a run may have very many devices.
  const [compared] = has('compared') ? await client.columns(['compared']) : []
  const isCompared = (row: number) => compared !== undefined && cellAt(compared, row) === 'true'
  const candidates = rows.map(row => ({
    row,
    places: (rowsOfRun.get(keyOf(row)) ?? []).toSorted((a, b) => Number(isCompared(b)) - Number(isCompared(a))),
  }))
  const found = new Map<number, string>()
  for (let i = 0; i < MAX_PROBED_FILES; i++) {
    const left = candidates.filter(({ row, places }) => !found.has(row) && places[i] !== undefined)
    if (left.length === 0) break
    const looked = [...new Set(left.flatMap(({ places }) => places[i] ?? []))]
    const cells = await client.cells('digest', looked)
    for (const { row, places } of left) {
      const digest = text(cells[looked.indexOf(places[i] ?? -1)])
      if (digest !== undefined) found.set(row, digest)
    }
  }
  return found
}
