/** Charts as text: what they show is what the figures are, on the same axes, within the width. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { ascii } from '../../web/lib/format'
import { styledText } from '../output/styled'
import { FIXTURES, ROOT, run, runProcess, traces } from '../testing/run'
import { CHARTS } from './names'
import { widthOf } from './text/screen'
import { readPlotOptions } from './values'

const [BEFORE, AFTER] = ['a', 'b'].map(name => join(ROOT, 'public/samples/idling', name)) as [string, string]
const DROPPED = join(FIXTURES, 'dropped')
const DISCARD = join(FIXTURES, 'discard')
const AXIS = 11

async function plotted(...args: readonly string[]): Promise<readonly string[]> {
  const { status, stdout, stderr } = await run(['plot', ...args])
  expect({ status, stderr: stderr.replace(/^seekscope: .* looks striped .*\n/gm, '') }).toEqual({
    status: 0,
    stderr: '',
  })
  return stdout.replace(/\n$/, '').split('\n')
}

/** Lines of each run: from its name to the next one, or to the words. */
function runLines(lines: readonly string[], letters: readonly string[]): readonly (readonly string[])[] {
  const begins = letters.map(letter => lines.findIndex(line => line.startsWith(`${letter}  `)))
  const end = lines.findIndex((line, i) => i > (begins.at(-1) ?? 0) && /^\S/.test(line))
  return begins.map((begin, i) => lines.slice(begin + 1, begins[i + 1] ?? end - 1))
}

const rowOf = (lines: readonly string[], label: string): string =>
  (lines.find(line => line.slice(0, AXIS - 1).trim() === label) ?? '').slice(AXIS)

