/** All that is published of a recording, from reading it once. */
import { gzipSync } from 'node:zlib'
import type { Geometry } from '../../web/engine/protocol'
import type { SummaryTrace } from '../../web/engine/summary'
import { createTable, type DigestRow, digestRows, ROWS_PER_GROUP, type TablePrefix } from '../../web/export/digests'
import { LETTERS } from '../../web/link/view'
import { columnsOfDigests, measuredRun, modelsIn } from '../fleet/digest'
import { type FleetProblem, fleetColumns } from '../fleet/journal'
import { type OpenRun, openRuns } from '../input/openRuns'
import type { ComparedTrace } from '../input/runs'
import { summaryOf } from '../output/figures/figures'
import type { FoundResults } from '../output/figures/results'
import { outputTarget } from '../output/output'
import { messages } from '../output/progress'
import type { TraceInputs } from '../program/values'
import { FACT_LABELS, PUBLISHED, type RunLabels } from './labels'
import type { PublishedRun } from './runs'

export interface MeasuredRecording {
  /** The traces, open until `free` is called. */
  readonly opened: readonly OpenRun[]
  /** The traces as runs of a comparison, under the name and with the labels of the run. */
  readonly compared: readonly ComparedTrace[]
  readonly rows: readonly DigestRow[]
  readonly summaries: readonly SummaryTrace[]
  readonly results: FoundResults | undefined
  /** What could not be read. */
  readonly problems: readonly Omit<FleetProblem, 'source'>[]
  free(): void
}

/** Runs `work` and collects what it reports; it is printed as usual. */
async function collectProblems<T>(work: () => Promise<T>) {
  const problems: Omit<FleetProblem, 'source'>[] = []
  const { complain } = messages
  messages.complain = (file, code, message) => {
    problems.push({ file, code, message })
    complain(file, code, message)
  }
  try {
    return { value: await work(), problems }
  } finally {
    messages.complain = complain
  }
}

/** Labels replace what texts next to the trace say. */
function labelled({ run: { label, kernel, group, bench = [], settings = [] }, ...open }: OpenRun, labels: RunLabels) {
  const facts = Object.fromEntries(FACT_LABELS.flatMap(key => (labels[key] === undefined ? [] : [[key, labels[key]]])))
  const [release, runGroup] = [labels.kernel ?? kernel, open.group ?? group]
  return {
    label,
    ...(release !== undefined && { kernel: release }),
    ...(runGroup !== undefined && { group: runGroup }),
    path: open.loaded.path,
    bench,
    settings,
    labelSource: { ...open.labelSource, ...facts },
    trace: open.digest,
  }
}

/** Reads the traces of a run. A run of one trace has its name; of several, each adds the label of its trace. */
export async function measureRecording(
  inputs: TraceInputs,
  { name, labels, geometry }: { readonly name: string; readonly labels: RunLabels; readonly geometry?: Geometry },
): Promise<MeasuredRecording> {
  let results: FoundResults | undefined
  const { value: opened, problems } = await collectProblems(() =>
    openRuns({ ...inputs, most: LETTERS.length }, { labels: [], sums: true, ...(geometry && { geometry }) }, found => {
      results = found
    }),
  )
  const named = opened.map(open => {
    const label = opened.length === 1 ? name : `${name}/${open.run.label}`
    return { ...open, run: { ...open.run, label } }
  })
  const compared = named.map(open => labelled(open, labels))
  const columns = columnsOfDigests()
  const rows = compared.flatMap((run, position) =>
    digestRows(
      columns,
      measuredRun(run, {
        sha256: named[position]?.sum ?? '',
        position,
        models: modelsIn(named[position]?.loaded.notes ?? []),
      }),
    ),
  )
  return {
    opened: named,
    compared,
    rows,
    summaries: named.map(({ loaded }) => summaryOf(loaded, { ...(geometry && { geometry }) })),
    results,
    problems,
    free: () => {
      for (const { open } of opened) open.free()
    },
  }
}

/** Columns of a table of published runs with these labels. */
export const publishedColumns = (labelNames: readonly string[]) => [
  ...fleetColumns(),
  ...[PUBLISHED, ...labelNames].map(name => ({ name, type: 'STRING' as const })),
]

/** Names of labels that are no columns of the table of digests, in order. */
export const addedLabels = (runs: readonly Pick<PublishedRun, 'labels'>[]): readonly string[] =>
  [...new Set(runs.flatMap(({ labels }) => Object.keys(labels)))]
    .filter(key => !FACT_LABELS.some(fact => fact === key))
    .sort()

/** Rows that a table has already, with the bytes of the file that they are in. */
export interface WrittenPrefix extends TablePrefix {
  readonly bytes: Uint8Array
}

/** Writes rows as a table with these labels. Throws SetupError. */
export async function writeRows(
  path: string,
  rows: readonly DigestRow[],
  labelNames: readonly string[],
  prefix?: WrittenPrefix,
): Promise<void> {
  const target = outputTarget(path)
  try {
    if (prefix) await target.write(prefix.bytes)
    const table = createTable(publishedColumns(labelNames), gzipSync, target.write, prefix)
    for (let from = 0; from < rows.length; from += ROWS_PER_GROUP)
      await table.add(rows.slice(from, from + ROWS_PER_GROUP))
    await table.finish()
    target.keep()
  } finally {
    target.drop()
  }
}
