/** `seekscope plot` of results without a trace. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from '../testing/run'

const folder = mkdtempSync(join(tmpdir(), 'seekscope-plot-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MAIL = 'tests/tables/iostest.txt'
const REPEATS = ['patched', 'vanilla'].flatMap(side =>
  [1, 2, 3].map(n => `tests/reports/fio-text/three-runs-each-files/${side}-${n}.txt`),
)

test('a table over a count is bars of its sides in text of 72 columns, on one scale', async () => {
  const { status, stdout, stderr } = await run(['plot', '--ascii', MAIL])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const line of stdout.split('\n')) expect(line).toMatch(/^[ -~]{0,72}$/)
  const lines = stdout.split('\n')
  const from = lines.indexOf('NR 16')
  const [a = '', b = ''] = lines.slice(from + 1, from + 3)
  expect(a).toMatch(/^ +A\|#+ +130 baseline$/)
  expect(b).toMatch(/^ +B\|#+ +349 x2\.68$/)
  const length = (line: string) => line.replace(/[^#]/g, '').length
  expect(length(a) / length(b)).toBeCloseTo(130 / 349, 1)
})

test('an SVG has the axis, the sides and the direction; a PNG has no letter that its font lacks', async () => {
  const [svg, png] = [join(folder, 'a.svg'), join(folder, 'b.png')]
  expect((await run(['plot', MAIL, '-o', svg])).status).toBe(0)
  const drawn = readFileSync(svg, 'utf8')
  for (const text of ['ReadBW over NR', 'MB/s; more is better; NR, log2', 'cfq (baseline)', 'noop', '16'])
    expect(drawn).toContain(`>${text}</text>`)
  expect((await run(['plot', ...REPEATS, '--dark', '-o', png])).status).toBe(0)
  expect(readFileSync(png).subarray(1, 4).toString()).toBe('PNG')
  expect((await run(['plot', ...REPEATS, '-o', svg])).status).toBe(0)
  expect(readFileSync(svg, 'utf8')).toContain('\u221271% worse')
  expect(readFileSync(svg, 'utf8')).not.toMatch(/[\u25b2\u25bd\u25c7]/)
})

test('a histogram has the shares of both sides', async () => {
  const { stdout } = await run(['plot', '--ascii', 'tests/reports/histograms/biolatency-two-headings/b.txt'])
  expect(stdout).toMatch(/128 us to 256 us\n +A\|#+ +81\.6%\n +B\|#+ +28\.5%/)
})

test('intervals are lines over time; in text, some of them at equal distances', async () => {
  const files = ['bfq', 'none'].map((side, i) => {
    const file = join(folder, `${side}_iops.log`)
    const line = (_: unknown, k: number) => `${(k + 1) * 500}, ${1000 * (i + 1) + k}, 0, 0\n`
    writeFileSync(file, Array.from({ length: 60 }, line).join(''))
    return file
  })
  const { status, stdout } = await run(['plot', '--ascii', ...files])
  expect(status).toBe(0)
  const times = stdout.split('\n').filter(line => line.startsWith('time '))
  expect(times).toHaveLength(20)
  expect(times.slice(0, 2)).toEqual(['time 500 ms', 'time 2000 ms'])
  expect(stdout).toMatch(/time 2000 ms\n +A\|#+ +1,003 .*\n +B\|#+ +2,003/)
  expect(stdout).toContain('20 of 60 intervals')
  const svg = join(folder, 'time.svg')
  expect((await run(['plot', ...files, '-o', svg])).status).toBe(0)
  expect(readFileSync(svg, 'utf8')).toContain('>fio-log read IOPS over time</text>')
})

test('a single number has no picture, and options of traces are refused', async () => {
  const single = await run(['plot', 'tests/tables/fio.txt'])
  expect(single.status).toBe(1)
  expect(single.stderr).toContain('nothing-to-draw')
  for (const option of [
    ['--range', '1:2'],
    ['--chart', 'stages'],
    ['--device', 'vda'],
  ]) {
    const { status, stderr } = await run(['plot', ...option, MAIL])
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(`${option[0]} is for traces`) })
  }
})
