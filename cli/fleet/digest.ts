/** `seekscope digest`: all that a comparison needs of each run, as a table. */
import { gzipSync } from 'node:zlib'
import type { CompareDocument, CompareQuery, DigestFigure, Geometry, TraceNote } from '../../web/engine/protocol'
import {
  byOrder,
  createTable,
  type DigestRow,
  digestColumns,
  digestRows,
  orderOf,
  ROWS_PER_GROUP,
  type RunToDigest,
} from '../../web/export/digests'
import { visibleLine } from '../../web/lib/text/visible'
import type { InputFile } from '../input/find/inputs'
import { checksumOf } from '../input/read/checksum'
import { loadEngine } from '../input/read/engine'
import type { TraceFacts } from '../input/read/traceToRead'
import { type ComparedTrace, runsOf } from '../input/runs'
import { outputTarget } from '../output/output'
import type { TraceInputs } from '../program/values'

export type DigestFormat = 'parquet' | 'jsonl'

interface DigestOptions {
  readonly output?: string
  readonly format: DigestFormat
  readonly geometry?: Geometry
}

/** The columns of a table of digests. */
export function columnsOfDigests() {
  const figures: readonly DigestFigure[] = loadEngine().knownFigures()
  return digestColumns(figures)
}

/** Models of disks by their names and numbers. */
export function modelsIn(notes: readonly TraceNote[]): ReadonlyMap<string, string> {
  const models = new Map(
    notes.flatMap(({ facts }) =>
      facts.flatMap(({ key, of: subject, value }) =>
        key === 'model' && subject !== undefined ? [[subject, String(value)] as const] : [],
      ),
    ),
  )
  const numbers = notes.flatMap(({ names = [] }) => names)
  for (const [number, name] of numbers) {
    const model = models.get(name)
    if (model !== undefined) models.set(number, model)
  }
  return models
}

/** The runs among the paths, in their order, with checksums and the device that a comparison uses. */
async function measuredRuns(inputs: TraceInputs, geometry: Geometry | undefined): Promise<readonly RunToDigest[]> {
  // Checksums by trace. They are computed before a trace is read: unpacked files are removed after the last one.
  const sums = new Map<readonly InputFile[], string>()
  const models = new Map<readonly InputFile[], ReadonlyMap<string, string>>()
  const before = ({ files, notes }: TraceFacts) => {
    if (!sums.has(files)) sums.set(files, checksumOf(files))
    models.set(files, modelsIn(notes))
  }
  const runs = await runsOf(inputs, { ...(geometry && { geometry }), before })
  return runs.map(({ files, ...run }, position) =>
    measuredRun(run, { sha256: sums.get(files) ?? '', position, models: models.get(files) ?? new Map() }),
  )
}

/** A run with the device that a comparison uses, and what it shows by itself. */
export function measuredRun(
  run: ComparedTrace,
  facts: Pick<RunToDigest, 'sha256' | 'position' | 'models'>,
): RunToDigest {
  const engine = loadEngine()
  const compared = engine.comparedDevice(JSON.stringify(run.trace))
  const alone: CompareDocument = engine.compare(JSON.stringify({ runs: [run], baseline: 0 } satisfies CompareQuery))
  return { run, ...facts, compared, findings: alone.alone?.[0]?.findings.map(({ code }) => code) ?? [] }
}

/** The rows of the runs among the paths. */
export async function rowsOfTraces(inputs: TraceInputs, geometry: Geometry | undefined): Promise<readonly DigestRow[]> {
  const runs = await measuredRuns(inputs, geometry)
  const columns = columnsOfDigests()
  return runs.flatMap(run => digestRows(columns, run))
}

export async function digest(inputs: TraceInputs, { output, format, geometry }: DigestOptions): Promise<void> {
  const { write, keep, drop } = outputTarget(output)
  try {
    const rows = [...(await rowsOfTraces(inputs, geometry))].sort((a, b) => byOrder(orderOf(a), orderOf(b)))
    if (rows.length === 0) return
    if (format === 'jsonl') for (const row of rows) await write(Buffer.from(`${visibleLine(JSON.stringify(row))}\n`))
    else {
      const table = createTable(columnsOfDigests(), gzipSync, write)
      for (let from = 0; from < rows.length; from += ROWS_PER_GROUP)
        await table.add(rows.slice(from, from + ROWS_PER_GROUP))
      await table.finish()
    }
    keep()
  } finally {
    drop()
  }
}
