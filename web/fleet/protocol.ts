/** Messages between the page and the worker of a table of digests. */
import type { CompiledEngine, EngineError, QueryKind } from '../engine/protocol'
import type { Column, TableCell } from './table/columns'
import type { FleetOutline, StoredOutline, TableSource } from './table/outline'

/** Questions about a table, and their answers. */
export interface TableQuestions {
  open: { ask: { readonly engine: CompiledEngine; readonly sources: readonly TableSource[] }; answer: FleetOutline }
  columns: { ask: { readonly names: readonly string[] }; answer: readonly Column[] }
  /** Cells of single rows. */
  cells: { ask: { readonly name: string; readonly rows: readonly number[] }; answer: readonly TableCell[] }
  /** Runs in the engine, from the texts in column `digest`: they answer `query` by their index. */
  store: {
    ask: { readonly engine: CompiledEngine; readonly texts: readonly string[] }
    answer: readonly StoredOutline[]
  }
  query: { ask: { readonly trace: number; readonly kind: QueryKind; readonly query: unknown }; answer: unknown }
}

export type TableQuestion = keyof TableQuestions

export type ToTableWorker = {
  [K in TableQuestion]: { readonly id: number; readonly kind: K; readonly ask: TableQuestions[K]['ask'] }
}[TableQuestion]

export type FromTableWorker =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: EngineError }
