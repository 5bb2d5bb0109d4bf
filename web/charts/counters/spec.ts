/**
 * Counters of other tools on the run's clock. Only the page draws them, one row per counter below the charts;
 * `seekscope summary --json` has their means.
 */
import { count } from '../../lib/format'
import { inRunsWords } from '../shared/answers/words'
import type { PageSpec } from '../shared/spec'
import type { LaneRow } from './data'

export const counters: PageSpec = { kind: 'page', name: 'counters', title: 'Counters', measured: 'counters' }

/** What the group says of itself. */
export const CONTEXT = 'Context: counters explain nothing by themselves.'
/** Labels the box that shows all rows. */
export const ALL_COUNTERS = 'all counters and CPUs'

export const zeroWords = (rows: readonly LaneRow[]): string => `Always 0: ${rows.map(row => row.title).join(', ')}.`

export const moreWords = (n: number): string => `${n} more counters are in the output of seekscope summary --json.`

export const withoutWords = (letters: readonly string[]): string => `No counters next to ${letters.join(', ')}.`

/** Says that a snapshot has fewer counters than its trace. */
export const leftOutWords = (letter: string, n: number): string =>
  `${letter}: ${count(n)} counters are not in this snapshot. Links of size L and reports have the main ones; the opened files have all.`

export const notCountedWords = (letter: string): string => `Not counted next to ${letter}.`
export const notInBothWords = (runs: readonly unknown[]): string => `Not counted${inRunsWords(runs)}.`
