/** Requests as Parquet: compressed columns in row groups, each written as soon as it is full. */
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { COLUMNS } from './columns.js'

/** Rows per group: as many are in memory. */
const GROUP = 100_000

/** Whole numbers that seldom repeat are stored as differences; all else finds its own encoding. @param {import('./columns.js').ExportColumn} column */
const encodingOf = ({ name, type }) => (type === 'INT64' && name !== 'bytes' ? /** @type {const} */ ('DELTA_BINARY_PACKED') : undefined)

/** @param {import('./columns.js').ExportColumn} column @param {import('hyparquet').DecodedArray} data */
function source(column, data) {
  const encoding = encodingOf(column)
  return { name: column.name, type: column.type, data, ...(encoding && { encoding }) }
}

/** @param {import('./file.js').WriteChunk} sink @returns {import('./file.js').RequestFile} */
export function createParquet(sink) {
  const bytes = new ByteWriter(1 << 20)
  const flush = () => {
    const piece = bytes.getBytes().slice()
    bytes.index = 0
    return sink(piece)
  }
  const writer = Object.assign(bytes, { flush })
  const schema = schemaFromColumnData({ columnData: COLUMNS.map(column => source(column, [])) })
  const parquet = new ParquetWriter({ writer, schema, createdBy: 'seekscope' })
  /** @type {(string | number | bigint | boolean | undefined)[][]} */
  let group = COLUMNS.map(() => [])

  async function write() {
    const columnData = COLUMNS.map((column, c) => source(column, group[c] ?? []))
    const rowGroupSize = group[0]?.length ?? 0
    group = COLUMNS.map(() => [])
    await parquet.write({ columnData, rowGroupSize })
  }

  return {
    async add(page, of) {
      const cells = COLUMNS.map(column => column.cells(page, of))
      for (let from = 0; from < page.n; ) {
        const to = Math.min(page.n, from + GROUP - (group[0]?.length ?? 0))
        COLUMNS.forEach(({ type }, c) => {
          const [list, cell] = [group[c], cells[c]]
          for (let i = from; i < to; i++) {
            const value = cell?.(i)
            list?.push(type === 'INT64' && typeof value === 'number' ? BigInt(value) : value)
          }
        })
        from = to
        if (group[0]?.length === GROUP) await write()
      }
    },
    async finish() {
      if (group[0]?.length) await write()
      await parquet.finish()
      await flush()
    },
  }
}
