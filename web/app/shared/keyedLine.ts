/** The line that a key of a grid leads to; absent for other keys. `page` is in lines. */
export function keyedLine(key: string, line: number, page: number, total: number): number | undefined {
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
