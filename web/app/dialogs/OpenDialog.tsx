import type { TraceInfo } from '../../engine/protocol'
import { driverFacts } from '../../lib/drivers'
import { firstOfEach } from '../../lib/firstOfEach'
import { count, counted, duration } from '../../lib/format'
import type { Dialog as Open } from '../../state/page'
import { windowInWords } from '../../state/part'
import type { Run } from '../../state/types'
import { useActions, usePage } from '../context'
import { PlayView } from '../play/PlayView'
import { skippedLead, skippedWords } from '../shared/skippedWords'
import { cutOf, lost, records } from '../workspace/quality'
import { Addresses } from './Addresses'
import { AlignForm } from './AlignForm'
import { AnnotationForm } from './AnnotationForm'
import { BenchmarkResults } from './BenchmarkResults'
import { Dialog, DialogFoot } from './Dialog'
import { ErrorFacts } from './ErrorFacts'
import { ExportRequests } from './ExportRequests'
import { FormatForm } from './FormatForm'
import { GeometryForm } from './GeometryForm'
import { Groups } from './Groups'
import { Labels } from './Labels'
import { LinkProblems } from './LinkProblems'
import { NativeTables } from './NativeTables'
import { Notes } from './Notes'
import { Part } from './Part'
import { ReferenceLink } from './ReferenceLink'
import { Sender } from './Sender'
import { Share } from './Share'
import { Shortcuts } from './Shortcuts'

/** The contents of the open dialog. */
export function OpenDialog({ dialog }: { dialog: Open }) {
  const { close } = useActions()
  const runs = usePage(p => p.runs)
  const choices = usePage(p => p.choices)
  const results = usePage(p => p.results)
  switch (dialog.kind) {
    case 'share':
      return <Share />
    case 'shortcuts':
      return <Shortcuts onClose={close} />
    case 'results':
      return results && <BenchmarkResults results={results} />
    case 'play':
      return <PlayView />
    case 'geometry':
      return <GeometryForm onClose={close} />
    case 'errors':
      return <Errors dialog={dialog} />
    case 'not-read':
      return <NotRead />
    case 'addresses':
      return <Addresses given={dialog.text} />
    case 'reference':
      return <ReferenceLink reference={dialog.reference} />
    case 'sender':
      return <Sender dialog={dialog} />
    case 'link-problems':
      return <LinkProblems />
    case 'notes': {
      const run = runs.find(r => r.id === dialog.run)
      return run && <Notes run={run} />
    }
    case 'annotation':
      return <AnnotationForm place={dialog.place} id={dialog.id} />
    case 'align':
      return <AlignForm />
    case 'export-requests':
      return <ExportRequests only={dialog.run} />
    case 'groups':
      return <Groups run={runs.find(r => r.id === dialog.run)} />
    case 'labels':
      return <Labels />
    case 'quality': {
      const run = runs.find(r => r.id === dialog.run)
      return run && <Quality run={run} />
    }
    case 'part': {
      const choice = choices.find(one => one.trace === dialog.trace)
      return choice && <Part choice={choice} />
    }
    case 'native-tables': {
      const run = runs.find(r => r.id === dialog.run)
      return run && <NativeTables run={run} />
    }
  }
}

const MAX_ERRORS = 5

function Errors({ dialog }: { dialog: Extract<Open, { kind: 'errors' }> }) {
  const { close, open, pickFiles, remove, choosePart } = useActions()
  const { errors, run, again } = dialog
  return (
    <Dialog title={dialog.title} sign="!" onClose={close}>
      {errors.slice(0, MAX_ERRORS).map((error, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is open
        <ErrorFacts key={i} error={error} titled={errors.length > 1} />
      ))}
      {dialog.texts && <FormatForm texts={dialog.texts} />}
      {errors.length > MAX_ERRORS && <p>{counted(errors.length - MAX_ERRORS, 'more file')} with the same problem.</p>}
      <DialogFoot onClose={close}>
        {again && (
          <button
            type="button"
            className="button large"
            onClick={() => {
              close()
              void open(again)
            }}
          >
            Retry
          </button>
        )}
        <button
          type="button"
          className="button large"
          onClick={() => {
            close()
            pickFiles('files')
          }}
        >
          Open other files
        </button>
        {run !== undefined && errors.some(error => error.code === 'empty-window') && (
          <button type="button" className="button large" onClick={() => void choosePart(run)}>
            Open another part
          </button>
        )}
        {run !== undefined && (
          <button
            type="button"
            className="button quiet large"
            onClick={() => {
              close()
              remove(run)
            }}
          >
            Remove run
          </button>
        )}
      </DialogFoot>
    </Dialog>
  )
}

/** Warnings that follow from a truncated archive: neither the reader nor the tracer left anything out. */
const FOLLOW_FROM_DAMAGE = ['missing-cpus', 'dropped-events', 'unbalanced', 'truncated-tail', 'cut-line']

