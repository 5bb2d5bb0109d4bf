import { deviceName } from '../../../charts/shared/answers/names'
import { Menu } from '../../../charts/shared/menu/Menu'
import type { EngineError, SnapshotDetail, TraceInfo } from '../../../engine/protocol'
import { FITTING_BYTES } from '../../../engine/reading/probe'
import { count, counted, megabytes, runLength } from '../../../lib/format'
import { type DifferingName, elide } from '../../../lib/text/differing'
import { isOnlyDigest } from '../../../state/address/snapshots'
import { deviceOf, runTime } from '../../../state/filter'
import { windowInWords } from '../../../state/runs/part'
import { shownDevices } from '../../../state/runs/split'
import type { Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { EditableText } from '../../shared/EditableText'
import { lostCount, qualityVerdict, recordCount } from './quality'
import type { ChipDrag } from './useChipDrag'

interface ChipProps {
  readonly run: Run
  readonly place: number
  readonly runs: number
  readonly drag: ChipDrag
  /** What tells its label apart from those of the others, where labels are long. */
  readonly name?: DifferingName | undefined
  /** Colour of the run's group, and whether the previous run is in the same group. */
  readonly group?: { readonly colour: string; readonly goesOn: boolean } | undefined
  /** Index of the column of its group. */
  readonly side?: number | undefined
}

/** Maximum number of characters of a name, and of what all names share at either end. */
const MAX_NAME = 32
const MAX_SHARED = 18

/** One run: letter, label, facts, and whether its trace is complete. */
export function Chip({ run, place, runs, drag, name, group, side }: ChipProps) {
  const actions = useActions()
  const several = shownDevices(run).length > 1
  const results = usePage(p => p.results !== undefined)
  const items = [
    { label: 'Set as baseline', disabled: run.baseline, run: () => actions.setBaseline(run.id) },
    { label: 'Move left', disabled: place === 0, run: () => actions.move(run.id, place - 1) },
    { label: 'Move right', disabled: place === runs - 1, run: () => actions.move(run.id, place + 1) },
    { label: 'Group…', run: () => actions.show({ kind: 'groups', run: run.id }) },
    ...(several && !run.alone ? [{ label: 'Split into one run per device', run: () => actions.split(run.id) }] : []),
    ...(run.alone ? [{ label: 'Merge devices into one run', run: () => actions.join(run.id) }] : []),
    ...(run.notes ? [{ label: 'Notes', run: () => actions.show({ kind: 'notes', run: run.id }) }] : []),
    ...(results ? [{ label: 'Benchmark results', run: () => actions.show({ kind: 'results' }) }] : []),
    ...(run.rereadable
      ? [
          {
            label: run.window || run.info?.window ? 'Open another part…' : 'Open a part only…',
            run: () => void actions.choosePart(run.id),
          },
        ]
      : []),
    { label: 'Hide', run: () => actions.toggle(run.id) },
    {
      label: 'Native tables',
      disabled: run.status.kind !== 'ready' || run.snapshot !== undefined,
      run: () => actions.show({ kind: 'native-tables', run: run.id }),
    },
    {
      label: 'Export requests',
      disabled: run.status.kind !== 'ready' || run.snapshot !== undefined,
      run: () => actions.show({ kind: 'export-requests', run: run.id }),
    },
    { label: 'Remove', run: () => actions.remove(run.id) },
  ]
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!event.shiftKey || step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    actions.move(run.id, place + step)
  }
  return (
    <li
      className="chip"
      data-run={run.letter}
      data-place={place}
      data-dragged={drag.dragged?.id === run.id}
      data-over={drag.dragged !== undefined && drag.dragged.id !== run.id && drag.dragged.place === place}
      data-group={run.group}
      data-goes-on={group?.goesOn}
      style={
        {
          ...(group && { '--group': group.colour }),
          ...(side !== undefined && { '--side': side + 1 }),
        } as React.CSSProperties
      }
      {...drag.propsOf(run.id)}
    >
      <button
        type="button"
        className="badge"
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
        onKeyDown={onKeyDown}
        aria-pressed={true}
        aria-label={`${run.letter}: hide ${run.label}`}
        title={`Hide (Shift ${place + 1})`}
        onClick={() => actions.toggle(run.id)}
      >
        {run.letter}
      </button>
      <div className="chip-name">
        <EditableText
          text={run.label}
          shortText={name && elide(name.part, MAX_NAME)}
          name={`run ${run.letter}`}
          onChange={label => actions.rename(run.id, label)}
        />
        {run.baseline && runs > 1 && <span className="tag">baseline</span>}
        <span className="chip-menu">
          <Menu label={`Actions for run ${run.letter}`} items={items}>
            <span aria-hidden="true">⋯</span>
          </Menu>
        </span>
      </div>
      {run.group !== undefined && (
        <span className="chip-group" aria-hidden="true">
          {run.group}
        </span>
      )}
      <Second run={run} name={name} />
    </li>
  )
}

/** The devices of a run: `vda 254:0`, or `md0 + vda` if there are several. */
function devicesInWords(run: Run): string | undefined {
  const shown = deviceOf(run)
  if (!shown) return undefined
  const name = deviceName(shown.dev, run)
  const number = shown.dev.replace(',', ':')
  const otherNames = (run.info?.devices ?? []).filter(d => d !== shown).map(d => deviceName(d.dev, run))
  if (otherNames.length > 0 && !run.alone) return [name, ...otherNames].join(' + ')
  // The engine gives major 4094 to devices of which only the name is known.
  if (number.startsWith('4094:')) return name
  return name === shown.dev ? number : `${name} ${number}`
}

