/**
 * Columns of an open table that were read so far. They stay while the table is open: coming back from a comparison
 * costs nothing.
 */
import { asEngineError } from '../../engine/errors'
import type { EngineError } from '../../engine/protocol'
import type { FleetClient } from '../../fleet/client'
import type { ColumnsByName } from '../../fleet/rows/select'
import type { Column } from '../../fleet/table/columns'

interface CachedColumns {
  readonly columns: ColumnsByName
  readonly error?: EngineError
}

export interface ColumnCache {
  current(): CachedColumns
  subscribe(changed: () => void): () => void
  /** Reads the columns that were not requested before, in one query. */
  want(names: readonly string[]): void
}

function createCache(client: FleetClient): ColumnCache {
  const listeners = new Set<() => void>()
  const requested = new Set<string>()
  const columnNames = new Set(client.outline.columns.map(({ name }) => name))
  let state: CachedColumns = { columns: new Map() }
  const change = (next: CachedColumns) => {
    state = next
    for (const listener of listeners) listener()
  }
  return {
    current: () => state,
    subscribe(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    want(names) {
      const missing = [...new Set(names)].filter(name => columnNames.has(name) && !requested.has(name))
      if (missing.length === 0) return
      for (const name of missing) requested.add(name)
      client.columns(missing).then(
        read =>
          change({
            ...state,
            columns: new Map<string, Column>([
              ...state.columns,
              ...read.map((column, i) => [missing[i] ?? '', column] as const),
            ]),
          }),
        reason => {
          if (!(reason instanceof DOMException && reason.name === 'AbortError'))
            change({ ...state, error: asEngineError(reason) })
        },
      )
    },
  }
}

const caches = new WeakMap<FleetClient, ColumnCache>()

export function cacheOf(client: FleetClient): ColumnCache {
  const cached = caches.get(client) ?? createCache(client)
  caches.set(client, cached)
  return cached
}
