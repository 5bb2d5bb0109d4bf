/** The table in words, and as a table of numbers. Pure. */
import { counted, share, size } from '../../lib/format'
import type { Table } from '../shared/answers/table'
import { stillReadingWords } from '../shared/answers/words'
import { bytesOf, ownerKnownWords } from './owner'
import { type FileRow, type FilesOfRun, inFile, meanTime, onDisk, timeShare, writersOf } from './rows'
import { DEVICE_TIME_PERCENT, files, OBJECT, WRITTEN_BY } from './spec'

/** Rows that a sentence names. */
const MAX_NAMED = 3

/** `Files and structures of A: rnd.0.0 has 89.4% of the time in the device, 757 requests of 3 MiB; ..`. */
export function filesWords(runs: readonly FilesOfRun[], rows: readonly FileRow[]): readonly string[] {
  return runs.map((run, i) => {
    const subject = `${files.title} of ${run.letter}`
    const { used } = run
    if (used === undefined) return stillReadingWords(subject)
    const shares = rows.flatMap(({ label, uses }) => {
      const use = uses[i]
      const time = use && timeShare(use, used)
      return use && time !== undefined ? [{ label, use, time }] : []
    })
    const named = shares.toSorted((a, b) => b.time - a.time).slice(0, MAX_NAMED)
    const parts = named.map(
      ({ label, use, time }) =>
        `${label} ${share(time)} of the time in the device, ${counted(use.requests, 'request')}, ${size(bytesOf(use))}`,
    )
    const ownerWords = ownerKnownWords([{ letter: run.letter, figures: { objects: used } }])
    return `${subject}: ${parts.length > 0 ? parts.join('; ') : 'no requests'}.${ownerWords ? ` ${ownerWords}` : ''}`
  })
}

/** All figures of the rows. */
export function filesTable(runs: readonly FilesOfRun[], rows: readonly FileRow[]): Table {
  const each = (label: string, text = false) => runs.map(({ letter }) => ({ label: `${letter} ${label}`, text }))
  const percent = (x: number | undefined) => (x === undefined ? '' : Math.round(x * 1000) / 10)
  return {
    title: files.title,
    columns: [
      { label: OBJECT, text: true },
      ...each('KiB'),
      ...each('requests'),
      ...each(DEVICE_TIME_PERCENT),
      ...each('mean Q2C, ms'),
      ...each('% sequential in the file'),
      ...each('% sequential on the disk'),
      ...each('extents'),
      ...each(WRITTEN_BY, true),
    ],
    rows: rows.map(({ name, uses }) => {
      const cells = (value: (use: NonNullable<(typeof uses)[number]>, i: number) => string | number | undefined) =>
        uses.map((use, i) => (use ? (value(use, i) ?? '') : ''))
      return [
        name,
        ...cells(use => bytesOf(use) / 1024),
        ...cells(use => use.requests),
        ...cells((use, i) => {
          const used = runs[i]?.used
          return percent(used && timeShare(use, used))
        }),
        ...cells(use => {
          const mean = meanTime(use)
          return mean === undefined ? undefined : mean / 1e6
        }),
        ...cells(use => percent(inFile(use))),
        ...cells(use => percent(onDisk(use))),
        ...cells(use => use.extents),
        ...cells(writersOf),
      ]
    }),
  }
}
