/** A file of requests: which rows are queried from the engine, and who writes them. Shared by the page and the command line. The one place where rows cross the boundary. */

/** @typedef {(bytes: Uint8Array) => void | Promise<void>} WriteChunk */
/**
 * @typedef {object} RequestFile
 * @property {(page: import('./columns.js').RequestRows, of: import('./columns.js').RowOwner) => Promise<void>} add
 * @property {() => Promise<void>} finish
 */

export const FORMATS = /** @type {const} */ (['csv', 'parquet'])
/** @typedef {(typeof FORMATS)[number]} ExportFormat */

/** Rows of a page. */
const LIMIT = 65_536

/** Loads the writer on demand. @param {ExportFormat} format @param {WriteChunk} sink @returns {Promise<RequestFile>} */
export async function createFile(format, sink) {
  if (format === 'csv') return (await import('./csv.js')).createCsv(sink)
  return (await import('./parquet.js')).createParquet(sink)
}

/** @typedef {Omit<import('../engine/protocol').Query<'columns'>, 'from' | 'limit'>} RequestSelection */

/**
 * Pages of rows, in time order.
 * @param {(ask: import('../engine/protocol').Query<'columns'>) => import('./columns.js').RequestRows | Promise<import('./columns.js').RequestRows>} query
 * @param {RequestSelection} which
 */
export async function* pages(query, which) {
  for (let from = 0; from >= 0; ) {
    const page = await query({ ...which, from, limit: LIMIT })
    if (page.n > 0) yield page
    from = page.next
  }
}
