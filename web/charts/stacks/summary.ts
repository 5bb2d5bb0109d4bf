/** The call stacks in words, and as a table of numbers. Pure. */
import { counted, share } from '../../lib/format'
import type { Table } from '../shared/answers/table'
import { stillReadingWords } from '../shared/answers/words'
import { FUNCTION, STACK_MEASURES, stacks } from './spec'
import { type StackFunction, type StacksOfRun, shareOf } from './tree'

/** Paths that a sentence names. */
const MAX_NAMED = 3

/** `Call stacks of A: 61% of the requests by fsync() > ext4_sync_file; ..; 0.4% have none.` */
export function stacksWords(runs: readonly StacksOfRun[]): readonly string[] {
  return runs.map(({ letter, used }) => {
    const subject = `${stacks.title} of ${letter}`
    if (used === undefined) return stillReadingWords(subject)
    const part = (requests: number) => share(requests / Math.max(1, used.all.requests))
    const paths = used.paths.slice(0, MAX_NAMED).map(({ path, requests }) => `${part(requests)} by ${path}`)
    const parts = [...paths, used.unknown.requests > 0 && `${part(used.unknown.requests)} have none`].filter(Boolean)
    return `${subject}: of ${counted(used.all.requests, 'request')}, ${parts.join('; ')}.`
  })
}

/** What a reader has to know about the stacks of a run. */
export function stacksNotes({ letter, used }: StacksOfRun): readonly string[] {
  if (used === undefined) return []
  return [
    used.by_issue > 0 && `${letter}: ${counted(used.by_issue, 'stack')} of the issue, as the submission has none`,
    used.other_symbols && `${letter}: kallsyms is of another kernel, and was not used`,
    used.has_addresses &&
      `${letter}: addresses instead of names; put /proc/kallsyms of that machine, read as root, or the output of perf script next to it`,
    used.other_clock > 0 &&
      `${letter}: ${counted(used.other_clock, 'stack')} by another clock, of unknown distance to that of the trace; ` +
        'record both with the clock mono',
    used.left_out > 0 && `${letter}: ${counted(used.left_out, 'stack')} left out`,
  ].filter(text => text !== false)
}

/** All functions with their shares, the callers before what they call. */
export function stacksTable(runs: readonly StacksOfRun[], root: StackFunction): Table {
  const rows: (string | number)[][] = []
  const percent = (x: number | undefined) => (x === undefined ? '' : Math.round(x * 1000) / 10)
  const visit = (found: StackFunction) => {
    if (found.path !== '') {
      rows.push([
        found.path,
        ...runs.map((_, run) => found.sums[run]?.requests ?? ''),
        ...STACK_MEASURES.flatMap(([measure]) => runs.map((_, run) => percent(shareOf(runs, found, run, measure)))),
      ])
    }
    found.called.forEach(visit)
  }
  visit(root)
  const each = (label: string) => runs.map(({ letter }) => ({ label: `${letter} ${label}` }))
  return {
    title: stacks.title,
    columns: [
      { label: FUNCTION, text: true },
      ...each('requests'),
      ...STACK_MEASURES.flatMap(([, label]) => each(`% ${label}`)),
    ],
    rows,
  }
}
