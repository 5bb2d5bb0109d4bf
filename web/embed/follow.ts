/** Handles messages of the page that opened or frames this one, one at a time. */
import * as v from 'valibot'
import { type DecodedLink, decodeLink, type Link } from '../link/link'
import type { PageActions } from '../state/actions'
import type { Page, PageStore } from '../state/page'
import { LETTERS } from '../state/runs/runs'
import { Addressed, type EmbeddedWindow, EmbedMessage, filesOf, type MessageReply, type OpenMessage } from './messages'
import { relay } from './relay'

interface PendingMessage {
  readonly message: OpenMessage
  readonly origin: string
  readonly answer: (answer: MessageReply) => void
}

/** What became of the last sender's files: the numbers of their traces, and their results. */
interface SentContents {
  readonly origin: string
  readonly traces: ReadonlySet<number>
  readonly results: Page['results']
}

/** The view, title and labels of a message, without URLs and samples: a message must not cause requests. */
function linkOf({ view = '', title, labels = [] }: OpenMessage): DecodedLink {
  const { link, problems } = decodeLink(view)
  const { urls: _urls, opened: _opened, gone: _gone, sample: _sample, ...rest } = link
  const labelled = labels.flatMap((label, i) => (label === '' ? [] : [[LETTERS[i] ?? '', label] as const]))
  const viewLink: Link = {
    ...rest,
    ...(title !== undefined && { title }),
    ...(labelled.length > 0 && { labels: { ...rest.labels, ...Object.fromEntries(labelled) } }),
  }
  return { link: viewLink, problems }
}

/** The reply to a message; valid only when nothing is being read any more. */
function replyFor({ runs, notRead, dialog }: Page): MessageReply {
  const errors = dialog?.kind === 'errors' ? dialog.errors : []
  if (runs.length === 0)
    return {
      type: 'failed',
      errors: errors.map(({ code, message, at: place }) => ({
        code,
        message,
        ...(place?.file !== undefined && { file: place.file }),
      })),
    }
  return {
    type: 'opened',
    runs: runs.map(({ letter, label, status }) => ({
      letter,
      label,
      ...(status.kind === 'failed' && { error: status.error.code }),
    })),
    notRead: notRead.map(({ path }) => path),
  }
}

const busy = ({ sorting, runs }: Page): boolean => sorting || runs.some(run => run.status.kind === 'reading')

/** Number of runs that a message would replace, including runs of results. */
const openRuns = ({ runs, results }: Page): number =>
  runs.length > 0 ? runs.length : (results?.document.tables ?? []).reduce((sum, table) => sum + table.runs.length, 0)

/** Whether something is open that this sender did not send: then the user is asked before it is replaced. */
const hasForeignRuns = ({ runs, results }: Page, origin: string, sent: SentContents | undefined): boolean => {
  const lastSent = sent?.origin === origin ? sent : undefined
  return runs.some(run => !lastSent?.traces.has(run.trace)) || (results !== undefined && results !== lastSent?.results)
}

/**
 * Handles messages one at a time; `show` opens a link's view on the empty page. Returns a function that stops it.
 *
 * The user confirms the first files of each origin, and again whenever runs of someone else would be replaced. A page
 * without an origin is ignored: it could not be named in the question.
 */
export function followMessages(
  store: PageStore,
  actions: PageActions,
  show: (requested: DecodedLink) => void,
  host: EmbeddedWindow,
): () => void {
  const allowed = new Set([host.location.origin])
  const queue: PendingMessage[] = []
  const state: { pending?: PendingMessage; opening: boolean; sent?: SentContents } = { opening: false }

  const open = async ({ message, origin, answer }: PendingMessage) => {
    state.opening = true
    allowed.add(origin)
    show(linkOf(message))
    const traces = new Set(await actions.open(filesOf(message)))
    state.sent = { origin, traces, results: store.getState().results }
    await new Promise<void>(resolve => {
      if (!busy(store.getState())) return resolve()
      const stop = store.subscribe(page => {
        if (busy(page)) return
        stop()
        resolve()
      })
    })
    answer(replyFor(store.getState()))
    state.opening = false
    next()
  }
  const next = () => {
    const page = store.getState()
    // Traces that are being opened are not on the page yet, but must not be replaced either.
    if (state.opening || state.pending || page.dialog || page.sorting || page.opening) return
    const pending = queue.shift()
    if (!pending) return
    if (allowed.has(pending.origin) && !hasForeignRuns(page, pending.origin, state.sent)) return void open(pending)
    state.pending = pending
    const { id, files } = pending.message
    const bytes = files.reduce((sum, file) => sum + ('blob' in file ? file.blob.size : file.buffer.byteLength), 0)
    actions.show({
      kind: 'sender',
      id,
      origin: pending.origin,
      names: files.map(file => file.name),
      bytes,
      replaces: openRuns(page),
    })
  }
  const stop = store.subscribe(({ dialog, consent }) => {
    const { pending: asked } = state
    if (asked && !(dialog?.kind === 'sender' && dialog.id === asked.message.id)) {
      delete state.pending
      const confirmed = consent?.id === asked.message.id ? consent.where : undefined
      if (confirmed === 'here') return void open(asked)
      if (confirmed === 'tab') relay({ ...asked.message, from: asked.origin }, host, asked.answer)
      else asked.answer({ type: 'refused', reason: 'reader', message: 'Declined by the user.' })
    }
    next()
  })

  const onMessage = ({ data, origin, source }: MessageEvent) => {
    const addressed = v.safeParse(Addressed, data)
    const isRelated = source !== null && source !== host && (source === host.parent || source === host.opener)
    // A page without an origin (a local file, a sandboxed frame) cannot be identified.
    if (!addressed.success || !isRelated || origin === 'null' || origin === '') return
    const id = addressed.output.id
    const answer = (answer: MessageReply) => (source as Window).postMessage({ seekscope: 1, id, ...answer }, origin)
    const { success, output, issues } = v.safeParse(EmbedMessage, data)
    if (!success) {
      const [issue] = issues
      return answer({
        type: 'refused',
        reason: 'bad-message',
        message: `${v.getDotPath(issue) ?? 'message'}: ${issue.message}`,
      })
    }
    if (output.type === 'hello') return answer({ type: 'ready' })
    const sender = origin === host.location.origin ? (output.from ?? origin) : origin
    queue.push({ message: output, origin: sender, answer })
    next()
  }
  host.addEventListener('message', onMessage)
  return () => {
    stop()
    host.removeEventListener('message', onMessage)
  }
}
