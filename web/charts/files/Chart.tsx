/**
 * Files and structures: one row per object with its figures in each run side by side. A click on a row shows its
 * requests alone, and colours the map by objects.
 */
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { count, fixed, share } from '../../lib/format'
import { leavesOut, onlyObjects } from '../../state/hidden'
import { comparedRuns, comparedWords } from '../difference/pair'
import { LegendFiltersContext, showOnlyWords } from '../shared/answers/legendFilters'
import { onShownInTable } from '../shared/answers/objectRow'
import { type ChartFrame, type Shown, scopeWords } from '../shared/answers/shown'
import { Panel } from '../shared/frame/Panel'
import { Badge } from '../shared/frame/Row'
import { Step } from '../shared/groups/Step'
import { Choice } from '../shared/menu/Choice'
import { type ColumnSorting, SortedColumn, useSorted } from '../shared/table/SortedColumn'
import type { SortValue } from '../shared/table/sorting'
import { Calls } from './CallsTable'
import { callsOf, hasCalls } from './calls'
import { type FolderRow, folderRows } from './folders'
import { bytesOf } from './owner'
import {
  type FileRow,
  type FilesOfRun,
  inFile,
  meanTime,
  type ObjectInRun,
  onDisk,
  rowsOf,
  timeShare,
  writersOf,
  writersOfRow,
} from './rows'
import { DEVICE_TIME, files, NO_MAP } from './spec'
import { filesTable, filesWords } from './summary'
import './files.css'

/** Rows that are listed before the list is opened. */
const LISTED = 10
const NONE = '\u2013'
/** Indent of a row in a folder, px. */
const INDENT = 16

/** How rows are arranged; calls are other rows in the place of objects. */
const ARRANGEMENTS = [
  ['list', 'as a list'],
  ['tree', 'as a tree'],
  ['calls', 'by call'],
] as const

type RowArrangement = (typeof ARRANGEMENTS)[number][0]

/** A figure that each run has. */
interface FileFigure {
  readonly key: string
  readonly label: string
  readonly unit?: string
  rank(use: ObjectInRun, run: FilesOfRun): number | undefined
  words(value: number, use: ObjectInRun): string
}

const percent = (value: number | undefined): string => (value === undefined ? NONE : `${Math.round(value * 100)}%`)

const FIGURES: readonly FileFigure[] = [
  { key: 'kib', label: 'KiB', rank: use => bytesOf(use) / 1024, words: count },
  { key: 'requests', label: 'requests', rank: use => use.requests, words: count },
  {
    key: 'time',
    label: DEVICE_TIME,
    rank: (use, { used }) => used && timeShare(use, used),
    words: value => `${fixed(value * 100, 1)}%`,
  },
  {
    key: 'mean',
    label: 'mean Q2C',
    unit: 'ms',
    rank: use => {
      const mean = meanTime(use)
      return mean === undefined ? undefined : mean / 1e6
    },
    words: value => fixed(value, 2),
  },
  {
    key: 'sequential',
    label: 'sequential',
    unit: 'file · disk',
    rank: use => inFile(use) ?? onDisk(use),
    words: (_, use) => `${percent(inFile(use))} · ${percent(onDisk(use))}`,
  },
  { key: 'extents', label: 'extents', rank: use => use.extents, words: count },
]

/** Columns before and behind those of the figures. */
const OBJECT_COLUMN = 0
const writersColumn = (runs: readonly unknown[]): number => 1 + FIGURES.length * runs.length

/** `full run, all requests; B has no map of the disk; ..`. */
function captionOf(frame: ChartFrame, runs: readonly Shown[], hasFilters: boolean): string {
  const lacking = runs.filter(({ figures }) => figures && !figures.objects)
  return [
    runs[0] && scopeWords(frame, runs[0]).replace(/^, /, ''),
    comparedWords(frame, runs),
    ...lacking.map(({ letter }) => `${letter} has no map of the disk`),
    hasFilters && 'a click filters and marks the map',
    'columns sort',
  ]
    .filter(Boolean)
    .join('; ')
}

