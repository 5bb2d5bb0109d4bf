import { useId, useState } from 'react'
import { CopyButton } from '../../../charts/shared/menu/CopyButton'
import type { TimeWindow, TraceEstimate } from '../../../engine/protocol'
import { counted, duration, figure, size } from '../../../lib/format'
import { shellQuoted } from '../../../lib/text/shell'
import { ns } from '../../../lib/units'
import { seconds } from '../../../link/values'
import type { PartChoice } from '../../../state/page'
import {
  countEvents,
  fitsUntil,
  initialPart,
  maxEvents,
  memoryOf,
  type PartProblem,
  type PartSelection,
  problemOf,
  windowOf,
} from '../../../state/runs/part'
import { useActions } from '../../context'
import { Dialog } from '../Dialog'
import { PartBrush } from './PartBrush'
import './part.css'

/** An estimate rounded to three digits: `150 million`, `12,300`. */
function roundedCount(n: number): string {
  const million = n / 1e6
  if (million >= 0.9995) return `${figure(million)} million`
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 2)
  return figure(Math.round(n / digits) * digits)
}

/** `sda.blktrace.0 to 7`, or the first name and how many more. */
function filesInWords(files: PartChoice['files']): string {
  const [first, ...furtherCount] = files
  return furtherCount.length === 0
    ? (first?.name ?? '')
    : `${first?.name} and ${counted(furtherCount.length, 'more file')}`
}

/** How many events a part has, or a whole recording, and how many fit into memory. */
const eventsAndRoom = (events: number, estimate: TraceEstimate): string =>
  `about ${roundedCount(events)} events, and about ${roundedCount(maxEvents(estimate))} fit`

/** The command that reads the same part without a browser's memory limit. */
function commandOf(inputs: readonly string[], window: TimeWindow | undefined): string {
  const range =
    window && `--range ${seconds(window.from_ns ?? 0)}:${window.to_ns === undefined ? '' : seconds(window.to_ns)}`
  return ['seekscope summary', ...(range === undefined ? [] : [range]), ...inputs.map(shellQuoted)].join(' ')
}

/** Chooses the part of a recording to read: the complete recording does not fit into memory, or a part is enough. */
export function Part({ choice }: { choice: PartChoice }) {
  const { skipPart } = useActions()
  const { label, estimate, run, trace } = choice
  const tooLarge = estimate?.error !== undefined || (estimate !== undefined && estimate.bytes > estimate.capacity)
  const title = run === undefined && tooLarge ? `${label} does not fit into memory` : `Open a part of ${label}`
  const lead =
    tooLarge && estimate
      ? `It has ${eventsAndRoom(estimate.events, estimate)}. Choose the part to read; nothing else is read.`
      : 'Only the events of this part are read. Times stay those of the recording.'
  return (
    <Dialog title={title} sign={tooLarge ? '!' : undefined} lead={lead} wide onClose={() => skipPart(trace)}>
      <Facts choice={choice} />
      {estimate ? (
        <Selection choice={choice} estimate={estimate} />
      ) : (
        <>
          <p className="part-sampling" role="status">
            Sampling the files…
          </p>
          <Foot choice={choice} />
        </>
      )}
    </Dialog>
  )
}