function Quality({ run }: { run: Run }) {
  const { close, remove, pickFiles, choosePart } = useActions()
  const quality = run.info?.quality
  if (!quality || !run.info) return undefined
  const { unmatched } = quality
  const warnings = run.cut
    ? quality.warnings.filter(({ code }) => !FOLLOW_FROM_DAMAGE.includes(code))
    : quality.warnings
  const complete = !run.cut && warnings.length === 0 && quality.lostEvents === 0 && quality.truncatedBytes === 0
  const cut = cutOf(quality.warnings)
  const part = run.info.window && windowInWords(run.info.window)
  const rows = [
    ...(part === undefined ? [] : [['Events', count(run.info.events)] as const]),
    [part === undefined ? 'Records' : 'Records read', count(records(run.info))],
    ['Files', counted(run.info.files.length, 'file')],
    ...(part === undefined ? [] : [['Time window', part] as const]),
    ['Lost events', lost(run.info)],
    ...(quality.tracerDropped === undefined
      ? []
      : [['Dropped (reported by blktrace)', count(quality.tracerDropped)] as const]),
    ['Loss intervals', lostInWords(run)],
    ['Bytes truncated', count(quality.truncatedBytes)],
    ['Unknown records', count(quality.unknownRecords)],
    ...(quality.drivers
      ? [['Driver commands', driverFacts(quality.drivers, { counted, duration }).join(', ')] as const]
      : []),
    ['Unmatched', `Q ${count(unmatched.Q)}, D ${count(unmatched.D)}, C ${count(unmatched.C)}`],
    ...absent(run.info),
  ] as const
  const chosen = !run.cut && part !== undefined && warnings.every(warning => warning.code === 'time-window')
  const title = run.cut
    ? `${run.letter} is a part of its recording: ${run.cut.at?.file ?? 'its archive'} is damaged`
    : chosen
      ? `${run.letter} is a part of its recording: ${part} only`
      : cut
        ? `One file of ${run.letter} ends in the middle of ${cut.code === 'cut-line' ? 'a line' : 'a record'}`
        : complete
          ? `${run.letter} is ${lost(run.info) === 'unknown' ? 'completely read' : 'complete'}`
          : `${run.letter} is incomplete`
  return (
    <Dialog
      title={title}
      sign={complete || chosen ? undefined : '!'}
      lead={
        run.cut
          ? 'Everything before the damage was read. Counts and times are at least what is shown.'
          : cut
            ? 'Everything before the end of the file was read.'
            : run.label
      }
      onClose={close}
    >
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
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <DialogFoot onClose={close} close={complete || chosen ? 'Close' : 'Continue with partial data'}>
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
        {part !== undefined && run.rereadable && (
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
    </Dialog>
  )
}

const MAX_INTERVALS = 6

/** `vda cpu 0, 0.245 to 0.891 s; ...`: when events were lost. */
function lostInWords({ info }: Run): string {
  const holes = info?.quality.holes ?? []
  const name = (index: number) => info?.devices.find(d => d.index === index)?.name ?? ''
  const said = holes
    .slice(0, MAX_INTERVALS)
    .map(h => `${name(h.device)} cpu ${h.cpu}, ${(h.from / 1e9).toFixed(3)} to ${(h.to / 1e9).toFixed(3)} s`)
  const more = holes.length > MAX_INTERVALS ? [`${count(holes.length - MAX_INTERVALS)} more`] : []
  return holes.length === 0 ? 'none' : [...said, ...more].join('; ')
}

/** What the format lacks; figures that need it are left out. */
const absent = ({ format, absent = [] }: TraceInfo): [string, string][] =>
  absent.length > 0 ? [[`Not in ${format}`, absent.join(', ')]] : []

/** Files listed of each code; an archive may have 100,000 entries that are no trace. */
const MAX_LISTED = 20

function NotRead() {
  const { close } = useActions()
  const notRead = usePage(p => p.notRead)
  const { first, more } = firstOfEach(notRead, n => n.error?.code ?? '', MAX_LISTED)
  return (
    <Dialog title={skippedWords(notRead)} lead={skippedLead(notRead)} onClose={close}>
      <section className="facts">
        <dl>
          {first.map(n => (
            <div key={n.path} data-code={n.error?.code}>
              <dt className="mono">{n.path}</dt>
              <dd>
                {n.error ? n.error.message : 'Neither a trace nor a text file.'}{' '}
                {n.error && <span className="facts-code mono">{n.error.code}</span>}
                {n.error?.remedy && <p className="caption">{n.error.remedy}</p>}
              </dd>
            </div>
          ))}
          {more.map(([code, n]) => (
            <div key={code} data-more={n}>
              <dt>and {counted(n, code === 'too-many-runs' ? 'more trace' : 'more file')}</dt>
              <dd>{code ? <span className="facts-code mono">{code}</span> : 'Neither traces nor text files.'}</dd>
            </div>
          ))}
        </dl>
      </section>
      <DialogFoot onClose={close} />
    </Dialog>
  )
}
