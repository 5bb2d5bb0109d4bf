import { firstOfEach } from '../../lib/firstOfEach'
import { counted } from '../../lib/format'
import type { Dialog as Open } from '../../state/page'
import type { Run } from '../../state/types'
import { useActions, usePage } from '../context'
import { PlayView } from '../play/PlayView'
import { skippedLead, skippedWords } from '../shared/skippedWords'
import { Dialog, DialogFoot } from './Dialog'
import type { OpenDialogProps } from './Dialogs'
import { ErrorFacts } from './ErrorFacts'
import { AnnotationForm } from './edit/AnnotationForm'
import { Groups } from './edit/Groups'
import { Labels } from './edit/Labels'
import { Find } from './find/Find'
import { Addresses } from './open/Addresses'
import { FormatForm } from './open/FormatForm'
import { LinkProblems } from './open/LinkProblems'
import { Part } from './open/Part'
import { PasteText } from './open/PasteText'
import { ReferenceLink } from './open/ReferenceLink'
import { Restore } from './open/Restore'
import { Sender } from './open/Sender'
import { AlignForm } from './run/AlignForm'
import { BenchmarkResults } from './run/BenchmarkResults'
import { GeometryForm } from './run/GeometryForm'
import { NativeTables } from './run/NativeTables'
import { Notes } from './run/Notes'
import { Quality } from './run/Quality'
import { Shortcuts } from './Shortcuts'
import { ExportRequests } from './share/ExportRequests'
import { Share } from './share/Share'

/** The contents of each kind of dialog. Part of the script of the views: the landing page does not load it. */
export function OpenDialog({ dialog, findEntry }: OpenDialogProps) {
  const { close } = useActions()
  const runs = usePage(p => p.runs)
  const results = usePage(p => p.results)
  switch (dialog.kind) {
    case 'share':
      return <Share />
    case 'shortcuts':
      return <Shortcuts onClose={close} />
    case 'find':
      return <Find entry={findEntry} onClose={close} />
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
      return <Addresses initial={dialog.text} />
    case 'paste':
      return <PasteText />
    case 'reference':
      return <ReferenceLink reference={dialog.reference} />
    case 'sender':
      return <Sender dialog={dialog} />
    case 'link-problems':
      return <LinkProblems />
    case 'notes':
    case 'quality':
    case 'native-tables':
      return <RunDialog kind={dialog.kind} run={runs.find(r => r.id === dialog.run)} />
    case 'restore':
      return <Restore names={dialog.names} />
    case 'annotation':
      return <AnnotationForm place={dialog.place} id={dialog.id} />
    case 'align':
      return <AlignForm />
    case 'export-requests':
      return <ExportRequests onlyRun={dialog.run} />
    case 'groups':
      return <Groups run={runs.find(r => r.id === dialog.run)} />
    case 'labels':
      return <Labels />
    case 'part':
      return <ChosenPart trace={dialog.trace} />
  }
}

function ChosenPart({ trace }: { readonly trace: number }) {
  const choice = usePage(p => p.choices.find(candidate => candidate.trace === trace))
  return choice && <Part choice={choice} />
}

interface RunDialogProps {
  readonly kind: 'notes' | 'quality' | 'native-tables'
  /** The run that the dialog is about; absent if it was closed in the meantime. */
  readonly run: Run | undefined
}

function RunDialog({ kind, run }: RunDialogProps) {
  if (!run) return null
  if (kind === 'notes') return <Notes run={run} />
  return kind === 'quality' ? <Quality run={run} /> : <NativeTables run={run} />
}

const MAX_ERRORS = 5

function Errors({ dialog }: { dialog: Extract<Open, { kind: 'errors' }> }) {
  const { close, open, pickFiles, remove, choosePart } = useActions()
  const { errors, run, again: retry } = dialog
  return (
    <Dialog title={dialog.title} sign="!" onClose={close}>
      {errors.slice(0, MAX_ERRORS).map((error, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is open
        <ErrorFacts key={i} error={error} titled={errors.length > 1} />
      ))}
      {dialog.texts && <FormatForm texts={dialog.texts} />}
      {errors.length > MAX_ERRORS && <p>{counted(errors.length - MAX_ERRORS, 'more file')} with the same problem.</p>}
      <DialogFoot onClose={close}>
        {retry && (
          <button
            type="button"
            className="button large"
            onClick={() => {
              close()
              void open(retry)
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

/** Maximum number of listed files per error code; an archive may have 100,000 entries that are no trace. */
const MAX_LISTED = 20

function NotRead() {
  const { close } = useActions()
  const notRead = usePage(p => p.notRead)
  const { first, more: unlistedCount } = firstOfEach(notRead, n => n.error?.code ?? '', MAX_LISTED)
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
          {unlistedCount.map(([code, n]) => (
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