/** The resolution of a snapshot in words. */
const heldInWords = ({ columns, rows, digits }: SnapshotDetail): string =>
  [
    `From a snapshot: charts with ${count(columns)} columns and ${count(rows)} rows, figures with ${digits} digits.`,
    'Drop the trace files for full detail.',
  ].join(' ')

/**
 * What was counted in a run: the records of a completely read one, as in its quality dialog; the shown events of a
 * part; the requests of the smallest snapshots, which have neither.
 */
function countWords(run: Run, info: TraceInfo): string {
  if (run.snapshot?.brief) return counted(info.requests, 'request')
  return info.window ? counted(info.events, 'event') : counted(recordCount(info), 'record')
}

interface SecondProps {
  readonly run: Run
  readonly name: DifferingName | undefined
}

/** The line below the name of a run: why it failed, its progress, or its facts. */
function Second({ run, name }: SecondProps) {
  const { status } = run
  if (status.kind === 'failed') return <FailedRun run={run} error={status.error} />
  if (run.stream)
    return (
      <p className="chip-facts">
        {run.stream.status ? `live, ${count(run.stream.status.events)} events` : 'waiting for the first events'}
      </p>
    )
  return status.kind === 'reading' ? (
    <ReadingRun run={run} progress={status.progress} />
  ) : (
    <ReadRun run={run} name={name} />
  )
}

function FailedRun({ run, error }: { run: Run; error: EngineError }) {
  const actions = useActions()
  return (
    <>
      <button
        type="button"
        className="chip-quality bad"
        onClick={() =>
          actions.show({ kind: 'errors', title: `Cannot read ${run.label}`, errors: [error], run: run.id })
        }
      >
        ! failed
      </button>
      <p className="chip-facts">{error.message}</p>
    </>
  )
}

type ReadingProgress = Extract<Run['status'], { kind: 'reading' }>['progress']

function ReadingRun({ run, progress }: { run: Run; progress: ReadingProgress }) {
  const actions = useActions()
  const { bytes, totalBytes, events, elapsedMs } = progress
  const percent = totalBytes > 0 ? Math.floor((bytes / totalBytes) * 100) : 0
  return (
    <>
      <div className="chip-actions">
        {run.rereadable && (run.window || totalBytes > FITTING_BYTES) && (
          <button type="button" className="link" onClick={() => void actions.choosePart(run.id)}>
            {run.window ? 'Open another part' : 'Open a part only'}
          </button>
        )}
        <button type="button" className="button chip-cancel" onClick={() => actions.remove(run.id)}>
          Cancel
        </button>
      </div>
      <div className="chip-progress">
        <span>{percent}%</span>
        <progress aria-label={`Reading ${run.label}`} max={100} value={percent} />
        <span className="mono">
          {megabytes(bytes)} of {megabytes(totalBytes)} MB
          {elapsedMs > 0 && `, ${(bytes / 1e3 / elapsedMs).toFixed(0)} MB/s`}, {count(events)} events
          {run.window && `, ${windowInWords(run.window)} only`}
        </span>
      </div>
    </>
  )
}

function ReadRun({ run, name }: SecondProps) {
  const actions = useActions()
  const { info } = run
  const facts = [
    run.group,
    run.kernel !== run.label && run.kernel,
    info && countWords(run, info),
    info && runLength(runTime(run)),
    info && devicesInWords(run),
  ]
  return (
    <>
      {run.snapshot ? <HeldDetail run={run} snapshot={run.snapshot} /> : <ReadQuality run={run} />}
      <p className="chip-facts">
        {name && (
          <span className="chip-label" title={run.label}>
            {elide(name.head, MAX_SHARED)}
            <b>{name.part}</b>
            {elide(name.tail, MAX_SHARED)}
          </span>
        )}
        {facts.filter(Boolean).join(', ')}
      </p>
      {run.notes && (
        <button type="button" className="link chip-notes" onClick={() => actions.show({ kind: 'notes', run: run.id })}>
          {counted(run.notes.length, 'note')}
        </button>
      )}
    </>
  )
}

/** The level of detail that a snapshot or a digest has of a run. */
function HeldDetail({ run, snapshot }: { run: Run; snapshot: NonNullable<Run['snapshot']> }) {
  const digest = isOnlyDigest(run)
  const title = digest
    ? 'From a table of digests: all figures, and charts in few bins. Drop the trace for full detail.'
    : heldInWords(snapshot)
  return (
    <span className="chip-quality" data-quality="held" title={title}>
      {digest ? 'digest' : 'snapshot'}
      <span className="chip-columns">
        , {count(snapshot.columns)} {digest ? 'bins' : 'columns'}
      </span>
      {run.info?.window && `, ${windowInWords(run.info.window)} only`}
    </span>
  )
}

/** Whether all of the recording was read; a press shows what is missing. */
function ReadQuality({ run }: { run: Run }) {
  const actions = useActions()
  const { info } = run
  const quality = qualityVerdict(info, run.cut)
  if (!quality) return null
  return (
    <button
      type="button"
      className={`chip-quality ${quality.complete ? 'good' : 'warn'}`}
      data-lost-events={info && lostCount(info)}
      data-part={info?.window !== undefined}
      onClick={() => actions.show({ kind: 'quality', run: run.id })}
    >
      <span aria-hidden="true">{quality.complete ? '✓' : '!'}</span>{' '}
      <span className="chip-quality-text">{quality.text}</span>
    </button>
  )
}
