/**
 * Requests as Parquet: one row group per page of rows, written at once, so that memory does not grow with the trace.
 */
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { writeChunk } from './chunk'
import { COLUMNS, type RequestFile, type WriteChunk } from './columns'

export function createParquet(write: WriteChunk): RequestFile {
  const writer = new ByteWriter(1 << 20)
  const flush = async () => {
    const chunk = writer.getBytes().slice()
    writer.index = 0
    await write(chunk)
  }
  const schema = schemaFromColumnData({ columnData: COLUMNS.map(({ name, type }) => ({ name, type, data: [] })) })
  const parquet = new ParquetWriter({ writer, schema, createdBy: 'seekscope' })

  return {
    async add(rows, owner) {
      if (rows.n === 0) return
      const start = writer.offset
      const columns = COLUMNS.map(column => writeChunk(writer, column, rows.n, column.cells(rows, owner)))
      const bytes = BigInt(writer.offset - start)
      parquet.row_groups.push({
        columns,
        total_byte_size: bytes,
        num_rows: BigInt(rows.n),
        total_compressed_size: bytes,
      })
      parquet.num_rows += BigInt(rows.n)
      await flush()
    },
    async finish() {
      await parquet.finish()
      await flush()
    },
  }
}
