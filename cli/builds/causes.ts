/** Why a figure may have changed between two builds: the two compared, and what their runs show by themselves. */
import type { BuildsCause, CompareDocument, CompareQuery } from '../../web/engine/protocol'
import type { BuildsEvent, BuildsReport, OverBuilds } from '../../web/fleet/changes/overBuilds'
import { BUILD } from '../../web/fleet/table/marks'
import { type DigestSelection, type StoredRun, selectedRuns } from '../fleet/digests'
import type { TableRow } from '../fleet/tables'
import { loadEngine } from '../input/read/engine'
import type { LabelReader } from './labels'

/** Events of which the cause is looked for. */
const MAX_CAUSES = 20
/** Runs of a build that are compared for it. */
const MAX_REPEATS = 10

/** What is stored of a run. */
export interface KnownRun {
  readonly row: TableRow
  readonly build: string
}

/** Key of a run in files of digests. */
const identity = (row: TableRow): string =>
  JSON.stringify([row.source ?? '', row.sha256, row.trace, row.run, Number(row.position)])

/** The runs of the two builds of an event in its most certain series. */
function sidesOf(
  { previous, index, changes }: BuildsEvent,
  { runs }: OverBuilds,
): readonly [readonly number[], readonly number[]] {
  const series = changes[0]?.found[0]?.series
  const runsOf = (build: number) =>
    runs.flatMap((run, i) => (run.build === build && run.series === series ? [i] : [])).slice(0, MAX_REPEATS)
  return [runsOf(previous), runsOf(index)]
}

const TEXT = (value: unknown) => `'${String(value).replaceAll("'", "''")}'`

const isIn = (name: string, values: readonly unknown[]): string => {
  const distinct = [...new Set(values)].map(TEXT)
  return distinct.length === 1 ? `${name} = ${distinct[0]}` : `${name} in (${distinct.join(', ')})`
}

/**
 * The shortest condition that selects these runs and no others: by build and series where those are columns, else by
 * their labels.
 */
function conditionOf(
  knownRuns: readonly KnownRun[],
  members: readonly number[],
  buildReader: LabelReader,
  columns: readonly string[],
): string {
  // `--where` knows the column of builds even if the table has none.
  const marked = buildReader.column === undefined && buildReader.name.toLowerCase() === BUILD
  const all = knownRuns.map(({ row, build }): TableRow => (marked ? { ...row, [BUILD]: build } : row))
  const rows = members.map(index => all[index] ?? {})
  const selects = (names: readonly string[]) => {
    const allowed = names.map(name => [name, new Set(rows.map(row => row[name]))] as const)
    return all.filter(row => allowed.every(([name, values]) => values.has(row[name]))).length === rows.length
  }
  const column = marked ? BUILD : buildReader.column
  const readable =
    column === undefined ? [] : [[column, ...columns.filter(name => rows.every(row => row[name] !== undefined))]]
  const names = [...readable, ['run'], ['run', 'source']].find(selects) ?? ['run', 'trace', 'sha256']
  return names
    .map(name =>
      isIn(
        name,
        rows.map(row => row[name]),
      ),
    )
    .join(' and ')
}

/** Codes that at least half of these runs show by themselves. */
function ownFindings(runs: readonly StoredRun[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const run of runs) {
    const { alone = [] }: CompareDocument = loadEngine().compare(
      JSON.stringify({ runs: [run], baseline: 0 } satisfies CompareQuery),
    )
    for (const code of new Set(alone.flatMap(({ findings }) => findings.map(finding => finding.code))))
      counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count * 2 >= runs.length).map(([code]) => code))
}

/** Finds the cause of each event by comparing runs of the builds on both sides, as `compare` does. */
export async function causesOf(
  { events }: BuildsReport,
  input: OverBuilds,
  knownRuns: readonly KnownRun[],
  selection: DigestSelection,
  buildReader: LabelReader,
  columns: readonly string[],
): Promise<readonly (BuildsCause | undefined)[]> {
  const sides = events.slice(0, MAX_CAUSES).map(event => sidesOf(event, input))
  const indexByIdentity = new Map(
    sides.flatMap(([a, b]) => [...a, ...b]).map(i => [identity(knownRuns[i]?.row ?? {}), i]),
  )
  const found = new Map<number, StoredRun>()
  // Indices in the order in which `compare` reads the runs.
  const order: number[] = []
  if (indexByIdentity.size > 0)
    for await (const { rows, run } of selectedRuns(selection)) {
      const index = indexByIdentity.get(identity(rows[0] ?? {}))
      if (index === undefined || found.has(index)) continue
      found.set(index, run)
      order.push(index)
    }
  return sides.map(([before, after], i): BuildsCause | undefined => {
    const event = events[i]
    const members = order.filter(index => before.includes(index) || after.includes(index))
    if (!event || before.length === 0 || after.length === 0 || members.length !== before.length + after.length)
      return undefined
    const name = (index: number) => input.builds[before.includes(index) ? event.previous : event.index] ?? ''
    const runs = [...before, ...after].flatMap(index => {
      const { group: _, ...run } = found.get(index) as StoredRun
      return { ...run, group: name(index) }
    })
    const answer: CompareDocument = loadEngine().compare(JSON.stringify({ runs, baseline: 0 } satisfies CompareQuery))
    const [ownCodes, otherFindings] = [before, after].map(side =>
      ownFindings(side.flatMap(index => found.get(index) ?? [])),
    ) as [Set<string>, Set<string>]
    const groups = members.length > 2 ? members.flatMap(index => ['--group', name(index)]) : []
    const first = members.findIndex(index => before.includes(index))
    return {
      findings: (answer.findings ?? []).map(({ code, sentence }) => ({ code, sentence })),
      begins: [...otherFindings].filter(code => !ownCodes.has(code)),
      ends: [...ownCodes].filter(code => !otherFindings.has(code)),
      command: [
        'compare',
        ...selection.files.flatMap(file => ['--digests', file]),
        '--where',
        conditionOf(knownRuns, members, buildReader, columns),
        ...groups,
        ...(first > 0 ? ['--baseline', String(first + 1)] : []),
      ],
    }
  })
}
