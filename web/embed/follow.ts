/** Handles messages of the page that opened or frames this one, one at a time. */
import * as v from 'valibot'
import { type DecodedLink, decodeLink, type Link } from '../link/link'
import type { PageActions } from '../state/actions'
import type { Page, PageStore } from '../state/page'
import { LETTERS } from '../state/runs'
import { Addressed, EmbedMessage, filesOf, type MessageReply, type OpenMessage } from './messages'

/** The parts of `window` that are used; a parameter, so that tests run without a browser. */
export type EmbeddedWindow = Pick<Window, 'location' | 'parent' | 'opener' | 'addEventListener' | 'removeEventListener'>

interface PendingMessage {
  readonly message: OpenMessage
  readonly origin: string
  readonly answer: (answer: MessageReply) => void
}

/** The view, title and labels of a message, without URLs and samples: a message must not cause requests. */
function linkOf({ view = '', title, labels = [] }: OpenMessage): DecodedLink {
  const { link, problems } = decodeLink(view)
  const { urls: _urls, opened: _opened, gone: _gone, sample: _sample, ...rest } = link
  const named = labels.flatMap((label, i) => (label === '' ? [] : [[LETTERS[i] ?? '', label] as const]))
  const own: Link = {
    ...rest,
    ...(title !== undefined && { title }),
    ...(named.length > 0 && { labels: { ...rest.labels, ...Object.fromEntries(named) } }),
  }
  return { link: own, problems }
}

/** The reply, once nothing is being read. */
function outcome({ runs, notRead, dialog }: Page): MessageReply {
  const errors = dialog?.kind === 'errors' ? dialog.errors : []
  if (runs.length === 0)
    return { type: 'failed', errors: errors.map(({ code, message, at }) => ({ code, message, ...(at?.file !== undefined && { file: at.file }) })) }
  return {
    type: 'opened',
    runs: runs.map(({ letter, label, status }) => ({ letter, label, ...(status.kind === 'failed' && { error: status.error.code }) })),
    notRead: notRead.map(({ path }) => path),
  }
}

const busy = ({ sorting, runs }: Page): boolean => sorting || runs.some(run => run.status.kind === 'reading')

/** `show` sets a link's view on the empty page. Returns a function that stops it. */
export function followMessages(store: PageStore, actions: PageActions, show: (read: DecodedLink) => void, host: EmbeddedWindow): () => void {
  const allowed = new Set([host.location.origin])
  const queue: PendingMessage[] = []
  /** `last`: origin of the open files. */
  const now: { asked?: PendingMessage; opening: boolean; last?: string } = { opening: false }

  const open = async ({ message, origin, answer }: PendingMessage) => {
    now.opening = true
    now.last = origin
    allowed.add(origin)
    show(linkOf(message))
    await actions.open(filesOf(message))
    await new Promise<void>(done => {
      if (!busy(store.getState())) return done()
      const stop = store.subscribe(page => {
        if (busy(page)) return
        stop()
        done()
      })
    })
    answer(outcome(store.getState()))
    now.opening = false
    next()
  }
  const next = () => {
    const { dialog, runs } = store.getState()
    if (now.opening || now.asked || dialog) return
    const asked = queue.shift()
    if (!asked) return
    if (allowed.has(asked.origin) && (runs.length === 0 || now.last === asked.origin)) return void open(asked)
    now.asked = asked
    const { id, files } = asked.message
    const bytes = files.reduce((sum, file) => sum + ('blob' in file ? file.blob.size : file.buffer.byteLength), 0)
    actions.show({ kind: 'sender', id, origin: asked.origin, names: files.map(file => file.name), bytes, replaces: runs.length })
  }
  const stop = store.subscribe(({ dialog, consent }) => {
    const { asked } = now
    if (asked && !(dialog?.kind === 'sender' && dialog.id === asked.message.id)) {
      delete now.asked
      if (consent === asked.message.id) return void open(asked)
      asked.answer({ type: 'refused', reason: 'reader', message: 'Declined by the user.' })
    }
    next()
  })

  const onMessage = ({ data, origin, source }: MessageEvent) => {
    const given = v.safeParse(Addressed, data)
    const known = source !== null && source !== host && (source === host.parent || source === host.opener)
    // A page without an origin (a local file, a sandboxed frame) cannot be identified.
    if (!given.success || !known || origin === 'null' || origin === '') return
    const id = given.output.id
    const answer = (answer: MessageReply) => (source as Window).postMessage({ seekscope: 1, id, ...answer }, origin)
    const { success, output, issues } = v.safeParse(EmbedMessage, data)
    if (!success) {
      const [issue] = issues
      return answer({ type: 'refused', reason: 'bad-message', message: `${v.getDotPath(issue) ?? 'message'}: ${issue.message}` })
    }
    if (output.type === 'hello') return answer({ type: 'ready' })
    queue.push({ message: output, origin, answer })
    next()
  }
  host.addEventListener('message', onMessage)
  return () => {
    stop()
    host.removeEventListener('message', onMessage)
  }
}
