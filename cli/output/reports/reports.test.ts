/** Reports of a real pair: bfq that idles (slower) against one that does not. */
import { describe, expect, test } from 'vitest'
import { run } from '../../testing/run'
import { tagOf, wrapped } from './report'
import { robotTable } from './robotTable'

const PAIR = ['public/samples/idling/a', 'public/samples/idling/b']

const report = async (...args: readonly string[]): Promise<string> => {
  const { status, stdout, stderr } = await run(['compare', ...args, ...PAIR])
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout
}

describe('mail', () => {
  test('is a message of ASCII lines that mail programs do not break', async () => {
    const text = await report('--report', 'mail')
    const [headers = '', ...rest] = text.split('\n\n')
    expect(headers).toMatch(/^To: \S+@vger\.kernel\.org$/m)
    expect(headers).toMatch(/^Cc: regressions@lists\.linux\.dev$/m)
    expect(headers.match(/^Subject: /gm)).toHaveLength(1)
    expect(headers).toMatch(/^Subject: \[REGRESSION\] 254,0: slower with b: Idle while requests waited$/m)
    for (const line of headers.split('\n')) expect(line).toMatch(/^(?:[A-Za-z-]+: | )\S/)
    const body = rest.join('\n\n')
    expect(body).toMatch(/^[\n -~]*$/)
    expect(body.split('\n').filter(line => line.length > 72 && !line.startsWith('    '))).toEqual([])
    expect(body).toMatch(/\(starved-while-waiting\)/)
    expect(body).toMatch(/^good: a, .*\nbad: b, /m)
    expect(body).toMatch(/^Environment$/m)
    expect(body).toMatch(/^\s+[\d.]+\s+-\d+\.\d%\s+[\d.]+\s+iops$/m)
    for (const name of ['Fixes: COMMIT', 'Bisected: ', 'Reported-by: NAME', 'Closes: URL', '#regzbot introduced: '])
      expect(body).toContain(`\n${name}`)
  })

  test('a comparison that is no regression goes to no list of regressions', async () => {
    const { stdout } = await run(['compare', '--report', 'mail', ...PAIR.toReversed()])
    expect(stdout).not.toMatch(/regressions@|\[REGRESSION\]/)
  })

  test('a label cannot add a header or a column', async () => {
    const text = await report('--report', 'mail', '--label', 'old\nBcc: x@example.org', '--label', `${'ü'.repeat(80)}`)
    expect(text).not.toMatch(/^Bcc/m)
    expect(text).toMatch(/^[\n -~]*$/)
  })
})

test('bugzilla begins with the fields of its form', async () => {
  const text = await report('--report', 'bugzilla')
  expect(text).toMatch(/^Summary: 254,0: slower.*\nProduct: IO\/Storage\nComponent: Block Layer\nKernel Version: /)
  expect(text).toMatch(/^Regression: Yes$/m)
})

test('github has the comparison as Markdown, and the lines to complete', async () => {
  const text = await report('--report', 'github')
  expect(text).toMatch(/^<!-- title: \[REGRESSION\] 254,0/)
  expect(text).toContain((await report('--markdown')).trimEnd())
  expect(text.match(/^```$/gm)?.length).toBe(8)
  expect(text).toContain('#regzbot introduced: ')
})

describe('kcidb', () => {
  test('has one test per verdict and finding, with what the schema requires', async () => {
    const { version, tests } = JSON.parse(await report('--report', 'kcidb', '--build-id', 'lab:6.12-1'))
    expect(version).toEqual({ major: 5, minor: 3 })
    expect(tests[0]).toMatchObject({ path: 'seekscope.block.verdict', status: 'FAIL', build_id: 'lab:6.12-1' })
    expect(tests.map((row: { path: string }) => row.path)).toContain('seekscope.block.starved-while-waiting')
    for (const test of tests) {
      expect(test.id).toMatch(/^seekscope:[a-z0-9-]+$/)
      expect(test.path).toMatch(/^[.a-zA-Z0-9_-]*$/)
      expect(['PASS', 'FAIL', 'DONE']).toContain(test.status)
    }
    expect(new Set(tests.map((row: { id: string }) => row.id)).size).toBe(tests.length)
    const { baseline, compared } = tests[0].misc.figures.iops
    expect(baseline[0]).toBeGreaterThan(compared[0])
  })

  test('needs the id of a build', async () => {
    for (const args of [
      ['--report', 'kcidb'],
      ['--report', 'kcidb', '--build-id', 'no id'],
      ['--report', 'mail', '--build-id', 'lab:1'],
    ])
      expect((await run(['compare', ...args, ...PAIR])).status).toBe(2)
  })
})

test('a report needs two runs, and replaces the other outputs', async () => {
  expect((await run(['compare', '--report', 'mail', PAIR[0] ?? ''])).stderr).toMatch(/--report cannot judge/)
  expect((await run(['compare', '--report', 'mail', '--json', ...PAIR])).status).toBe(2)
  expect((await run(['compare', '--report', 'fax', ...PAIR])).status).toBe(2)
})

test('the table of the robot has means, deviations of groups, and changes', () => {
  const figure = { key: 'd2c.mean', label: '', unit: 'ns', real: true } as const
  const groups = [
    { n: 2, mean: 2000, sd: 60 },
    { n: 2, mean: 3000, sd: 300 },
  ]
  const table = robotTable(
    { figures: [{ ...figure, values: [1900, 2100, 2800, 3200], groups }] } as never,
    { label: 'old', index: 0, runs: [0, 1] },
    { label: 'new', index: 1, runs: [2, 3] },
  )
  expect(table).toEqual([
    '             old                         new',
    '---------------- ---------------------------',
    '         %stddev     %change         %stddev',
    '            \\           |               \\',
    '        2 +-  3%      +50.0%        3 +- 10%  d2c.mean_us',
  ])
})

test('tags of kernel releases', () => {
  const tags = ['6.12.117+deb12-amd64', '6.1.0-56-amd64', '6.18.0-rc2', 'mainline'].map(tagOf)
  expect(tags).toEqual(['v6.12.117', 'v6.1', 'v6.18', undefined])
})

test('long text is wrapped at words, and words are whole', () => {
  const lines = wrapped(`${'word '.repeat(30)}${'x'.repeat(100)}`, '  ')
  expect(lines.slice(0, -1).every(line => line.length <= 72)).toBe(true)
  expect(lines.join(' ').replace(/\s+/g, ' ')).toBe(`${'word '.repeat(30)}${'x'.repeat(100)}`)
})
