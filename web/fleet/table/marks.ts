/**
 * Marks in labels and paths that say which build a run is of, where no column does: `build=41`, `build-41`, `build41`.
 */

/** The column that names builds. */
export const BUILD = 'build'

/** Texts in which a mark may be, the first of them first. */
export const MARKED = ['run', 'source', 'trace'] as const

export const regexOf = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `NAME=VALUE` with any value, or `NAME-41`, `NAME 6.12-rc3`, `NAME41`. */
export function markOf(name: string): RegExp {
  const value = '=([^/\\s,;]+?)(?=(?:\\.tar|\\.tgz|\\.zip)?(?:$|[/\\s,;.]))|[:_ -]?(v?\\d+(?:[.+~]\\w+)*(?:-rc\\d+)?)'
  return new RegExp(`(?:^|[^A-Za-z0-9])${regexOf(name)}(?:${value})(?![A-Za-z0-9])`, 'i')
}

/** Returns what follows the mark, in the first text that has it. */
export function markIn(mark: RegExp, texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const [, equal, numbered] = mark.exec(text) ?? []
    const found = equal ?? numbered
    if (found !== undefined) return found
  }
  return undefined
}
