/** Which of the dropped files are open already: the same file, or another one with the same contents. */
import type { FoundFile } from '../../ingest/found'
import { joinWords } from '../../lib/text/lists'
import type { BatchFile, Page } from '../../state/page'

/** Files up to this size are compared byte by byte, others by name, size and date alone. */
export const COMPARED_BYTES = 64 * 1024 * 1024

/** Bytes that are compared at once. */
const CHUNK_BYTES = 4 * 1024 * 1024

async function haveSameBytes(a: Blob, b: Blob): Promise<boolean> {
  for (let begin = 0; begin < a.size; begin += CHUNK_BYTES) {
    const [x, y] = await Promise.all(
      [a, b].map(async blob => new Uint8Array(await blob.slice(begin, begin + CHUNK_BYTES).arrayBuffer())),
    )
    if (!x || !y || x.some((byte, i) => byte !== y[i])) return false
  }
  return true
}

/** Files without a date were made by a page or a script; only their contents tell. */
export async function isSameFile(a: FoundFile, b: FoundFile): Promise<boolean> {
  if (a.blob.size !== b.blob.size) return false
  if (a.name === b.name && a.lastModified === b.lastModified && a.lastModified > 0) return true
  // A file that cannot be read is reported when it is opened.
  return a.blob.size <= COMPARED_BYTES && haveSameBytes(a.blob, b.blob).catch(() => false)
}

export interface AlreadyOpen {
  /** The files that are not open. */
  readonly files: readonly FoundFile[]
  readonly open: readonly FoundFile[]
  /** What to tell the user; absent if nothing is open already. */
  readonly words?: string
}

/** The files of the page whose traces, or whose results, are shown. */
function shownFiles({ batches, runs, results }: Page): readonly BatchFile[] {
  const traces = new Set(runs.flatMap(run => (run.status.kind === 'failed' ? [] : run.trace)))
  const isShown = (file: BatchFile) => file.traces.length === 0 || file.traces.some(trace => traces.has(trace))
  return runs.length === 0 && !results ? [] : batches.flatMap(batch => batch.files.filter(isShown))
}

/** The name that the files of one recording share. */
const baseOf = ({ path }: FoundFile): string => path.replace(/\.blktrace\.\d+$/, '')

/** Splits files into those that are open and the others. A recording that has gained a file is opened again. */
export async function alreadyOpen(page: Page, files: readonly FoundFile[]): Promise<AlreadyOpen> {
  const shown = page.home ? [] : shownFiles(page)
  const matches = await Promise.all(
    files.map(async file => {
      for (const candidate of shown) if (await isSameFile(file, candidate.file)) return candidate
      return undefined
    }),
  )
  const newBases = new Set(files.filter((_, i) => matches[i] === undefined).map(baseOf))
  const found = files.flatMap((file, i) => {
    const match = matches[i]
    return match && !newBases.has(baseOf(file)) ? [{ file, match }] : []
  })
  // Texts alone are read again: they may be notes on runs that were opened since.
  const hasRuns = page.runs.length > 0
  if (found.length === 0 || (hasRuns && found.every(({ match }) => match.traces.length === 0)))
    return { files, open: [] }
  const open = found.map(({ file }) => file)
  const traces = new Set(found.flatMap(({ match }) => match.traces))
  const letters = page.runs.flatMap(run => (traces.has(run.trace) ? run.letter : []))
  const names = [
    ...new Set(found.flatMap(({ file, match }) => (hasRuns && match.traces.length === 0 ? [] : nameOf(file)))),
  ]
  const verb = names.length === 1 ? 'is' : 'are'
  const what = names.length > 3 ? `${names.length} files` : joinWords(names)
  return {
    files: files.filter(file => !open.includes(file)),
    open,
    words: `${what} ${verb} open already${letters.length > 0 ? ` as ${joinWords(letters)}` : ''}.`,
  }
}

/** Per-CPU files are one recording. */
const nameOf = ({ name }: FoundFile): string => name.replace(/\.blktrace\.\d+$/, '')
