/**
 * The index over published runs: the table, its errors, and the page that opens it.
 *
 * There is no lock, which a killed command would leave behind. Each command writes the index of the runs that it finds
 * and then looks again; if there are other runs by now, it writes once more. A run has its name before its command
 * writes the index, so the last command that writes has seen all of them. A command that is killed in between leaves an
 * index that lacks runs until the next one.
 */

import { join } from 'node:path'
import { writeErrors } from '../fleet/results'
import { outputTarget } from '../output/output'
import { say } from '../output/progress'
import { indexPage } from './html'
import { type ListedRuns, readRuns, runNames, runPath } from './runs'
import { ERRORS, writeFleet } from './table'

/** Others that publish at the same time end, too: each round means that one of them has. */
const MAX_ROUNDS = 1000

interface IndexOptions {
  /** URL of a hosted page; absent: the page that is placed beside the runs. */
  readonly base?: string
  /** From the digests of the runs alone, not from the table that there is. */
  readonly rebuild: boolean
}

export interface WrittenIndex {
  readonly path: string
  readonly runs: number
  /** Number of folders that are not complete runs. */
  readonly broken: number
}

async function writeText(path: string, text: string): Promise<void> {
  const target = outputTarget(path)
  try {
    await target.write(Buffer.from(text))
    target.keep()
  } finally {
    target.drop()
  }
}

async function writeOnce(into: string, { runs, broken }: ListedRuns, { base, rebuild }: IndexOptions) {
  const unread = await writeFleet(into, runs, rebuild)
  const problems = [
    ...broken,
    ...unread,
    ...runs.flatMap(({ run, problems }) => problems.map(problem => ({ source: runPath(run), ...problem }))),
  ]
  await writeErrors(problems, join(into, ERRORS))
  const page = indexPage(runs, { problems: problems.length, ...(base !== undefined && { page: base }) })
  await writeText(join(into, 'index.html'), page)
  return broken.length + unread.length
}

/** Writes the index of all runs in a folder. Throws SetupError. */
export async function writeIndex(into: string, options: IndexOptions): Promise<WrittenIndex> {
  const path = join(into, 'index.html')
  let names = runNames(into)
  for (let round = 1; ; round++) {
    const listed = readRuns(into, names)
    const broken = await writeOnce(into, listed, { ...options, rebuild: options.rebuild && round === 1 })
    const now = runNames(into)
    if (now.join('\n') === names.join('\n')) return { path, runs: listed.runs.length, broken }
    if (round === MAX_ROUNDS) {
      say(`${path}: other commands kept changing the runs. To complete the index: seekscope publish --reindex --into`)
      return { path, runs: listed.runs.length, broken }
    }
    names = now
  }
}
