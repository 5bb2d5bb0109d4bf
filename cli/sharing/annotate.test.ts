/** `--annotate` of `seekscope link` and `seekscope report`: what is written is what the page reads. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { decodeLink } from '../../web/link/link'
import { loadEngine } from '../input/read/engine'
import { ROOT, run } from '../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-annotate-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const IDLING = ['public/samples/idling/a', 'public/samples/idling/b']
const NOTES = ['B,0.25..0.5,4096,Jo:both writers wait: why?', 'A,0.1:<b>short</b> idle']
const argumentsOf = (notes: readonly string[]) => notes.flatMap(note => ['--annotate', note])

test('annotations are in links of every size, next to the snapshot, and in the order given', async () => {
  for (const size of ['XS', 'S', 'M', 'L'] as const) {
    const [plain, made] = await Promise.all([
      run(['link', '--size', size, ...IDLING]),
      run(['link', '--size', size, ...argumentsOf(NOTES), ...IDLING]),
    ])
    expect({ size, status: made.status, stderr: made.stderr }).toEqual({ size, status: 0, stderr: plain.stderr })
    const { link, problems } = decodeLink(made.stdout.trim())
    expect(problems).toEqual([])
    expect(link.annotations).toEqual([
      { run: 'B', at: 0.25e9, to: 0.5e9, lba: 4096, author: 'Jo', text: 'both writers wait: why?' },
      { run: 'A', at: 0.1e9, text: '<b>short</b> idle' },
    ])
    const { snapshot } = loadEngine().openSnapshot(link.snapshot ?? '')
    expect(snapshot.traces).toHaveLength(2)
    if (size === 'XS') expect(made.stdout.trim().length).toBeLessThanOrEqual(2000)
    if (size === 'S') expect(made.stdout.trim().length).toBeLessThanOrEqual(8000)
  }
}, 120_000)

test('a report has them in the page and in its text', async () => {
  if (!existsSync(join(ROOT, 'dist/seekscope.html'))) return
  const output = join(scratch, 'report.html')
  const { status, stderr } = await run(['report', '-o', output, ...argumentsOf(NOTES), ...IDLING])
  expect([status, stderr]).toEqual([0, expect.stringContaining('wrote ')])
  const html = readFileSync(output, 'utf8')
  const [, words = ''] = /<pre id="seekscope-words">([^<]*)</.exec(html) ?? []
  expect(words).toMatch(
    /^Annotations\n\n1\. B \(.*\) from 0\.25 to 0\.5 s, sector 4096, by Jo:\n {4}both writers wait: why\?\n2\. A \(.*\) at 0\.1 s:\n {4}&lt;b&gt;short&lt;\/b&gt; idle$/m,
  )
})

test('more than a size has room for is said', async () => {
  const long = argumentsOf(Array.from({ length: 4 }, (_, i) => `A,0.${i + 1}:${'x'.repeat(500)}`))
  const [tiny, small] = await Promise.all([
    run(['link', '--size', 'XS', ...long, ...IDLING]),
    run(['link', ...long, ...long, ...long, ...long, ...IDLING]),
  ])
  expect(tiny).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/link-too-long: .* size XS at most 2,?000/),
  })
  // Size S is what mail clients and trackers carry: a link that is longer is none.
  expect(small).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/link-too-long: .* size S at most 8,?000/),
  })
}, 60_000)

test.each([
  ['A', /--annotate: A is not RUN,TIME/],
  ['A:', /is not RUN,TIME/],
  ['A,1', /is not RUN,TIME/],
  ['A,-1:x', /is not RUN,TIME/],
  ['A,0.5..0.2:x', /is not RUN,TIME/],
  ['A,0.1,1,me,more:x', /is not RUN,TIME/],
  ['A,0.1:\u202e\u0000', /is not RUN,TIME/],
  ['C,0.1:x', /there is no run C; the runs are A to B/],
  ['B,0.1..9999:x', /9999 s is after the end of run B at [\d.]+ s/],
  [`A,0.1:${'é'.repeat(501)}`, /has 501 characters of text, at most 500 fit/],
])('%s is refused', async (note, words) => {
  const { status, stdout, stderr } = await run(['link', ...argumentsOf([note]), ...IDLING])
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(words) })
})

test('as many as a page has are taken, one more is refused', async () => {
  const notes = Array.from({ length: 50 }, (_, i) => `A,0.${i + 1}:n${i}`)
  const [most, more] = await Promise.all([
    run(['link', ...argumentsOf(notes), ...IDLING]),
    run(['link', ...argumentsOf([...notes, 'A,0.1:x']), ...IDLING]),
  ])
  expect(decodeLink(most.stdout.trim()).link.annotations).toHaveLength(50)
  expect(more).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('at most 50 annotations, not 51'),
  })
}, 60_000)
