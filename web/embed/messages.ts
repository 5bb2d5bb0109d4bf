/** Messages of pages that embed this one, and what they are answered. Version 1. */
import * as v from 'valibot'
import type { FoundFile } from '../ingest/found'
import { LETTERS } from '../state/runs'

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const Text = v.pipe(v.string(), v.minLength(1), v.maxLength(1000))

/** Asks whether the page is there. */
const Hello = v.object({ seekscope: v.literal(1), type: v.literal('hello'), id: Id })

/** `name`: with the folders that it lies in, apart by `/`. */
const Sent = v.union([v.object({ name: Text, blob: v.blob() }), v.object({ name: Text, buffer: v.instance(ArrayBuffer) })])

/** Files to open; they replace what is shown. */
const Open = v.object({
  seekscope: v.literal(1),
  type: v.literal('open'),
  id: Id,
  files: v.pipe(v.array(Sent), v.minLength(1), v.maxLength(10_000)),
  title: v.optional(Text),
  /** Of the runs in their order; an empty one is guessed. */
  labels: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(1000))), v.maxLength(LETTERS.length))),
  /** What stands behind the `#` of a link. */
  view: v.optional(v.pipe(v.string(), v.maxLength(1_000_000))),
})

export const EmbedMessage = v.variant('type', [Hello, Open])
export type OpenMessage = v.InferOutput<typeof Open>

/** Whether it is meant for this page at all, and the id to answer to. */
export const Addressed = v.object({ seekscope: v.number(), id: v.optional(v.string()) })

/** One run as it was opened. */
export interface OpenedRun {
  readonly letter: string
  readonly label: string
  /** Why it could not be read; a code of the user guide. */
  readonly error?: string
}

export type MessageReply =
  | { readonly type: 'ready' }
  /** Every run is read to its end. `notRead`: files that are no part of a run. */
  | { readonly type: 'opened'; readonly runs: readonly OpenedRun[]; readonly notRead: readonly string[] }
  /** No run could be opened. */
  | { readonly type: 'failed'; readonly errors: readonly { readonly code: string; readonly message: string; readonly file?: string }[] }
  /** `reader`: the user declined; `bad-message`: not as documented, `message` says where. */
  | { readonly type: 'refused'; readonly reason: 'reader' | 'bad-message'; readonly message: string }

export const filesOf = ({ files }: OpenMessage): readonly FoundFile[] =>
  files.map(file => ({
    name: file.name.split('/').at(-1) ?? file.name,
    path: file.name,
    blob: 'blob' in file ? file.blob : new Blob([file.buffer]),
    lastModified: 0,
  }))
