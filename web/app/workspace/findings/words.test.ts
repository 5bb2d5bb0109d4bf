import { describe, expect, it } from 'vitest'
import type { DeviceRole, RowMeaning, TraceInfo } from '../../../engine/protocol'
import type { SizeCount, SummaryDevice, SummaryTrace } from '../../../engine/summary'
import { ns, sector } from '../../../lib/units'
import type { Run, RunLetter } from '../../../state/types'
import { maskedWords, noDepthWords, oneRun, progressWords, severalRuns, workWords } from './words'

const row = (sectors: number, reads: number, writes: number, discards = 0): SizeCount => ({
  sectors,
  reads,
  writes,
  discards,
})

function device(issued: readonly SizeCount[], overrides: Partial<SummaryDevice> = {}): SummaryDevice {
  return {
    dev: '254,0',
    role: 'disk',
    span_ns: 4.03e9,
    events: {},
    bytes: { read: 0, write: 5 * 1024 ** 2, discard: 0 },
    throughput: { read_bps: 0, write_bps: 1.3e6, iops: 318 },
    latency_ns: {},
    latency_bio_ns: {},
    sizes: { queued: issued, issued, completed: issued },
    seek: {},
    merges: { back: 0, front: 0, requests: 0 },
    flush: { preflush: 0, flush: 0, fua: 0, busy_share: 0 },
    ...overrides,
  }
}

function run(letter: RunLetter, seconds: number, figures?: SummaryDevice, role: DeviceRole = 'disk'): Run {
  return {
    id: letter,
    trace: letter.charCodeAt(0),
    letter,
    linkLetter: letter,
    label: letter,
    baseline: letter === 'A',
    hidden: false,
    status: figures
      ? { kind: 'ready' }
      : { kind: 'reading', progress: { bytes: 1, totalBytes: 2, events: 1, requests: 0, span: 1, elapsedMs: 1 } },
    client: { query: () => new Promise(() => undefined) },
    device: 0,
    info: {
      name: 't',
      label: 't',
      format: '',
      absent: [],
      files: [],
      complete: figures !== undefined,
      span: ns(seconds * 1e9),
      events: 1,
      requests: 1,
      messages: 0,
      cpus: [],
      devices: [
        {
          index: 0,
          dev: '254,0',
          name: 'vda',
          role,
          events: 1,
          requests: 1,
          lba: [sector(0), sector(8)],
          active: [ns(0), ns(seconds * 1e9)],
        },
      ],
      processes: [],
      quality: {
        lostEvents: 0,
        truncatedBytes: 0,
        unknownRecords: 0,
        unmatched: { Q: 0, D: 0, C: 0 },
        holes: [],
        warnings: [],
      },
    },
    ...(figures && { summary: { devices: [figures] } as unknown as SummaryTrace }),
  }
}

describe('what was done, in words', () => {
  it('names one kind of one size exactly', () => {
    expect(workWords(device([row(8, 0, 1280)], { sync_share: 1 }))).toBe('1,280 sync writes of 4 KiB')
    expect(workWords(device([row(2048, 1, 0)]))).toBe('1 read of 1 MiB')
  })
  it('names the usual size only when most requests have it', () => {
    expect(workWords(device([row(8, 0, 205), row(64, 18, 18), row(512, 0, 52)]))).toBe(
      '18 reads and 275 writes, most of 4 KiB',
    )
    expect(workWords(device([row(8, 10, 0), row(16, 0, 10), row(24, 0, 0, 10)]))).toBe(
      '10 reads, 10 writes and 10 discards',
    )
  })
  it('says nothing of flushes without sectors', () => {
    expect(workWords(device([row(0, 4, 0)]))).toBe('no reads or writes')
  })
  it('takes bios where nothing is issued', () => {
    const md = device([])
    expect(workWords({ ...md, sizes: { ...md.sizes, queued: [row(2048, 0, 48)] } })).toBe('48 writes of 1 MiB')
  })
})

describe('the first sentence', () => {
  it('names one run', () => {
    const figures = device([row(8, 0, 1280)], { sync_share: 1, depth: { mean: 2.37, p50: 2, p95: 4, max: 4 } })
    expect(oneRun(run('A', 4.03, figures))).toBe('1,280 sync writes of 4 KiB in 4.03 s, up to four in flight.')
  })
  it('sets run times side by side, the baseline first', () => {
    const a = run('A', 4.03, device([]))
    const b = run('B', 7.768, device([]))
    const c = run('C', 128, device([]))
    expect(severalRuns([a, b])).toBe('A took 4.03 s, B 7.77 s.')
    expect(
      severalRuns([
        { ...a, baseline: false },
        { ...b, baseline: true },
      ]),
    ).toBe('B took 7.77 s, A 4.03 s.')
    expect(severalRuns([a, b, c])).toBe('A took 4.03 s, B 7.77 s and C 128 s.')
  })
  it('names many runs by their ends', () => {
    const runs = (['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const).map((letter, i) =>
      run(letter, 1 + ((i + 3) % 7) / 10, device([])),
    )
    expect(severalRuns(runs)).toBe('7 runs took 1.00 s (E) to 1.60 s (D).')
  })
  it('marks what is not finished', () => {
    expect(progressWords([run('A', 4.03, device([])), run('B', 4.82)])).toBe(
      'So far: A took 4.03 s. B has run for 4.82 s and is not finished.',
    )
  })
  it('says what was read before there are pictures', () => {
    const { info: _, ...reading } = run('A', 1)
    const readingRun = (events: number) => ({
      ...reading,
      status: {
        kind: 'reading' as const,
        progress: { bytes: 1, totalBytes: 9, events, requests: 2, span: 3e9, elapsedMs: 1 },
      },
    })
    expect(progressWords([readingRun(0)])).toBe('So far: A is being opened.')
    expect(progressWords([readingRun(9)])).toBe('So far: A has run for 3.00 s and is not finished.')
  })
  it('says why an array has no queue depth', () => {
    expect(noDepthWords([run('A', 1, device([]), 'stacked')])).toBe(
      'vda reports no D: its marks run from Q to C, and it has no queue depth.',
    )
    expect(noDepthWords([run('A', 1, device([]))])).toBeUndefined()
  })
  it('says once what the marks of masked runs are, and then nothing about Q', () => {
    const maskedRun = (letter: RunLetter, recorded: string, row: RowMeaning): Run => {
      const base = run(letter, 1, device([]), 'stacked')
      return {
        ...base,
        info: {
          ...base.info,
          devices: base.info?.devices.map(d => ({ ...d, recorded, row, masked: true as const })) ?? [],
        } as TraceInfo,
      }
    }
    const runs = [maskedRun('A', 'C', 'completion'), maskedRun('B', 'C', 'completion'), maskedRun('C', 'QG', 'queue')]
    expect(maskedWords(runs)).toEqual([
      'A and B were recorded with C only: their marks are completions, at their C.',
      'C was recorded with Q, G only: its marks are queued bios, at their Q.',
    ])
    expect(noDepthWords(runs)).toBeUndefined()
    expect(maskedWords([run('A', 1, device([]), 'stacked')])).toEqual([])
  })
})
