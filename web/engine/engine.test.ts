import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compiledEngine, fixture, openTrace, startWorker } from '../../tests/engine'
import { ns, sector } from '../lib/units'
import type { DroppedFile } from './protocol'

const dropped = (folder: string): DroppedFile[] =>
  fixture(folder).map(part => ({ ...part, path: `${folder}/${part.name}`, lastModified: 1_700_000_000_000 }))

describe('the engine behind the page', () => {
  it('reads a recording and reports on it', async () => {
    const parts = fixture('partitions-deadline-1w')
    const { info, heard } = await openTrace(parts)
    expect(info).toMatchObject({
      name: 'test',
      format: 'blktrace-v7',
      complete: true,
      requests: 320,
      quality: { lostEvents: 0, truncatedBytes: 0 },
    })
    expect(info.devices.map(d => [d.dev, d.role, d.requests])).toEqual([['254,0', 'disk', 320]])
    expect(info.processes.filter(p => p.queued > 0).map(p => [p.name, p.via, p.queued, p.bytes])).toEqual([
      ['dd', '254,1', 320, 320 * 4096],
    ])
    const progress = heard.flatMap(m => (m.type === 'progress' ? [m.progress] : [])).at(-1)
    const bytes = parts.reduce((sum, part) => sum + part.blob.size, 0)
    expect(progress).toMatchObject({ bytes, totalBytes: bytes, events: info.events })
  })

  it('answers every question in the words of the protocol', async () => {
    const { info, ask } = await openTrace(fixture('raid5-misaligned'))
    const device = info.devices.find(d => d.role === 'disk')?.index ?? -1
    const [filter, range] = [{ device }, { t0: ns(0), t1: info.span }]
    const geometry = { level: 'raid5', unit: sector(512), dataDisks: 4, start: sector(0) } as const
    const bands = [{ lba0: sector(0), lba1: sector(1 << 24), y0: 0, y1: 30 }]
    const marks = await ask('seekMap', { filter, range, bands, w: 40, h: 30, layer: 'density', marks: 60_000 })
    expect(Object.keys(marks)).toEqual([
      'kind',
      'n',
      'row',
      'queued',
      'issued',
      'completed',
      'lba',
      'sectors',
      'cls',
      'op',
    ])
    expect(marks).toMatchObject({
      kind: 'marks',
      row: expect.any(Uint32Array),
      lba: expect.any(Float64Array),
      cls: expect.any(Uint8Array),
    })
    const grid = await ask('seekMap', { filter, range, bands, w: 40, h: 30, layer: 'op', marks: 0 })
    expect(Object.keys(grid)).toEqual(['kind', 'w', 'h', 'n', 'counts', 'cls', 'max'])
    const depth = await ask('depth', { device, range, n: 10 })
    expect(Object.keys(depth)).toEqual(['mean', 'min', 'max', 'waitMean', 'waitMax', 'starved'])
    expect(depth.mean).toHaveLength(10)
    const rate = await ask('rate', { filter, range, n: 10 })
    expect(Object.keys(rate)).toEqual(['readBytes', 'writeBytes', 'discardBytes', 'readIos', 'writeIos', 'discardIos'])
    const distribution = await ask('distribution', { filter, range, stage: 'd2c' })
    expect(Object.keys(distribution)).toEqual([
      'n',
      'min',
      'mean',
      'max',
      'p50',
      'p90',
      'p95',
      'p99',
      'p999',
      'p',
      'ns',
      'low',
      'high',
      'edges',
      'counts',
    ])
    const alignment = await ask('alignment', { filter, range, geometry })
    expect(alignment).toMatchObject({
      geometry,
      startReads: expect.any(Float64Array),
      rmw: { extraBytes: expect.any(Number) },
    })
    const places = await ask('stripeTime', { filter, range, geometry, w: 4, h: 5 })
    expect(places).toMatchObject({
      w: 4,
      h: 5,
      counts: expect.any(Uint32Array),
      classes: expect.any(Uint8Array),
      partial: expect.any(Float64Array),
    })
    expect(await ask('starved', { device, range, most: 5 })).toMatchObject({
      intervals: expect.any(Float64Array),
      exact: expect.any(Boolean),
    })
    const cells = await ask('latencyGrid', { filter, range, stage: 'q2c', w: 4, h: 5, low: ns(1e3), high: ns(1e9) })
    expect(cells).toMatchObject({ w: 4, h: 5, counts: expect.any(Uint32Array) })
    expect(await ask('sizes', { filter, range, at: 'queued' })).toMatchObject({
      sectors: expect.any(Float64Array),
      discards: expect.any(Float64Array),
    })
    expect(await ask('requests', { filter, range, sort: 'lba', descending: true, offset: 1, limit: 2 })).toMatchObject({
      rows: [{}, {}],
    })
    expect((await ask('stages', { filter, range })).stages.map(s => s.stage)).toContain('d2c')
    expect((await ask('bands', { filter, range, most: 6, gapShare: 0.01 })).bands.length).toBeGreaterThan(0)
    const { row } = await ask('hit', {
      filter,
      t: marks.kind === 'marks' ? ns(marks.issued[3] ?? 0) : ns(0),
      lba: sector(0),
      dt: ns(1e9),
      dlba: sector(1e9),
    })
    expect(await ask('life', { row, geometry })).toMatchObject({
      row,
      dev: '254,0',
      events: expect.any(Array),
      bios: expect.any(Array),
    })
    const summary = await ask('summary', { geometry })
    expect(summary.devices.find(d => d.dev === '254,0')?.alignment?.spec).toBe(
      'unit=256KiB,disks=4,start=0s,level=raid5',
    )
  })

  it('gives the figures of the summary in its pictures', async () => {
    const { info, ask } = await openTrace(fixture('requeue'))
    const filter = { device: 0 }
    const { devices } = await ask('summary', {})
    const range = { t0: ns(0), t1: info.span }
    const d2c = await ask('distribution', { filter, range, stage: 'd2c' })
    const summary = devices[0]?.latency_ns.d2c
    expect([d2c.n, d2c.mean, d2c.p50, d2c.p99, d2c.max]).toEqual([
      summary?.n,
      summary?.mean,
      summary?.p50,
      summary?.p99,
      summary?.max,
    ])
    const depth = await ask('depth', { device: 0, range, n: 1000 })
    expect(Math.max(...depth.max)).toBe(devices[0]?.depth?.max)
    const rate = await ask('rate', { filter, range, n: 77 })
    const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0)
    expect([sum(rate.readBytes), sum(rate.writeBytes)]).toEqual([devices[0]?.bytes?.read, devices[0]?.bytes?.write])
  })

  it('counts every request once, whatever the picture', async () => {
    const { info, ask } = await openTrace(fixture('discard'))
    const [lba0, lba1] = info.devices[0]?.lba ?? [sector(0), sector(1)]
    const share = fc.integer({ min: 0, max: 1000 })
    await fc.assert(
      fc.asyncProperty(
        share,
        share,
        fc.integer({ min: 1, max: 500 }),
        fc.constantFrom('op', 'size', 'sync'),
        async (a, b, w, layer) => {
          const [t0, t1] = [Math.min(a, b), Math.max(a, b)].map(x => ns((info.span * x) / 1000)) as [
            typeof info.span,
            typeof info.span,
          ]
          const [filter, range] = [{ device: 0 }, { t0, t1 }]
          const flat = await ask('seekMap', {
            filter,
            range,
            bands: [{ lba0, lba1, y0: 0, y1: 1 }],
            w,
            h: 1,
            layer,
            marks: 0,
          })
          const facets = await ask('facets', { filter, range })
          const placed = facets.ops.read + facets.ops.write + facets.ops.discard
          if (flat.kind === 'grid')
            expect([flat.counts.reduce((sum, n) => sum + n, 0), flat.n]).toEqual([placed, placed])
          const { total } = await ask('requests', {
            filter,
            range,
            sort: 'time',
            descending: false,
            offset: 0,
            limit: 1,
          })
          expect(total).toBe(placed + facets.ops.flush)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('says what is wrong with an input', async () => {
    await expect(openTrace([{ name: 'a.blktrace.0', blob: new Blob([]) }])).rejects.toMatchObject({
      code: 'empty-file',
      at: { file: 'a.blktrace.0' },
    })
    const junk = new Blob(['hello world, this is no trace at all, but long enough to be looked at'])
    await expect(openTrace([{ name: 'notes.txt', blob: junk }])).rejects.toMatchObject({
      code: 'text-not-understood',
      at: { file: 'notes.txt', line: 1, byte: 0 },
      remedy: expect.any(String),
    })
  })

  it('keeps the complete records of a truncated file, with a warning', async () => {
    const cut = fixture('ext4-buffered-6.1').map(({ name, blob }) => ({ name, blob: blob.slice(0, blob.size - 7) }))
    const { info } = await openTrace(cut)
    expect(info.quality.warnings.map(w => w.code)).toContain('truncated-tail')
    expect(info.events).toBeGreaterThan(0)
  })

  it('refuses a question in words and goes on', async () => {
    const { info, ask } = await openTrace(fixture('ext4-buffered-6.1'))
    await expect(ask('life', { row: 1e9 })).rejects.toEqual({
      code: 'bad-query',
      message: 'Invalid query: request 1000000000 does not exist.',
    })
    const nonsense = ask('depth', { device: 0, range: { t0: ns(Number.NaN), t1: info.span }, n: 4 })
    await expect(nonsense).rejects.toMatchObject({ code: 'bad-query' })
    expect((await ask('depth', { device: 0, range: { t0: ns(0), t1: info.span }, n: 4 })).mean).toHaveLength(4)
  })

  it('finds the traces among dropped files', async () => {
    const worker = await startWorker()
    const junk = {
      name: 'photo.jpg',
      path: 'photo.jpg',
      blob: new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0])]),
      lastModified: 0,
    }
    const files = [...dropped('partitions-bfq-1w'), ...dropped('sync-fua'), junk]
    worker.post({ type: 'group', engine: compiledEngine(), files })
    const { grouping } = await worker.hear('grouped')
    const names = grouping.traces.map(trace => [...new Set(trace.parts.map(part => files[part]?.path.split('/')[0]))])
    expect(names).toEqual([['partitions-bfq-1w'], ['sync-fua']])
    expect([...grouping.unread, ...grouping.rejected.map(r => r.index)]).toEqual([files.length - 1])
  })
})
