/** Fetches several URLs at once: each becomes a file or an error. */
import { asEngineError } from '../engine/errors'
import type { EngineError } from '../engine/protocol'
import type { FoundFile } from './found'
import { type FetchProgress, fetchFile } from './url'

export type FetchOutcome =
  | { readonly url: string; readonly file: FoundFile }
  | { readonly url: string; readonly error: EngineError }

/** Progress of each download, by URL. */
export type FetchProgresses = ReadonlyMap<string, FetchProgress>

/** Fetches URLs; outcomes are in the order of `urls`. `onProgress` is called after every chunk. */
export async function fetchAll(
  urls: readonly URL[],
  onProgress: (progress: FetchProgresses) => void,
  signal: AbortSignal,
): Promise<readonly FetchOutcome[]> {
  const progress = new Map<string, FetchProgress>()
  const outcomes = await Promise.all(
    urls.map(async (url): Promise<FetchOutcome> => {
      const onChunk = (fetched: FetchProgress) => onProgress(new Map(progress.set(url.href, fetched)))
      try {
        return { url: url.href, file: await fetchFile(url, onChunk, signal) }
      } catch (thrown) {
        return { url: url.href, error: asEngineError(thrown) }
      }
    }),
  )
  return makePathsDistinct(outcomes)
}

/**
 * Adds a numbered folder to repeated paths: attachments of bug trackers may have equal names, and the engine groups
 * files by path.
 */
function makePathsDistinct(outcomes: readonly FetchOutcome[]): readonly FetchOutcome[] {
  const counts = new Map<string, number>()
  return outcomes.map(outcome => {
    if (!('file' in outcome)) return outcome
    const { name, path } = outcome.file
    const n = (counts.get(path) ?? 0) + 1
    counts.set(path, n)
    return n === 1
      ? outcome
      : { ...outcome, file: { ...outcome.file, path: `${path.slice(0, -name.length)}${n}/${name}` } }
  })
}
