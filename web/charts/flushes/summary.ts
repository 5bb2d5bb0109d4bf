/** Flushes and forced unit access in words. */
import { count, counted, share } from '../../lib/format'
import type { Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { inRunsWords, NOT_RECORDED, stillReadingWords } from '../shared/answers/words'

type Flushes = NonNullable<NonNullable<Shown['figures']>['flush']>

/** Counts; absent where one of them was not recorded. */
function counts(
  f: Flushes,
): { readonly preflush: number; readonly flush: number; readonly fua: number; readonly busy: number } | undefined {
  const { preflush, flush, fua, busy_share: busy } = f
  if (preflush === undefined || flush === undefined || fua === undefined || busy === undefined) return undefined
  return { preflush, flush, fua, busy }
}

export function words(run: Shown): string {
  if (run.figures === undefined) return stillReadingWords(run.letter)
  if (run.figures.flush === undefined) return `${run.letter}: not in this format.`
  const f = counts(run.figures.flush)
  const { absent } = run.figures
  if (f === undefined)
    return `${run.letter}: ${absent?.['flush.flush'] ?? absent?.['flush.busy_share'] ?? absent?.['flush.preflush'] ?? NOT_RECORDED}.`
  const requests = run.device.requests
  if (f.preflush + f.flush + f.fua === 0)
    return `${run.letter}: none; 0 flushes and 0 FUA writes among ${counted(requests, 'request')}.`
  return `${run.letter}: ${count(f.flush)} flush requests, ${count(f.preflush)} writes with a preflush, ${counted(f.fua, 'FUA write')} among ${counted(requests, 'request')}; a flush was in flight for ${share(f.busy)} of the run.`
}

/** One sentence when no run has any. */
export function noneWords(shown: readonly Shown[]): string | undefined {
  const none = shown.every(({ figures }) => {
    const f = figures?.flush && counts(figures.flush)
    return f && f.preflush + f.flush + f.fua === 0
  })
  if (!none || shown.length === 0) return undefined
  return `None${inRunsWords(shown) || ' in this run'}: 0 flushes and 0 FUA writes among ${counted(
    shown.reduce((sum, run) => sum + run.device.requests, 0),
    'request',
  )}.`
}

export function table(shown: readonly Shown[]): Table {
  return {
    title: 'Flushes and FUA',
    columns: [
      { label: 'run', text: true },
      { label: 'preflush' },
      { label: 'flush' },
      { label: 'FUA' },
      { label: 'busy, %' },
    ],
    rows: shown.flatMap(run => {
      const f = run.figures?.flush
      if (f === undefined) return []
      return [
        [
          run.letter,
          f.preflush ?? '',
          f.flush ?? '',
          f.fua ?? '',
          f.busy_share === undefined ? '' : f.busy_share * 100,
        ],
      ]
    }),
  }
}
