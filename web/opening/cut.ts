/** Runs in archives that are truncated or damaged: what came before the damage is read. */
import type { EngineError } from '../engine/protocol'

/** Error code of archives and compressed files that are truncated or damaged. */
const DAMAGED = 'damaged-archive'

interface FoundTraces {
  readonly files: readonly { readonly path: string }[]
  readonly traces: readonly { readonly parts: readonly number[] }[]
  readonly problems: readonly EngineError[]
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const isIn = (path: string, archive: string): boolean => path === archive || path.startsWith(`${archive}/`)

/**
 * The damage that ends each trace, by index of the trace. An archive stores its files one after another, so only the
 * recording of the last readable file is incomplete.
 */
export function cutTraces({ files, traces, problems }: FoundTraces): readonly (EngineError | undefined)[] {
  const cuts = problems.flatMap(error => {
    const archive = error.code === DAMAGED ? error.at?.file : undefined
    const last = archive === undefined ? -1 : files.findLastIndex(({ path }) => isIn(path, archive))
    return archive === undefined || last < 0 ? [] : [{ error, archive, last }]
  })
  return traces.map(({ parts }) => {
    const paths = parts.flatMap(part => files[part]?.path ?? [])
    return cuts.find(({ archive, last }) => {
      const folder = folderOf(files[last]?.path ?? '')
      return (
        paths.some(path => isIn(path, archive)) && (parts.includes(last) || paths.some(p => folderOf(p) === folder))
      )
    })?.error
  })
}
