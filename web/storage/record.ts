/** A comparison as it is kept: what to show of it on the landing page, and what it takes to open it again. */
import type { TextChoices } from '../engine/protocol'
import type { FoundFile } from '../ingest/found'
import type { TracePart } from '../link/view'
import type { LinkOrigin } from '../state/address/links'
import type { Page } from '../state/page'
import { type NotKept, planFiles } from './limits'

export interface StoredFile {
  readonly name: string
  readonly path: string
  readonly size: number
  readonly lastModified: number
  /** Name of its copy. */
  readonly copy?: string
  /** The file, or the folder that was dropped with it, on the disk. */
  readonly handle?: FileSystemHandle
  /** Present where it has neither. */
  readonly notKept?: NotKept
}

interface StoredBatch {
  readonly files: readonly StoredFile[]
  /** Number of traces that were opened from it. */
  readonly traces: number
}

export interface StoredComparison {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly when: number
  readonly title?: string
  /** The verdict in words, once it is known. */
  readonly verdict?: string
  /** The first runs, or the names of what is open without runs. */
  readonly sides: readonly { readonly letter?: string; readonly label: string }[]
  /** How many there are besides the sides. */
  readonly more: number
  /** The fragment of its URL. */
  readonly link: string
  /** Where the link opens its traces from; absent: from the batches. */
  readonly from?: LinkOrigin
  readonly batches: readonly StoredBatch[]
  /** Removed traces: numbers in the order of opening, from 1. */
  readonly gone: readonly number[]
  readonly windows: readonly TracePart[]
  readonly choices?: TextChoices
  /** Size of its copies. */
  readonly bytes: number
  /** Equal for comparisons of the same files, or from the same link; absent if that cannot be told. */
  readonly source?: string
}

type Contents = Pick<StoredComparison, 'batches' | 'gone' | 'windows' | 'bytes'>

/** Traces that are open or can come back by undo. */
const livingTraces = ({ runs, undo }: Page): ReadonlySet<number> =>
  new Set([...runs.map(run => run.trace), ...undo.flatMap(step => step.traces)])

/** What is known of the copies of files. */
export interface CopyPlan {
  readonly canCopy: boolean
  copyName(file: FoundFile): string
  /** Why a copy failed. */
  refusal(file: FoundFile): NotKept | undefined
}

/** The files of a page. */
export function contentsOf(page: Page, { canCopy, copyName, refusal }: CopyPlan): Contents {
  const living = livingTraces(page)
  const open = new Set(page.runs.map(run => run.trace))
  // A batch whose traces are all closed for good is not needed.
  const batches = page.batches.filter(({ traces }) => traces.length === 0 || traces.some(trace => living.has(trace)))
  const files = batches.flatMap(batch => batch.files.map(({ file }) => file))
  const plan = planFiles(
    files.map(({ blob, handle }) => ({ size: blob.size, onDisk: handle !== undefined })),
    canCopy,
  )
  const storedFile = (file: FoundFile): StoredFile => {
    const { name, path, blob, lastModified, handle } = file
    const notKept = plan[files.indexOf(file)] ?? refusal(file)
    const common = { name, path, size: blob.size, lastModified }
    if (notKept) return { ...common, notKept }
    return handle ? { ...common, handle } : { ...common, copy: copyName(file) }
  }
  const stored = batches.map(({ files: batchFiles, traces }) => ({
    files: batchFiles.map(({ file }) => storedFile(file)),
    traces: traces.length,
  }))
  const traces = batches.flatMap(batch => batch.traces)
  return {
    batches: stored,
    gone: traces.flatMap((trace, i) => (open.has(trace) ? [] : [i + 1])),
    windows: traces.flatMap((trace, i): readonly TracePart[] => {
      const run = page.runs.find(candidate => candidate.trace === trace)
      const window = run?.window ?? run?.info?.window
      return window ? [{ trace: i + 1, window }] : []
    }),
    bytes: stored.flatMap(batch => batch.files).reduce((sum, file) => sum + (file.copy ? file.size : 0), 0),
  }
}

/** The same files in the same order; files without a date cannot be recognised. */
export function sourceOf(batches: StoredComparison['batches'], openedBy: string | undefined): string | undefined {
  if (openedBy !== undefined) return openedBy
  const files = batches.flatMap(batch => batch.files)
  if (files.length === 0 || files.some(file => file.lastModified === 0)) return undefined
  return JSON.stringify(files.map(({ path, size, lastModified }) => [path, size, lastModified]))
}

/** Files that are not kept. */
export const missingFiles = ({ batches }: Pick<StoredComparison, 'batches'>): readonly StoredFile[] =>
  batches.flatMap(batch => batch.files.filter(file => file.notKept))

/** Whether nothing of what was opened from files is kept. */
export const isHollow = ({ from, batches }: StoredComparison): boolean =>
  from === undefined && batches.flatMap(batch => batch.files).every(file => file.notKept)
