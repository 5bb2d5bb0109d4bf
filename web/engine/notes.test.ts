import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { compiledEngine, fixture, startWorker } from '../../tests/engine'
import type { DroppedFile, Grouping } from './protocol'

const urlOf = (name: string) => new URL(`../../tests/${name}`, import.meta.url)
const RECORDING = fixture('partitions-deadline-1w').map(part => ({
  ...part,
  path: `run/${part.name}`,
  lastModified: 0,
}))

const textFile = (name: string, text: string | Uint8Array): DroppedFile => ({
  name,
  path: `run/${name}`,
  blob: new Blob([typeof text === 'string' ? text : new Uint8Array(text)]),
  lastModified: 0,
})

/** How the worker groups files. */
const grouped = async (files: readonly DroppedFile[]): Promise<Grouping> => {
  const worker = await startWorker()
  worker.post({ type: 'group', engine: compiledEngine(), files })
  const { grouping } = await worker.hear('grouped')
  return grouping
}

describe('texts beside a trace', () => {
  it('describe the machine', async () => {
    const grouping = await grouped([
      ...RECORDING,
      textFile('uname.txt', 'Linux debian 6.1.0-47-amd64 #1 SMP x86_64 GNU/Linux\n'),
      textFile('meta.json', readFileSync(urlOf('notes/dropped/meta.json'))),
      textFile('blktrace.log', readFileSync(urlOf('notes/two-devices.log'))),
    ])
    expect(grouping.traces).toHaveLength(1)
    expect(grouping.notes.map(({ note }) => note.kind)).toEqual(['uname', 'description', 'blktrace-log'])
  })

  describe('with outputs of a benchmark', () => {
    const file = textFile('fio.txt', readFileSync(urlOf('tables/fio.txt')))
    let beside: Awaited<ReturnType<typeof grouped>>
    beforeAll(async () => {
      beside = await grouped([...RECORDING, file])
    })

    it('have its figures', () => {
      const [trace] = beside.traces
      expect(trace?.bench?.map(figure => [figure.key, figure.value])).toEqual([
        ['bench.fio.read.iops', 200],
        ['bench.fio.read.bw', 1638400],
        ['bench.fio.read.clat_mean', 2560660],
        ['bench.fio.read.clat_p99', 12780000],
        ['bench.fio.write.iops', 192],
        ['bench.fio.write.bw', 1573888],
        ['bench.fio.write.clat_mean', 2361160],
        ['bench.fio.write.clat_p99', 4424000],
      ])
      expect(trace?.workload).toBe('ph2')
    })

    it('have the same figures without the trace', async () => {
      const alone =
        (await grouped([file])).results?.tables.flatMap(table => table.runs).flatMap(run => run.figures) ?? []
      for (const { key, label, value } of beside.traces[0]?.bench ?? [])
        expect(alone).toContainEqual(expect.objectContaining({ key, label, value }))
    })
  })

  it('are two runs where they have two outputs: nothing is added', async () => {
    const output = readFileSync(urlOf('tables/fio.txt'), 'utf8')
    const grouping = await grouped([...RECORDING, textFile('two.txt', `${output}\n${output}`)])
    const iops = grouping.traces[0]?.bench?.filter(figure => figure.key.endsWith('read.iops'))
    expect(iops?.map(figure => [figure.key, figure.value])).toEqual([
      ['bench.fio.ph2-1.read.iops', 200],
      ['bench.fio.ph2-2.read.iops', 200],
    ])
  })
})
