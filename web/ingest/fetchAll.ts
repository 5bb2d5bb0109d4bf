/** Fetches several URLs at once: each becomes a file or an error. */
import { asEngineError } from '../engine/errors'
import type { EngineError } from '../engine/protocol'
import type { FoundFile } from './found'
import { type FetchProgress, fetchFile } from './url'

export type FetchOutcome =
  | { readonly url: string; readonly file: FoundFile }
  | { readonly url: string; readonly error: EngineError }

/** By URL. */
export type FetchProgresses = ReadonlyMap<string, FetchProgress>

/** In the given order; equal paths are made distinct. `tell` is called after every piece. */
export async function fetchAll(
  urls: readonly URL[],
  tell: (progress: FetchProgresses) => void,
  signal: AbortSignal,
): Promise<readonly FetchOutcome[]> {
  const progress = new Map<string, FetchProgress>()
  const outcomes = await Promise.all(
    urls.map(async (url): Promise<FetchOutcome> => {
      const piece = (fetched: FetchProgress) => tell(new Map(progress.set(url.href, fetched)))
      try {
        return { url: url.href, file: await fetchFile(url, piece, signal) }
      } catch (thrown) {
        return { url: url.href, error: asEngineError(thrown) }
      }
    }),
  )
  return apart(outcomes)
}

/** Attachments of bug trackers may have equal paths: the later ones get a numbered folder. */
function apart(outcomes: readonly FetchOutcome[]): readonly FetchOutcome[] {
  const seen = new Map<string, number>()
  return outcomes.map(outcome => {
    if (!('file' in outcome)) return outcome
    const { name, path } = outcome.file
    const n = (seen.get(path) ?? 0) + 1
    seen.set(path, n)
    return n === 1
      ? outcome
      : { ...outcome, file: { ...outcome.file, path: `${path.slice(0, -name.length)}${n}/${name}` } }
  })
}