describe('queue depth', async () => {
  const lines = await plotted('--ascii', '--chart', 'queue-depth', BEFORE, AFTER)
  const [a = [], b = []] = runLines(lines, ['A', 'B'])
  const devices = (await traces([BEFORE, AFTER])).flatMap(trace => trace.devices)

  it('has the maxima of the summary in the rows of their labels', () => {
    expect(devices.map(device => device.depth?.max)).toEqual([4, 3])
    const depth = (lines: readonly string[]) => lines.slice(0, lines.findIndex(line => line.includes('waiting')) - 1)
    expect(rowOf(depth(a), '4')).toContain('-')
    expect(rowOf(depth(b), '4')).not.toContain('-')
    expect(rowOf(depth(b), '3')).toContain('-')
  })

  it('has the same axes for both runs, and one time axis', () => {
    const axis = (lines: readonly string[]) => lines.map(line => line.slice(0, AXIS))
    expect(axis(a)).toEqual(axis(b))
    expect(lines.filter(line => /^ +0 +1 +2 +3 +4 +5 +6 +7 s$/.test(line))).toHaveLength(1)
  })

  it('ends the axis of the shorter run where the run ends', () => {
    const solid = (lines: readonly string[]) => /^[-+]+/.exec(rowOf(lines, '0'))?.[0].length
    // A lasts 4.03 s, B 7.77 s, in columns of 130 ms.
    expect(solid(a)).toBe(Math.ceil(4.03 / 0.13))
    expect(solid(b)).toBe(Math.ceil(7.77 / 0.13))
  })

  it('marks starved time, in tenths of a column', () => {
    const shares = [a, b].map(lines => rowOf(lines, 'starved'))
    expect(shares[0]).toMatch(/^[. 1-9#]+$/)
    const tenths = (row: string) =>
      [...row].reduce((sum, c) => sum + (/[1-9]/.test(c) ? Number(c) : 0), 0) / row.length / 10
    // Rounded down per column, so a little below the summary's share.
    expect(tenths(shares[1] ?? '')).toBeGreaterThan((devices[1]?.starved?.share ?? 0) - 0.08)
    expect(tenths(shares[1] ?? '')).toBeLessThan(devices[1]?.starved?.share ?? 0)
  })

  it('has the figures of the summary in words', () => {
    const words = lines.join(' ').replace(/ +/g, ' ')
    for (const { depth, starved } of devices) {
      expect(words).toContain(`${ascii.figure(depth?.mean ?? 0)} requests in flight on average`)
      expect(words).toContain(
        `for ${ascii.duration(starved?.total_ns ?? 0)} (${ascii.share(starved?.share ?? 0)} of the run)`,
      )
    }
  })
})

test('figures are those of the range', async () => {
  const range = ['--range', '1:2']
  const words = (await plotted('--ascii', '--chart', 'queue-depth', '--chart', 'throughput', ...range, AFTER))
    .join(' ')
    .replace(/ +/g, ' ')
  const [device] = (await traces([...range, AFTER])).flatMap(trace => trace.devices)
  expect(words).toContain(`${ascii.figure(device?.depth?.mean ?? 0)} requests in flight on average`)
  expect(words).toContain(`writes ${ascii.rate(device?.throughput?.write_bps ?? 0)}`)
  expect(words).toMatch(/ 1\.0 .* 1\.8 .*s /)
})

test('the seek map has a cell for every column in which requests start, and their number in words', async () => {
  const lines = await plotted('--ascii', '--chart', 'seek-map', BEFORE)
  const [a = []] = runLines(lines, ['A'])
  const rows = a.filter(line => /[|+]/.test(line[AXIS - 1] ?? '')).map(line => line.slice(AXIS))
  expect(rows.some(row => /[.:o#@]/.test(row))).toBe(true)
  expect(lines.join(' ')).toContain('1,280 requests in 4 parts')
  // Four parts of the axis, each with its first sector.
  for (const sector of ['2,048', '502,048', '1,002,048', '1,502,048']) expect(rowOf(a, sector)).toMatch(/[.:o#@]/)
  expect(a.filter(line => line[AXIS - 1] === '~')).toHaveLength(3)
})

test('reads and writes differ without colours', async () => {
  const [lines = []] = runLines(await plotted('--ascii', '--chart', 'seek-map', DISCARD), ['A'])
  expect(lines.join('')).toMatch(/r/i)
  expect(lines.join('')).toMatch(/w/i)
  const braille = await runProcess(['plot', '--chart', 'seek-map', DISCARD], { env: { LC_ALL: 'C.UTF-8' } })
  for (const name of ['read', 'write', 'discard']) expect(braille.stdout).toMatch(new RegExp(`^ +${name}\u2502`, 'm'))
})

test('operations that share most cells have maps of their own', async () => {
  const lines = await plotted('--ascii', '--chart', 'seek-map', join(FIXTURES, 'requeue'))
  for (const name of ['read', 'write'])
    expect(lines.filter(line => line.startsWith(`${name.padStart(AXIS - 1)}|`))).toHaveLength(1)
  expect(lines.join('')).toContain('reads, writes; requests per cell: ')
})

test('lost events are marked, and reported', async () => {
  const lines = await plotted('--ascii', '--chart', 'throughput', DROPPED)
  const [trace] = await traces([DROPPED])
  const [first] = trace?.quality.holes ?? []
  const row = rowOf(lines, 'lost')
  const column = Number(/column: (\d+) ms/.exec(lines.join(' '))?.[1]) * 1e6
  expect(row[Math.floor((first?.from ?? 0) / column)]).toBe('x')
  expect(row[0]).toBe(' ')
  expect(lines.join(' ')).toMatch(/Unreliable: +events were lost in 3 intervals/)
})

test('what a recording lacks has its reason', async () => {
  const words = (await plotted('--ascii', join(ROOT, 'tests/masks/queue'))).join(' ').replace(/ +/g, ' ')
  for (const title of ['Queue depth', 'Throughput', 'Latency'])
    expect(words).toMatch(new RegExp(`${title} of A: absent, recorded without [a-z ()CD]+\\.`))
})

describe('the width', () => {
  const all = CHARTS.flatMap(name => ['--chart', name])
  const geometry = ['--stripe', 'unit=64KiB,disks=4,level=raid5']
  it.each([40, 41, 72, 132, 240])('is at most %i columns, with --ascii of printable ASCII', async columns => {
    const wide = ['--label', 'x'.repeat(300), '--label', `${'\u6f22\u5b57'.repeat(60)} e\u0301`]
    const args = [...all, ...geometry, ...wide, '--columns', String(columns), DISCARD, DROPPED]
    const lines = await plotted('--ascii', ...args)
    expect(lines.filter(line => line.length > columns)).toEqual([])
    expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/)
    const { stdout } = await runProcess(['plot', ...args], { env: { LC_ALL: 'C.UTF-8' } })
    expect(stdout.split('\n').filter(line => widthOf(line) > columns)).toEqual([])
    expect(stdout).toMatch(/[\u2801-\u28ff]/)
  })
})

it('takes a word that only one chart has in its name, each chart once', () => {
  const surroundings = { env: {}, terminal: false }
  expect(readPlotOptions({ chart: ['depth', 'map', 'queue-depth'] }, surroundings).charts).toEqual([
    'queue-depth',
    'seek-map',
  ])
  expect(CHARTS.map(chart => readPlotOptions({ chart: [chart] }, surroundings).charts)).toEqual(
    CHARTS.map(chart => [chart]),
  )
})

describe('surroundings', () => {
  const settingsFor = (env: Readonly<Record<string, string>>, terminal = false) =>
    readPlotOptions({}, { env, terminal }).screen
  it('choose ASCII unless the locale is UTF-8', () => {
    expect(settingsFor({ LANG: 'en_US.UTF-8' }).ascii).toBe(false)
    expect(settingsFor({ LANG: 'en_US.UTF-8', LC_ALL: 'C' }).ascii).toBe(true)
    expect(settingsFor({ LC_CTYPE: 'de_DE.utf8', LANG: 'C' }).ascii).toBe(false)
    expect(settingsFor({}).ascii).toBe(true)
  })
  it('allow colours on a terminal only', () => {
    expect(settingsFor({ TERM: 'xterm' }, true).coloured).toBe(true)
    expect(settingsFor({ TERM: 'xterm', NO_COLOR: '1' }, true).coloured).toBe(false)
    expect(settingsFor({ TERM: 'dumb' }, true).coloured).toBe(false)
    expect(settingsFor({ TERM: 'xterm' }).coloured).toBe(false)
    expect(readPlotOptions({ output: 'x.txt' }, { env: {}, terminal: true }).screen.coloured).toBe(false)
  })
  it('get colours that are ours, and no others', () => {
    const lines = [[{ text: 'a\x1b[2J ' }, { text: 'rr', hue: 'read' as const }, { text: '  ' }]]
    expect(styledText(lines, true)).toBe('a\\u001b[2J \x1b[34mrr\x1b[0m\n')
    expect(styledText(lines, false)).toBe('a\\u001b[2J rr\n')
  })
})

describe('errors', () => {
  it.each([
    [['--chart', 'sizes-map'], `--chart: unknown chart sizes-map; use ${CHARTS.join(', ')}`],
    [['--columns', '39'], '--columns: 39 is not a number from 40 to 240'],
    [['--columns', '1e2'], '--columns: 1e2 is not a number from 40 to 240'],
    [['--dark'], '--dark needs --svg, --png or -o with such a file'],
    [['--svg', '--png'], 'choose --svg or --png'],
    [['--svg', '--ascii'], '--ascii is for text, not for a picture'],
    [['-o', 'x.png', '--columns', '80'], '--columns is for text, not for a picture'],
    [['-o', 'x.gif'], '-o: x.gif must end in .svg, .png or .txt'],
    [['-o', 'x.svg', '--png'], '-o: x.svg does not end in .png'],
    [['--device', 'sdz'], '--device: discard has no device sdz with requests; it has 254,0'],
    [['--range', '5:6'], '--range: the runs are from 0 s to 2.2'],
  ])('%j', async (args, message) => {
    const { status, stdout, stderr } = await run(['plot', ...args, DISCARD])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`seekscope: ${message}`)
  })
  it('a PNG is not written to a terminal', () =>
    expect(() => readPlotOptions({ png: true }, { env: {}, terminal: true })).toThrow('-o FILE.png'))
  it('without a trace', async () => {
    const { status, stderr } = await run(['plot', '/nonexistent'])
    expect(status).toBe(1)
    expect(stderr).toContain('not-found')
  })
})

test('the example in the user guide is what the command prints', async () => {
  const guide = readFileSync(join(ROOT, 'docs/guide/command-line.md'), 'utf8')
  const [, block = ''] =
    /seekscope plot --ascii --chart queue-depth --label idle0 --label idle8 before after\n\n((?: {4}.*\n|\n)+)/.exec(
      guide,
    ) ?? []
  const lines = await plotted(
    '--ascii',
    '--chart',
    'queue-depth',
    '--label',
    'idle0',
    '--label',
    'idle8',
    BEFORE,
    AFTER,
  )
  expect(
    block
      .trimEnd()
      .split('\n')
      .map(line => line.replace(/^ {4}/, '')),
  ).toEqual(lines)
})
