/** The layers in words, and as a table of numbers. Pure. */
import { duration, share } from '../../lib/format'
import type { Table } from '../shared/answers/table'
import { stillReadingWords } from '../shared/answers/words'
import type { LayerDevice, LayerInRun, LayersOfRun } from './rows'
import { DEVICE, layers } from './spec'

/** `Layers of A: md0 raid1 itself 12.3 µs, below it 1.09 ms (medians), 1.1% of the time; vda 0.99 ms.` */
export function layersWords(runs: readonly LayersOfRun[], rows: readonly LayerDevice[]): readonly string[] {
  return runs.map(({ letter, devices }, i) => {
    const subject = `${layers.title} of ${letter}`
    if (devices === undefined) return stillReadingWords(subject)
    const parts = rows.flatMap(({ name, kind, uses }) => {
      const use = uses[i]
      if (use?.itself === undefined) return []
      const title = [name, kind].filter(Boolean).join(' ')
      const itself = duration(use.itself.p50)
      if (use.below === undefined) return [`${title} ${itself}`]
      return [
        `${title} itself ${itself}, below it ${duration(use.below.p50)}, ${share(use.share ?? 0)} of the time its own`,
      ]
    })
    return `${subject}, medians: ${parts.length > 0 ? parts.join('; ') : 'nothing was measured'}.`
  })
}

/** All figures of the rows; times in \u00b5s. */
export function layersTable(runs: readonly LayersOfRun[], rows: readonly LayerDevice[]): Table {
  const each = (label: string) => runs.map(({ letter }) => ({ label: `${letter} ${label}` }))
  const cells = (row: LayerDevice, value: (use: LayerInRun) => number | undefined) =>
    row.uses.map(use => (use === undefined ? '' : (value(use) ?? '')))
  const micro = (ns: number | undefined) => (ns === undefined ? undefined : ns / 1000)
  return {
    title: layers.title,
    columns: [
      { label: DEVICE, text: true },
      { label: 'kind', text: true },
      ...each('requests'),
      ...each('KiB'),
      ...each('% of its time its own'),
      ...each('itself, median, us'),
      ...each('itself, 99th percentile, us'),
      ...each('below it, median, us'),
      ...each('below it, 99th percentile, us'),
    ],
    rows: rows.map(row => [
      row.name,
      row.kind,
      ...cells(row, use => use.requests),
      ...cells(row, use => use.bytes / 1024),
      ...cells(row, use => (use.share === undefined ? undefined : Math.round(use.share * 1000) / 10)),
      ...cells(row, use => micro(use.itself?.p50)),
      ...cells(row, use => micro(use.itself?.p99)),
      ...cells(row, use => micro(use.below?.p50)),
      ...cells(row, use => micro(use.below?.p99)),
    ]),
  }
}
