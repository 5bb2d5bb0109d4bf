/** Stalls in real recordings, whose times are known: summary, and the comparison with a quiet stretch. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { SummaryTrace } from '../../../web/engine/summary'
import { run } from '../../testing/run'

const recording = (name: string) => `tests/stalls/${name}.tar.xz`
const QUIET = recording('none-6.12')

/** When the stalls were made, from their earliest begin to their latest end, s since the first event. */
const STALLS = {
  'freeze-6.12': {
    kind: 'frozen',
    times: [
      [4.306, 4.948],
      [11.62, 12.001],
      [16.127, 17.079],
    ],
  },
  'slow-6.12': {
    kind: 'slow',
    times: [
      [4.256, 4.897],
      [11.282, 11.665],
      [15.61, 16.561],
    ],
  },
  'suspend-6.1': {
    kind: 'held',
    times: [
      [3.617, 4.787],
      [10.16, 11.009],
      [15.321, 16.886],
    ],
  },
} as const

async function momentsOf(path: string): Promise<NonNullable<SummaryTrace['moments']>> {
  const { status, stdout } = await run(['summary', '--json', path])
  expect(status).toBe(0)
  const [trace]: readonly SummaryTrace[] = JSON.parse(stdout).traces
  return trace?.moments ?? []
}

for (const [name, { kind, times }] of Object.entries(STALLS)) {
  test(`each stall of ${name} is found, and nothing else`, async () => {
    const moments = await momentsOf(recording(name))
    expect(moments.map(moment => moment.kind)).toEqual(times.map(() => kind))
    for (const [i, [from, to]] of times.entries()) {
      const moment = moments[i]
      expect((moment?.from_ns ?? 0) / 1e9).toBeGreaterThan(from - 0.01)
      expect((moment?.from_ns ?? 0) / 1e9).toBeLessThan(from + 0.25)
      expect((moment?.to_ns ?? 0) / 1e9).toBeGreaterThan(to - 0.1)
      expect((moment?.to_ns ?? 0) / 1e9).toBeLessThan(to + 0.15)
      expect(moment?.quiet_ns).toBeDefined()
    }
  })
}

test('a recording without a stall has an empty list and no finding', async () => {
  expect(await momentsOf(QUIET)).toEqual([])
  expect((await run(['summary', QUIET])).stdout).not.toMatch(/stall/)
})

test('summary numbers the stalls, and only those of its range', async () => {
  const whole = await run(['summary', recording('freeze-6.12')])
  expect(whole.stdout).toMatch(/3\. {2}16\.128 to 17\.082 s: 254,0 completed nothing for 954 ms/)
  const part = await run(['summary', '--range', '10:14', recording('freeze-6.12')])
  expect(part.stdout).toMatch(/1\. {2}11\.624 to 12\.002 s/)
  expect(part.stdout).not.toMatch(/16\.128/)
})

test('a stall is compared with a quiet stretch of its recording', async () => {
  const { status, stdout } = await run(['compare', '--json', '--moment', '3', recording('freeze-6.12')])
  expect(status).toBe(0)
  const { sides, findings } = JSON.parse(stdout)
  expect(sides.map((side: { label: string }) => side.label)).toEqual([
    'quiet stretch, 6.670 to 11.624 s',
    'moment 3, 14.128 to 19.082 s',
  ])
  expect(findings[0]).toMatchObject({ code: 'stalled' })
  expect(findings[0].sentence).toMatch(/completed nothing for 954 ms with 3 requests outstanding; .* did not stall\.$/)
})

test('recordings with stalls differ from one without by the finding', async () => {
  const { stdout } = await run(['compare', '--json', QUIET, recording('freeze-6.12')])
  expect(JSON.parse(stdout).findings.map((finding: { code: string }) => finding.code)).toContain('stalled')
})

test('wrong numbers of moments are refused with what there is', async () => {
  for (const [args, words] of [
    [['--moment', '4', recording('freeze-6.12')], /no such moment; it has 1 \(4\.308 to 4\.949 s\), 2 \(/],
    [['--moment', '1', QUIET], /no such moment; no device stalled in it/],
    [['--moment', '0', QUIET], /'0' is no number of a moment/],
    [['--moment', '1', QUIET, recording('freeze-6.12')], /--moment needs one recording/],
    [['--moment', '1', '--matrix', QUIET], /choose --moment or --matrix/],
  ] as const) {
    const { status, stderr } = await run(['compare', ...args])
    expect(stderr).toMatch(words)
    expect(status).toBe(2)
  }
})

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-moments-'))
afterAll(() => rmSync(scratch, { recursive: true }))

test('the quiet recording of an armed recorder is the baseline, unless another one is named', async () => {
  const triggers = { 'stall-moment-1': 'iops<10 for 300ms', 'stall-quiet': 'none' }
  for (const [folder, trigger] of Object.entries(triggers)) {
    const path = join(scratch, folder)
    const fixture = trigger === 'none' ? 'partitions-deadline-1w' : 'partitions-bfq-1w'
    cpSync(join('tests/fixtures', fixture), path, { recursive: true })
    writeFileSync(join(path, 'trigger.txt'), `seekscope-trigger\t1\nclock\tmono\ntrigger\t${trigger}\nfired\t-\n`)
  }
  const compared = async (...args: readonly string[]) =>
    JSON.parse((await run(['compare', '--json', ...args, scratch])).stdout)
  const { sides, baseline } = await compared()
  expect(sides.map((side: { label: string }) => side.label)).toEqual(['stall-moment-1', 'stall-quiet'])
  expect(baseline).toBe(1)
  expect((await compared('--baseline', '1')).baseline).toBe(0)
})

test('a trigger with its samples below is that of a quiet recording, too', async () => {
  const { stdout } = await run(['compare', '--json', recording('armed-6.12')])
  const { sides, baseline } = JSON.parse(stdout)
  expect(sides[baseline].label).toBe('quiet')
})
