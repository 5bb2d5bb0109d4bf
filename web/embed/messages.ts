/** Messages of embedding pages and their replies, version 1. Documented in docs/embedding.md. */
import * as v from 'valibot'
import type { FoundFile } from '../ingest/found'
import { LETTERS } from '../state/runs/runs'

/** The parts of `window` that are used; a parameter, so that tests run without a browser. */
export type EmbeddedWindow = Pick<
  Window,
  'location' | 'parent' | 'opener' | 'open' | 'addEventListener' | 'removeEventListener'
>

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const Text = v.pipe(v.string(), v.minLength(1), v.maxLength(1000))

/** A page that was just opened answers nothing until its script runs, so a sender repeats this until it is answered. */
const Hello = v.object({ seekscope: v.literal(1), type: v.literal('hello'), id: Id })

/** A file that a page sends. `name` is its path: folders separated by `/`. */
const Sent = v.union([
  v.object({ name: Text, blob: v.blob() }),
  v.object({ name: Text, buffer: v.instance(ArrayBuffer) }),
])

/** Files to open; they replace the open runs. */
const Open = v.object({
  seekscope: v.literal(1),
  type: v.literal('open'),
  id: Id,
  files: v.pipe(v.array(Sent), v.minLength(1), v.maxLength(10_000)),
  title: v.optional(Text),
  /** Labels in the order of the runs; an empty one is guessed. */
  labels: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(1000))), v.maxLength(LETTERS.length))),
  /** The part of a link after the `#`. */
  view: v.optional(v.pipe(v.string(), v.maxLength(1_000_000))),
  /** Origin of the files. Trusted only from a page of this origin, which relays what it could not ask about. */
  from: v.optional(v.pipe(v.string(), v.url())),
})

export const EmbedMessage = v.variant('type', [Hello, Open])
export type OpenMessage = v.InferOutput<typeof Open>

/** Whether a message is for this page, and its id for the reply. */
export const Addressed = v.object({ seekscope: v.number(), id: v.optional(v.string()) })

interface OpenedRun {
  readonly letter: string
  readonly label: string
  /** Why it could not be read; a code of the user guide. */
  readonly error?: string
}

export type MessageReply =
  | { readonly type: 'ready' }
  /** Every run is read to its end. `notRead`: files that are no part of a run. */
  | { readonly type: 'opened'; readonly runs: readonly OpenedRun[]; readonly notRead: readonly string[] }
  /** No run could be opened; the errors say why. */
  | {
      readonly type: 'failed'
      readonly errors: readonly { readonly code: string; readonly message: string; readonly file?: string }[]
    }
  /** `reader`: the user declined; `bad-message`: not as documented, `message` says where. */
  | { readonly type: 'refused'; readonly reason: 'reader' | 'bad-message'; readonly message: string }

export const filesOf = ({ files }: OpenMessage): readonly FoundFile[] =>
  files.map(file => ({
    name: file.name.split('/').at(-1) ?? file.name,
    path: file.name,
    blob: 'blob' in file ? file.blob : new Blob([file.buffer]),
    lastModified: 0,
  }))
