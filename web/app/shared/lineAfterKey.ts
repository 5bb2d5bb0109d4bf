/**
 * The line to which a navigation key of a grid moves; `undefined` for other keys. The result may be outside of the
 * grid: the caller clamps it. `page`: number of lines that Page Up and Page Down skip.
 */
export function lineAfterKey(key: string, line: number, page: number, total: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowUp: line - 1,
    ArrowDown: line + 1,
    PageUp: line - page,
    PageDown: line + page,
    Home: 0,
    End: total - 1,
  }
  return targets[key]
}
