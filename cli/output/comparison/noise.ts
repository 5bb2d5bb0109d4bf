/** `seekscope noise`: what repeated runs differ by. */

import { basename, dirname } from 'node:path'
import type { Digest, FigureNoise, Geometry, NoiseTable } from '../../../web/engine/protocol'
import { ascii } from '../../../web/lib/format'
import { loadEngine } from '../../input/read/engine'
import { runsOf } from '../../input/runs'
import type { TraceInputs } from '../../program/values'
import { print } from '../output'
import { complain } from '../progress'

/**
 * A mark of a repeat at the end of a name: `r1`, `dd-run2`, or nothing but a number. Other numbers are values: `k6.1`,
 * `qd4`.
 */
export const REPEAT = /(?:^|[-_. ])(?:r|run|rep|repeat|iter)[-_. ]?\d+$|^\d+$/i

/** Maximum number of repeats of one measurement: each is compared with every other one. */
const MAX_REPEATS = 100

/**
 * The measurement that a trace is a repeat of, by the first folder from the end whose name has the mark of a repeat.
 */
export function measurement(path: string): string {
  const folder = dirname(path)
  const name = basename(folder)
  const measurementName = name.replace(REPEAT, '')
  return measurementName === name ? folder : `${dirname(folder)}/${measurementName}`
}

export async function noise(
  inputs: TraceInputs,
  { json, geometry }: { json: boolean; geometry?: Geometry },
): Promise<void> {
  const runs = await runsOf(inputs, { ...(geometry && { geometry }) })
  const groups = new Map<string, Digest[]>()
  for (const { path, trace } of runs) {
    const name = measurement(path)
    const group = groups.get(name)
    if (group) group.push(trace)
    else groups.set(name, [trace])
  }
  const repeated = [...groups.values()].filter(group => group.length > 1).map(group => group.slice(0, MAX_REPEATS))
  for (const [path, group] of groups)
    if (group.length > MAX_REPEATS)
      complain(path, 'too-many-runs', `Only the first ${MAX_REPEATS} repeats are included.`)
  if (repeated.length === 0) {
    complain(
      inputs.paths.join(' '),
      'no-repeats',
      'No repeated runs found. Put the traces of one measurement into directories named by a repeat: dd/r1, ' +
        'dd/r2 or dd-run1, dd-run2.',
    )
    return
  }
  const table: NoiseTable = loadEngine().measureNoise(JSON.stringify(repeated))
  await print(json ? `${JSON.stringify(table)}\n` : text(table, repeated.length, repeated.flat().length))
}

const LABEL = 30
const CELL = 12

const KINDS = [
  ['reads', 'Runs that read'],
  ['writes', 'Runs that write (over 10% of the bytes)'],
] as const

function text(table: NoiseTable, measurements: number, runs: number): string {
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(LABEL) : cell.padStart(CELL))).join('')
  const rows = (figures: Readonly<Record<string, FigureNoise>>) =>
    Object.entries(figures)
      .filter(([, { p95 }]) => p95 > 0)
      .map(([key, { pairs, sd, p95 }]) => line([key, String(pairs), ascii.share(sd), ascii.share(p95)]))
  const part = ([kind, title]: (typeof KINDS)[number]) => {
    const list = rows(table[kind])
    return [
      title,
      ...(list.length > 0 ? [line(['', 'pairs', 'sd', '95% below']), ...list] : ['  fewer than 20 pairs of repeats']),
      '',
    ]
  }
  return [
    `${runs} runs of ${measurements} measurements. Differences as logarithm of the ratio`,
    '(10% is a factor of 1.11), of shares in percentage points.',
    '',
    ...KINDS.flatMap(part),
  ].join('\n')
}
