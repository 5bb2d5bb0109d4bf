/** What the sectors of a request belong to; asked where there is a map of the disk. */
import { useEffect, useState } from 'react'
import type { Life, ObjectNames, TraceClient } from '../../engine/protocol'
import type { Run } from '../../state/types'
import { partsOf, type RequestPart } from './chain'

/** Rows of one answer, and answers that are asked for: refused bios stand between requests. */
const ROWS = 64
const MAX_ANSWERS = 8

/** The parts of a row. Its place among the columns is behind it by the number of refused bios before it. */
async function partsOfRow(client: TraceClient, row: number, names: ObjectNames): Promise<readonly RequestPart[]> {
  let from = row
  for (let asked = 0; asked < MAX_ANSWERS; asked += 1) {
    const columns = await client.query('columns', { from, limit: ROWS }, 'life-parts')
    const i = columns.row.indexOf(row)
    if (i >= 0) return partsOf(columns, i, names)
    const last = columns.row.findLast(found => found < row)
    if (columns.next < 0) break
    from += Math.max(1, row - (last ?? row - ROWS))
  }
  return []
}

export function useParts({ client, info }: Run, life: Life | undefined): readonly RequestPart[] | undefined {
  const [found, setFound] = useState<{ readonly row: number; readonly parts: readonly RequestPart[] }>()
  const row = life?.row
  const hasMap = info?.objects !== undefined
  useEffect(() => {
    if (row === undefined || !hasMap) return
    client
      .query('objectNames', {}, 'life-names')
      .then(names => partsOfRow(client, row, names))
      .then(
        parts => setFound({ row, parts }),
        () => undefined,
      )
  }, [client, row, hasMap])
  return found?.row === row ? found?.parts : undefined
}