export function Files({ frame }: { readonly frame: ChartFrame }) {
  const filters = useContext(LegendFiltersContext)
  const columns = comparedRuns(frame)
  const runs = useMemo(
    () => columns.map(({ letter, figures }): FilesOfRun => ({ letter, used: figures?.objects })),
    [columns],
  )
  const rows = useMemo(() => rowsOf(runs, frame.objects.slots), [runs, frame.objects])
  const [arrangement, setArrangement] = useState<RowArrangement>('list')
  const calls = useMemo(() => callsOf(columns), [columns])
  const possible = ARRANGEMENTS.filter(([name]) => (name === 'calls' ? hasCalls(calls) : rows.length > 0))
  const [first] = possible
  if (first === undefined) return <WithoutMap shown={frame.shown} />
  const chosen = possible.some(([name]) => name === arrangement) ? arrangement : first[0]
  const choice = <Choice label="Arrangement of the rows" value={chosen} options={possible} onChange={setArrangement} />
  if (chosen === 'calls') return <Calls frame={frame} columns={columns} runs={calls} controls={choice} />
  return (
    <Panel
      title={files.title}
      what={captionOf(frame, columns, filters !== undefined)}
      words={filesWords(runs, rows)}
      measured={files.measured}
      table={() => filesTable(runs, rows)}
      shown={columns}
      controls={choice}
      legend={frame.sides?.map(side => <Step key={side.runs[0]?.id} side={side} />)}
    >
      <FileTable frame={frame} runs={runs} rows={rows} arrangement={chosen} />
    </Panel>
  )
}

/** How to get a map, for who asks for it. */
function WithoutMap({ shown }: Pick<ChartFrame, 'shown'>) {
  const isRead = shown.every(({ figures }) => figures !== undefined)
  if (!isRead || shown.some(({ run }) => run.snapshot)) return undefined
  return (
    <details className="files-none">
      <summary>{files.title}</summary>
      <p className="chart-sentence">{NO_MAP}</p>
    </details>
  )
}

interface TableProps {
  readonly frame: ChartFrame
  readonly runs: readonly FilesOfRun[]
  readonly rows: readonly FileRow[]
  readonly arrangement: RowArrangement
}

const lettersOf = (runs: readonly FilesOfRun[]): readonly string[] => runs.map(({ letter }) => letter)

function rankIn(runs: readonly FilesOfRun[], row: FileRow, column: number): SortValue {
  if (column === OBJECT_COLUMN) return row.name
  if (column === writersColumn(runs)) return writersOfRow(row, lettersOf(runs))
  const [figure, i] = [FIGURES[Math.floor((column - 1) / runs.length)], (column - 1) % runs.length]
  const [use, run] = [row.uses[i], runs[i]]
  return figure && use && run && figure.rank(use, run)
}

function FileTable({ frame, runs, rows, arrangement }: TableProps) {
  const [isOpen, setOpen] = useState(false)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rankOf = useCallback((row: FileRow, column: number) => rankIn(runs, row, column), [runs])
  const [inOrder, sorting] = useSorted(rows, rankOf)
  const sorted: readonly (FileRow & Partial<FolderRow>)[] =
    arrangement === 'tree' ? folderRows(inOrder, closed) : inOrder
  const listed = isOpen || sorted.length <= LISTED + 1 ? sorted : sorted.slice(0, LISTED)
  const box = useRef<HTMLTableElement>(null)
  const [wanted, setWanted] = useState<string>()
  useEffect(
    () =>
      onShownInTable(name => {
        setOpen(true)
        setClosed(new Set())
        setWanted(name)
      }),
    [],
  )
  useEffect(() => {
    const row = wanted === undefined ? null : box.current?.querySelector(`[data-object="${CSS.escape(wanted)}"]`)
    if (!row) return
    row.scrollIntoView({ block: 'center' })
    row.querySelector<HTMLElement>('.files-object')?.focus({ preventScroll: true })
    setWanted(undefined)
  }, [wanted])
  const toggle = (folder: string) =>
    setClosed(new Set(closed.has(folder) ? [...closed].filter(each => each !== folder) : [...closed, folder]))
  return (
    <>
      <div className="files-scroll">
        <table ref={box} className="files" data-runs={runs.length}>
          <Heads runs={runs} sorting={sorting} />
          <tbody>
            {listed.map(row => (
              <ObjectRow key={row.name} frame={frame} runs={runs} row={row} closed={closed} onToggle={toggle} />
            ))}
          </tbody>
        </table>
      </div>
      {listed.length < sorted.length && (
        <button type="button" className="link files-more" onClick={() => setOpen(true)}>
          {`${sorted.length - listed.length} more`}
        </button>
      )}
    </>
  )
}

