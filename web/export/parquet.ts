/** Requests as Parquet: compressed columns in row groups, each written as soon as it is full. */
import type { DecodedArray } from 'hyparquet'
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { COLUMNS, type ExportColumn, type RequestFile, type WriteChunk } from './columns'

/** Rows per group: as many are in memory. */
const GROUP = 100_000

/** Integers that seldom repeat are stored as differences; hyparquet chooses for the others. */
const encodingOf = ({ name, type }: ExportColumn) => (type === 'INT64' && name !== 'bytes' ? ('DELTA_BINARY_PACKED' as const) : undefined)

function columnData(column: ExportColumn, data: DecodedArray) {
  const encoding = encodingOf(column)
  return { name: column.name, type: column.type, data, ...(encoding && { encoding }) }
}

export function createParquet(write: WriteChunk): RequestFile {
  const bytes = new ByteWriter(1 << 20)
  const flush = () => {
    const chunk = bytes.getBytes().slice()
    bytes.index = 0
    return write(chunk)
  }
  const writer = Object.assign(bytes, { flush })
  const schema = schemaFromColumnData({ columnData: COLUMNS.map(column => columnData(column, [])) })
  const parquet = new ParquetWriter({ writer, schema, createdBy: 'seekscope' })
  const emptyGroup = () => COLUMNS.map((): (string | number | bigint | boolean | undefined)[] => [])
  let group = emptyGroup()

  async function writeGroup() {
    const columns = COLUMNS.map((column, c) => columnData(column, group[c] ?? []))
    const rowGroupSize = group[0]?.length ?? 0
    group = emptyGroup()
    await parquet.write({ columnData: columns, rowGroupSize })
  }

  return {
    async add(rows, of) {
      const cells = COLUMNS.map(column => column.cells(rows, of))
      for (let from = 0; from < rows.n; ) {
        const to = Math.min(rows.n, from + GROUP - (group[0]?.length ?? 0))
        COLUMNS.forEach(({ type }, c) => {
          const [list, cell] = [group[c], cells[c]]
          for (let i = from; i < to; i++) {
            const value = cell?.(i)
            list?.push(type === 'INT64' && typeof value === 'number' ? BigInt(value) : value)
          }
        })
        from = to
        if (group[0]?.length === GROUP) await writeGroup()
      }
    },
    async finish() {
      if (group[0]?.length) await writeGroup()
      await parquet.finish()
      await flush()
    },
  }
}