function Facts({ choice: { files, estimate } }: { choice: PartChoice }) {
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  const rows: readonly (readonly [string, string])[] = [
    ['Files', filesInWords(files)],
    ['Size', size(bytes)],
    ...(estimate
      ? ([
          ['Duration', estimate.length > 0 ? duration(estimate.length) : 'unknown'],
          ['Events', estimate.events > 0 ? `about ${roundedCount(estimate.events)}` : 'unknown'],
          ['Memory', `${size(estimate.bytes)} needed, ${size(estimate.capacity)} available`],
        ] as const)
      : []),
  ]
  return (
    <dl className="part-facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const PROBLEMS: Readonly<Record<Exclude<PartProblem, 'too-large'>, string>> = {
  order: 'The end must be after the start.',
  outside: 'The recording ends before this part begins.',
  empty: 'No events were found in this part.',
}

function Selection({ choice, estimate }: { choice: PartChoice; estimate: TraceEstimate }) {
  const [selection, select] = useState(() => initialPart(estimate, choice.window))
  const id = useId()
  const events = countEvents(estimate, selection)
  const problem = problemOf(estimate, selection)
  const latestEnd = fitsUntil(estimate, selection.from)
  const window = windowOf(estimate, selection)
  const command = commandOf(choice.inputs, window)
  const words =
    problem === 'too-large'
      ? `Too large: ${eventsAndRoom(events, estimate)}. Choose a shorter part.`
      : problem && PROBLEMS[problem]
  const amounts = [
    duration(selection.to - selection.from),
    ...(estimate.events > 0
      ? [`about ${roundedCount(events)} events`, `${size(memoryOf(estimate, events))} of memory`]
      : []),
  ]
  return (
    <>
      {estimate.length > 0 && (
        <PartBrush estimate={estimate} selection={selection} tooLarge={problem === 'too-large'} onSelect={select} />
      )}
      <div className="part-chosen">
        <TimeField
          label="From"
          selection={selection}
          end="from"
          invalid={problem === 'order' || problem === 'outside'}
          onSelect={select}
        />
        <TimeField label="To" selection={selection} end="to" invalid={problem !== undefined} onSelect={select} />
        <div className="part-amount" data-problem={problem}>
          <p role="status" id={`${id}-amount`}>
            {words ?? amounts.join(', ')}
          </p>
          <meter
            aria-hidden="true"
            max={estimate.capacity}
            high={estimate.capacity * 0.999}
            value={memoryOf(estimate, events)}
          />
        </div>
        {latestEnd > selection.from && latestEnd !== selection.to && (
          <button type="button" className="link" onClick={() => select({ from: selection.from, to: latestEnd })}>
            {selection.from === 0
              ? `Largest part: ${duration(latestEnd)}`
              : `Largest part from here: ${duration(latestEnd - selection.from)}`}
          </button>
        )}
      </div>
      <div className="part-command">
        <p>
          <span className="caption">On the command line</span>
          <code className="mono">{command}</code>
        </p>
        <CopyButton className="button" text={command} />
      </div>
      <Foot choice={choice} estimate={estimate} window={window} problem={problem} reason={`${id}-amount`} />
    </>
  )
}

interface TimeFieldProps {
  readonly label: string
  readonly selection: PartSelection
  readonly end: keyof PartSelection
  readonly invalid: boolean
  onSelect(selection: PartSelection): void
}

/**
 * A field for one end of the part, in seconds. Typed text stays as it is until the part changes by other means: it is
 * kept with the time that it meant, and dropped when that is no longer the end.
 */
function TimeField({ label, selection, end, invalid, onSelect }: TimeFieldProps) {
  const [typed, type] = useState<{ readonly text: string; readonly time: number }>()
  const id = useId()
  const text = typed && typed.time === selection[end] ? typed.text : seconds(selection[end])
  const wrong = !/^\d{1,8}(\.\d{0,9})?$/.test(text)
  const change = (next: string) => {
    const time = /^\d{1,8}(\.\d{0,9})?$/.test(next) ? ns(Math.round(Number(next) * 1e9)) : selection[end]
    type({ text: next, time })
    onSelect({ ...selection, [end]: time })
  }
  return (
    <div className="part-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="field mono"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={wrong || invalid}
        onChange={event => change(event.target.value.trim().replace(',', '.'))}
      />
      <span>s</span>
    </div>
  )
}

interface FootProps {
  readonly choice: PartChoice
  readonly estimate?: TraceEstimate
  readonly window?: TimeWindow | undefined
  readonly problem?: PartProblem | undefined
  readonly reason?: string
}

function Foot({ choice: { trace, run, window: open }, estimate, window, problem, reason }: FootProps) {
  const { openPart, skipPart } = useActions()
  const fits = estimate !== undefined && estimate.bytes <= estimate.capacity
  return (
    <footer className="dialog-foot">
      <button
        type="button"
        className="button primary large"
        data-first
        disabled={!estimate || problem !== undefined}
        aria-describedby={problem && reason}
        onClick={() => openPart(trace, window)}
      >
        Open this part
      </button>
      {fits && run !== undefined && open && (
        <button type="button" className="button large" onClick={() => openPart(trace, undefined)}>
          Open all
        </button>
      )}
      <button type="button" className="button large" onClick={() => skipPart(trace)}>
        Cancel
      </button>
    </footer>
  )
}