/** One column per run of each figure, with the figure above them. */
function Heads({ runs, sorting }: Pick<TableProps, 'runs'> & { readonly sorting: ColumnSorting }) {
  const isOne = runs.length === 1
  const title = ({ label, unit }: FileFigure) => `${label}${unit === undefined ? '' : `, ${unit}`}`
  return (
    <thead>
      {!isOne && (
        <tr className="files-figures">
          <td />
          {FIGURES.map(figure => (
            <th key={figure.key} scope="colgroup" colSpan={runs.length} data-figure={figure.key}>
              {title(figure)}
            </th>
          ))}
          <td data-figure="writers" />
        </tr>
      )}
      <tr>
        <SortedColumn column={OBJECT_COLUMN} sorting={sorting} isText>
          Object
          {sorting.isSorted || <span className="caption"> by bytes</span>}
        </SortedColumn>
        {FIGURES.flatMap((figure, f) =>
          runs.map(({ letter }, i) => (
            <SortedColumn
              key={`${figure.key} ${letter}`}
              column={1 + f * runs.length + i}
              sorting={sorting}
              figure={figure.key}
            >
              {isOne ? (
                title(figure)
              ) : (
                <>
                  <span className="visually-hidden">{title(figure)} </span>
                  <Badge letter={letter} />
                </>
              )}
            </SortedColumn>
          )),
        )}
        <SortedColumn column={writersColumn(runs)} sorting={sorting} isText figure="writers">
          dirtied or written by
        </SortedColumn>
      </tr>
    </thead>
  )
}

interface ObjectRowProps extends Pick<TableProps, 'frame' | 'runs'> {
  readonly row: FileRow & Partial<FolderRow>
  readonly closed: ReadonlySet<string>
  readonly onToggle: (folder: string) => void
}

function ObjectRow({ frame, runs, row, closed, onToggle }: ObjectRowProps) {
  const filters = useContext(LegendFiltersContext)
  const { actions, objects, view } = frame
  const only = useMemo(() => {
    const shown = new Set(row.names)
    return shown.size === 0 ? undefined : onlyObjects(objects.slots.keys(), name => shown.has(name))
  }, [objects, row.names])
  const isAlone = only !== undefined && leavesOut(view.hidden, only)
  const show = () => {
    if (only === undefined) return
    if (!isAlone && view.layer !== 'object') actions.setLayer('object')
    actions.leaveOut(only)
  }
  const name = (
    <>
      <i style={{ background: `var(--${row.token})` }} aria-hidden="true" />
      {row.label}
    </>
  )
  return (
    <tr data-alone={isAlone} data-object={row.folder === undefined ? row.name : undefined}>
      <th scope="row" title={row.name} style={row.depth ? { paddingLeft: row.depth * INDENT } : undefined}>
        {row.folder !== undefined && (
          <button
            type="button"
            className="files-toggle"
            aria-expanded={!closed.has(row.folder)}
            aria-label={`What is in ${row.label}`}
            onClick={() => onToggle(row.folder ?? '')}
          >
            {closed.has(row.folder) ? '\u25b8' : '\u25be'}
          </button>
        )}
        {filters && only ? (
          <button
            type="button"
            className="files-object"
            aria-pressed={isAlone}
            aria-label={showOnlyWords(row.label)}
            onClick={show}
          >
            {name}
          </button>
        ) : (
          <span className="files-object">{name}</span>
        )}
      </th>
      {FIGURES.flatMap(figure =>
        runs.map((run, i) => (
          <FigureCell key={`${figure.key} ${run.letter}`} figure={figure} run={run} row={row} use={row.uses[i]} />
        )),
      )}
      <td data-figure="writers" title={row.uses.map((use, i) => `${runs[i]?.letter}: ${writersOf(use)}`).join('\n')}>
        {writersOfRow(row, lettersOf(runs)) || NONE}
      </td>
    </tr>
  )
}

interface CellProps {
  readonly figure: FileFigure
  readonly run: FilesOfRun
  readonly row: FileRow
  readonly use: ObjectInRun | undefined
}

function FigureCell({ figure, run, row, use }: CellProps) {
  const value = use && figure.rank(use, run)
  const text = use && value !== undefined ? figure.words(value, use) : NONE
  if (figure.key !== 'time') return <td data-figure={figure.key}>{text}</td>
  return (
    <td data-figure={figure.key} title={value === undefined ? undefined : share(value)}>
      {value !== undefined && (
        <span className="files-bar" aria-hidden="true">
          <i style={{ width: `${value * 100}%`, background: `var(--${row.token})` }} />
        </span>
      )}
      <span className="files-share">{text}</span>
    </td>
  )
}
