/** Links of size S fit in 8,000 characters, whatever the recordings and their names. */
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeLink } from '../../web/link/link'
import { LETTERS } from '../../web/link/view'
import { maxLinkLength, roomFor, snapshotAddress } from '../../web/share/address'
import { takeSnapshot } from '../../web/share/take'
import { pageOfTraces, type ReadTrace, withComparison } from '../../web/share/traces'
import { groupRuns } from '../../web/state/runs/grouping'
import { type OpenRun, openRuns } from '../input/openRuns'
import { loadEngine } from '../input/read/engine'
import { ROOT } from '../testing/run'

const AT = { href: 'https://seekscope.example/with/a/longer/path/app/' }
const RECORDINGS = [
  'io-errors',
  'raid5-misaligned',
  'two-devices',
  'ext4-buffered-6.1',
  'ext4-buffered-6.12',
  'sync-fua',
  'dropped',
  'cgroup-ids',
].map(name => join(ROOT, 'tests/fixtures', name))
const SLOW = 600_000

let open: readonly OpenRun[] = []
beforeAll(async () => {
  const arrangement = { labels: [], sums: false }
  open = await openRuns({ paths: RECORDINGS, limited: true }, arrangement, () => undefined)
  expect(open.length).toBe(RECORDINGS.length)
}, SLOW)
afterAll(() => {
  for (const run of open) run.open.free()
})

interface SharedPage {
  readonly labels: readonly string[]
  /** By run; empty for none. */
  readonly groups: readonly string[]
  readonly title: string
  readonly names: boolean
}

/** The link of a page with a run per label, of recordings that repeat, and what opening it finds. */
async function linkOf({ labels, groups, title, names }: SharedPage) {
  const traces = labels.map((label, i): ReadTrace => {
    const { run } = open[i % open.length] ?? {}
    if (run === undefined) throw new Error('no recording')
    const settings = Array.from({ length: 12 }, (_, n) => ({
      key: `${[...label].slice(0, 50).join('')} ${n}`,
      value: `${i} ${n}`,
    }))
    return { ...run, label, settings }
  })
  const arranged = pageOfTraces(traces)
  const sides = arranged.runs.flatMap((run, i) => (groups[i] ? [{ label: groups[i], runs: [run.id] }] : []))
  // As renamed by the user: labels are in the view of the link too.
  const runs = groupRuns(arranged.runs, sides).map(run => ({ ...run, label: `${run.label}.` }))
  const page = await withComparison({ ...arranged, runs, title })
  const taken = await takeSnapshot(page, 'S', { names, files: names }, roomFor(page, 'S', AT))
  const url = snapshotAddress(page, taken?.text ?? '', { pageLocation: AT, size: 'S' })
  const { link } = decodeLink(new URL(url).hash)
  const { traces: outlines, document } = loadEngine().openSnapshot(link.snapshot ?? '').snapshot
  return { url, link, outlines, document }
}

async function expectFit(shared: SharedPage) {
  const { url, link, outlines, document } = await linkOf(shared)
  expect(url.length).toBeLessThanOrEqual(maxLinkLength('S'))
  expect(outlines.filter(Boolean)).toHaveLength(shared.labels.length)
  expect(document?.runs).toHaveLength(shared.labels.length)
  // Shorter names still tell groups apart.
  const groups = new Set(shared.groups.filter((group, i) => group !== '' && i < shared.labels.length))
  expect(new Set(Object.values(link.groups ?? {})).size).toBe(groups.size)
}

const long = (text: string, n: number) => Array.from({ length: 20 }, (_, i) => `${text.repeat(n)}${i}`)

test.each([
  ['twenty runs', { labels: LETTERS, groups: [], title: 'All', names: true }],
  [
    'twenty runs in two groups',
    { labels: LETTERS, groups: LETTERS.map((_, i) => (i < 9 ? 'a' : 'b')), title: '', names: true },
  ],
  ['long names', { labels: long('kernel-6.12.95+deb12-amd64_', 10), groups: [], title: 'x'.repeat(900), names: true }],
  [
    'names that triple in a URL',
    { labels: long('\u4e16\u754c', 60), groups: long('\u{1f980}', 60), title: '\u754c'.repeat(300), names: true },
  ],
  [
    'names that look like a link',
    { labels: long('&s=%23#?"<\n>', 20), groups: long('&group.A=', 9), title: '%', names: false },
  ],
] as const)('a link of %s', async (_, shared) => expectFit(shared), SLOW)

test(
  'a link of any runs',
  async () => {
    const name = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: 'binary', minLength: 20, maxLength: 300 }))
    const shared = fc.record({
      labels: fc.array(name, { minLength: 1, maxLength: 20 }),
      groups: fc.array(fc.oneof(fc.constant(''), fc.constantFrom('a', 'b')), { maxLength: 20 }),
      title: name,
      names: fc.boolean(),
    })
    await fc.assert(fc.asyncProperty(shared, expectFit), { numRuns: 2, endOnFailure: true })
  },
  SLOW,
)
