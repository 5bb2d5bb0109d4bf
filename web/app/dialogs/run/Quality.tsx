/** How completely a run was read, and what is missing. */
import type { TraceInfo, Warning } from '../../../engine/protocol'
import { driverFacts } from '../../../lib/drivers'
import { count, counted, duration, seconds } from '../../../lib/format'
import { windowInWords } from '../../../state/runs/part'
import type { Run } from '../../../state/types'
import { useActions } from '../../context'
import { cutOf, lostCount, recordCount } from '../../workspace/runs/quality'
import '../open/part.css'
import { Dialog, DialogFoot } from '../Dialog'
import { ErrorFacts } from '../ErrorFacts'

/** Warnings that follow from a truncated archive: neither the reader nor the tracer left anything out. */
const FOLLOW_FROM_DAMAGE = ['missing-cpus', 'dropped-events', 'unbalanced', 'truncated-tail', 'cut-line']

/** What was read of a run, and what was not. */
interface Completeness {
  readonly title: string
  readonly lead: string
  readonly warnings: readonly Warning[]
  /** The warning of a file that ends within a record or a line. */
  readonly cut: Warning | undefined
  /** Whether nothing of the recording is missing. */
  readonly complete: boolean
  /** Whether the user chose to read only a part, in which nothing is missing. */
  readonly isPart: boolean
}

function completenessOf(run: Run, info: TraceInfo): Completeness {
  const { quality, window } = info
  const warnings = run.cut
    ? quality.warnings.filter(({ code }) => !FOLLOW_FROM_DAMAGE.includes(code))
    : quality.warnings
  const complete = !run.cut && warnings.length === 0 && quality.lostEvents === 0 && quality.truncatedBytes === 0
  const cut = cutOf(quality.warnings)
  const chosen = !run.cut && window !== undefined && warnings.every(warning => warning.code === 'time-window')
  const part = `${duration(info.span)} with ${counted(recordCount(info), 'record')}`
  const lead = run.cut
    ? `Everything before the damage was read: ${part}. Counts and times are at least what is shown.`
    : cut
      ? `Everything before the end of the file was read: ${part}.`
      : run.label
  return {
    title: qualityTitle(run, info, { cut, complete, isPart: chosen }),
    lead,
    warnings,
    cut,
    complete,
    isPart: chosen,
  }
}

function qualityTitle(
  { letter, cut: damage }: Run,
  info: TraceInfo,
  { cut, complete, isPart: chosen }: Pick<Completeness, 'cut' | 'complete' | 'isPart'>,
): string {
  if (damage) return `${letter} is a part of its recording: ${damage.at?.file ?? 'its archive'} is damaged`
  if (chosen && info.window) return `${letter} is a part of its recording: ${windowInWords(info.window)} only`
  if (cut) return `One file of ${letter} ends in the middle of ${cut.code === 'cut-line' ? 'a line' : 'a record'}`
  if (!complete) return `${letter} is incomplete`
  return `${letter} is ${lostCount(info) === 'unknown' ? 'completely read' : 'complete'}`
}

type QualityFact = readonly [name: string, value: string]

function factsOf(run: Run, info: TraceInfo): readonly QualityFact[] {
  const { quality } = info
  const { unmatched, tracerDropped, drivers } = quality
  const part = info.window && windowInWords(info.window)
  return [
    ...(part === undefined ? [] : [['Events', count(info.events)] as const]),
    [part === undefined ? 'Records' : 'Records read', count(recordCount(info))],
    ['Files', counted(info.files.length, 'file')],
    ...(part === undefined ? [] : [['Time window', part] as const]),
    ['Lost events', lostCount(info)],
    ...(tracerDropped === undefined ? [] : [['Dropped (reported by blktrace)', count(tracerDropped)] as const]),
    ['Loss intervals', lostInWords(run)],
    ['Bytes truncated', count(quality.truncatedBytes)],
    ['Unknown records', count(quality.unknownRecords)],
    ...(drivers ? [['Driver commands', driverFacts(drivers, { counted, duration }).join(', ')] as const] : []),
    ['Unmatched', `Q ${count(unmatched.Q)}, D ${count(unmatched.D)}, C ${count(unmatched.C)}`],
    ...absentFacts(info),
  ]
}

export function Quality({ run }: { run: Run }) {
  const { close } = useActions()
  const { info } = run
  if (!info?.quality) return undefined
  const completeness = completenessOf(run, info)
  const { title, lead, warnings, complete, isPart: chosen } = completeness
  return (
    <Dialog title={title} sign={complete || chosen ? undefined : '!'} lead={lead} onClose={close}>
      {run.cut && <ErrorFacts error={run.cut} titled={warnings.length > 0} />}
      {warnings.map((warning, i) =>
        warning.code === 'time-window' ? (
          <p key={warning.code} data-code={warning.code} className="part-note">
            {warning.remedy}
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is open
          <ErrorFacts key={i} error={warning} titled={warnings.length > 1} />
        ),
      )}
      <section className="facts">
        <dl>
          {factsOf(run, info).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <QualityActions run={run} found={completeness} />
    </Dialog>
  )
}

const CONTINUE = 'Continue with the part that can be read'

function QualityActions({ run, found: { cut, complete, isPart: chosen } }: { run: Run; found: Completeness }) {
  const { close, remove, pickFiles, choosePart } = useActions()
  const isCut = run.cut !== undefined || cut !== undefined
  return (
    <DialogFoot onClose={close} close={complete || chosen ? 'Close' : isCut ? CONTINUE : 'Continue with partial data'}>
      {cut && (
        <button
          type="button"
          className="button large"
          onClick={() => {
            remove(run.id)
            close()
            pickFiles('files')
          }}
        >
          Replace {run.letter}
        </button>
      )}
      {run.info?.window !== undefined && run.rereadable && (
        <button type="button" className="button large" onClick={() => void choosePart(run.id)}>
          Open another part
        </button>
      )}
      {!complete && (
        <button
          type="button"
          className="button quiet large"
          onClick={() => {
            close()
            remove(run.id)
          }}
        >
          Remove {run.letter}
        </button>
      )}
    </DialogFoot>
  )
}

const MAX_INTERVALS = 6

/** Intervals in which events were lost: `vda cpu 0, 0.245 to 0.891 s; ...`. */
function lostInWords({ info }: Run): string {
  const holes = info?.quality.holes ?? []
  const deviceName = (index: number) => info?.devices.find(d => d.index === index)?.name ?? ''
  const listed = holes
    .slice(0, MAX_INTERVALS)
    .map(h => `${deviceName(h.device)} cpu ${h.cpu}, ${seconds(h.from, 3)} to ${seconds(h.to, 3)} s`)
  const unlisted = holes.length > MAX_INTERVALS ? [`${count(holes.length - MAX_INTERVALS)} more`] : []
  return holes.length === 0 ? 'none' : [...listed, ...unlisted].join('; ')
}

/** What the format of the recording lacks, as rows of the dialog; figures that need it are left out. */
const absentFacts = ({ format, absent = [] }: TraceInfo): [string, string][] =>
  absent.length > 0 ? [[`Not in ${format}`, absent.join(', ')]] : []
