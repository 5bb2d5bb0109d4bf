/** Links at their worst: what a hostile encoder makes of few bytes. */
import { loadEngine } from '../../cli/input/read/engine'
import { always, type WorstCase } from './worst'

/** A snapshot of a document alone, packed as the page packs it. */
function packed(document: unknown): string {
  return loadEngine().packSnapshot(
    JSON.stringify({ snapshot: { head: { runs: [] }, document, of: [], traces: [null] }, size: 'L' }),
  )
}

/** The same as size XS, of which more is restored than is stored. */
function brief(document: unknown, traces: readonly unknown[] = [null], runs: readonly unknown[] = []): string {
  const snapshot = { head: { runs }, document, of: [], traces }
  return loadEngine().packSnapshot(JSON.stringify({ snapshot, size: 'XS' }))
}

/** A trace of which nearly everything is restored. */
const bare = (devices: number) => ({
  info: {
    devices: list(devices, { dev: '8,0', name: 'a', index: 0, active: [0, 1] }),
    quality: { holes: list(devices, { device: 0 }) },
  },
  summary: { devices: list(devices, {}) },
  digest: {},
  detail: { columns: 1 },
  pictures: [],
})

const list = (n: number, item: unknown): unknown[] => Array.from({ length: n }, () => item)
/** Each list repeats the one in it. */
const nested = (levels: readonly number[], item: unknown): unknown => levels.reduce((inner, n) => list(n, inner), item)

const link = (name: string, text: (scale: number) => string): WorstCase => ({
  name,
  files: scale => [['link.txt', text(scale)]],
  command: [],
  module: 'bench/limits/openLink.mjs',
})

export const LINKS: readonly WorstCase[] = [
  link('a list of lists of one text', scale => packed({ more: nested([12, 12, 4 * scale], ['a'.repeat(1000)]) })),
  always(link('a list of lists of one number', scale => packed({ more: nested([16, 16, 64 * scale], 0.5) }))),
  link('a list of lists of nothing', scale => packed({ more: nested([16, 16, 64 * scale], []) })),
  always(
    link('texts that are predicted', scale =>
      packed({ more: Array.from({ length: scale }, (_, i) => `${'a'.repeat(60_000)}${i}`) }),
    ),
  ),
  link('size XS: sentences that name a long label', scale =>
    brief({
      sides: [{ label: 'a'.repeat(60_000), runs: [0] }],
      findings: list(20, { rank: 1, parts: list(100 * scale, { side: 0 }), sentence: null }),
    }),
  ),
  link('size XS: findings of many runs, with the longest sentences', scale =>
    brief({
      sides: [{ label: 'a'.repeat(4096), runs: [0] }],
      alone: list(8 * scale, {
        run: 0,
        findings: list(8 * scale, { rank: null, parts: [{ side: 0 }], sentence: null, rule: null, figures: null }),
      }),
    }),
  ),
  always(link('size XS: traces that are hardly there', scale => brief(null, list(1000 * scale, bare(0))))),
  link('size XS: traces with many devices, with a long label', scale =>
    brief(null, list(20 * scale, bare(64)), list(20 * scale, { label: 'a'.repeat(4096) })),
  ),
  link('numbers that are not predicted', scale =>
    packed({ more: Array.from({ length: 2000 * scale }, (_, i) => Math.sin(i)) }),
  ),
  // As large as the budget of the decoder allows: what is not predicted pays for what is.
  always(
    link('lists that are predicted, and numbers that pay for them', scale =>
      packed({
        paid: Array.from({ length: 10_000 }, (_, i) => Math.sin(i)),
        more: nested([100, 100, Math.min(60 * scale, 600)], 0.5),
      }),
    ),
  ),
  link('noise', scale =>
    Buffer.from(Array.from({ length: 100_000 * scale }, (_, i) => (i * 7919) >> 3)).toString('base64url'),
  ),
  link('a link that is no base64', scale => 'A'.repeat(1_000_001 * scale)),
  link('a link of line breaks', scale => `AAAA${'\n>'.repeat(500_000 * scale)}`),
]
