/** The same requests by the system calls that made them: the rows, their words and their table. Pure. */
import type { CallsUsed, StackSums } from '../../engine/protocol'
import { counted, share, size } from '../../lib/format'
import type { Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { stillReadingWords } from '../shared/answers/words'
import { byCall, CALL, DEVICE_TIME_PERCENT, UNKNOWN } from './spec'

export type CallsOfRun = Pick<Shown, 'letter'> & { readonly used: CallsUsed | undefined }

export interface CallRow {
  readonly name: string
  /** Per run; `undefined` where the call made no request. */
  readonly sums: readonly (StackSums | undefined)[]
}

/** Calls that a sentence names. */
const MAX_NAMED = 3

export const callsOf = (shown: readonly Pick<Shown, 'letter' | 'figures'>[]): readonly CallsOfRun[] =>
  shown.map(({ letter, figures }) => ({ letter, used: figures?.calls }))

export const hasCalls = (runs: readonly CallsOfRun[]): boolean => runs.some(({ used }) => used !== undefined)

/** The most requests in any run first; what has no call is last. */
export function callRows(runs: readonly CallsOfRun[]): readonly CallRow[] {
  const names = [...new Set(runs.flatMap(({ used }) => used?.top.map(({ name }) => name) ?? []))]
  const rows = names.map(
    (name): CallRow => ({ name, sums: runs.map(({ used }) => used?.top.find(call => call.name === name)) }),
  )
  const most = ({ sums }: CallRow) => Math.max(...sums.map(sum => sum?.requests ?? 0))
  const unknown = runs.map(({ used }) => (used?.unknown.requests ? used.unknown : undefined))
  return [
    ...rows.toSorted((a, b) => most(b) - most(a)),
    ...(unknown.some(sum => sum !== undefined) ? [{ name: UNKNOWN, sums: unknown }] : []),
  ]
}

/** Share of all the time in the device. */
export const timeOf = (sums: StackSums, used: CallsUsed | undefined): number | undefined =>
  used?.all.d2c_ns ? sums.d2c_ns / used.all.d2c_ns : undefined

/** `By call of A: fsync() 61% of the requests, 2.1 MiB; ..; 12% without a call.` */
export const callsWords = (runs: readonly CallsOfRun[]): readonly string[] =>
  runs.map(({ letter, used }) => {
    const subject = `${byCall.title} of ${letter}`
    if (used === undefined) return stillReadingWords(subject)
    const part = ({ requests }: StackSums) => share(requests / Math.max(1, used.all.requests))
    const named = used.top
      .slice(0, MAX_NAMED)
      .map(call => `${call.name} ${part(call)} of the requests, ${size(call.bytes)}`)
    const parts = [...named, `${part(used.unknown)} without a call`]
    return `${subject}: of ${counted(used.all.requests, 'request')}, ${parts.join('; ')}.`
  })

export function callsTable(runs: readonly CallsOfRun[], rows: readonly CallRow[]): Table {
  const each = (label: string) => runs.map(({ letter }) => ({ label: `${letter} ${label}` }))
  const cells = ({ sums }: CallRow, value: (sum: StackSums, i: number) => number | undefined) =>
    sums.map((sum, i) => (sum === undefined ? '' : (value(sum, i) ?? '')))
  const percent = (x: number | undefined) => (x === undefined ? undefined : Math.round(x * 1000) / 10)
  return {
    title: byCall.title,
    columns: [{ label: CALL, text: true }, ...each('requests'), ...each('KiB'), ...each(DEVICE_TIME_PERCENT)],
    rows: rows.map(row => [
      row.name,
      ...cells(row, sum => sum.requests),
      ...cells(row, sum => sum.bytes / 1024),
      ...cells(row, (sum, i) => percent(timeOf(sum, runs[i]?.used))),
    ]),
  }
}
