/** Failed requests on the command line: summary, comparison, mail text and digests. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../testing/run'

const FAILING = 'tests/fixtures/io-errors'
const SOUND = 'tests/fixtures/requeue'

test('summary counts them by error, operation and process, and lists them first', async () => {
  const { status, stdout } = await run(['summary', FAILING])
  expect(status).toBe(0)
  const text = stdout.replace(/\s+/g, ' ')
  expect(text).toContain('1. 6 of 38 requests failed: 6 EIO (I/O error); 5 reads, 1 write; 392 KiB in all.')
  expect(text).toContain('(requests-failed)')
  expect(text).toMatch(/failed 6 requests, 392 KiB; 6 EIO \(I\/O error\); read 5, write 1; dd \(1334\) 3,/)
  expect(text).toContain('3 issued again: 0 succeeded, 3 failed again')
  const [trace] = JSON.parse((await run(['summary', '--json', FAILING])).stdout).traces
  expect(trace.devices[0].failed).toMatchObject({
    requests: 6,
    bytes: 401_408,
    retries: { issued_again: 3, succeeded: 0, failed_again: 3 },
    by_error: [{ errno: 5, name: 'EIO', requests: 6 }],
  })
  const sound = await run(['summary', SOUND])
  expect(sound.stdout).not.toContain('failed')
})

test('compare has the figure and the finding, whichever run is the baseline', async () => {
  for (const [runs, values] of [
    [
      [SOUND, FAILING],
      [0, 6],
    ],
    [
      [FAILING, SOUND],
      [6, 0],
    ],
  ] as const) {
    const { status, stdout } = await run(['compare', '--json', ...runs])
    expect(status).toBe(0)
    const document = JSON.parse(stdout)
    const figure = document.figures.find((f: { key: string }) => f.key === 'failed.requests')
    expect(figure.values).toEqual(values)
    const finding = document.findings.find((f: { code: string }) => f.code === 'failures-appeared')
    expect(finding.sentence).toMatch(/^io-errors: 6 of 38 requests failed \(requeue: 0 of [\d,]+\): 6 EIO/)
    expect(finding.who[0]).toMatchObject({ name: 'dd [1334]', share: 0.5, of: 'failed' })
  }
  const mail = await run(['compare', SOUND, FAILING])
  expect(mail.stdout).toMatch(/^Failed requests +0 +6 +new/m)
  expect(mail.stdout).toContain('(failures-appeared)')
})

test('digests have columns of them', async () => {
  const { status, stdout } = await run(['digest', FAILING])
  expect(status).toBe(0)
  const row = JSON.parse(stdout.split('\n')[0] ?? '')
  expect(row).toMatchObject({ failed_requests: 6, failed_bytes: 401_408 })
})

test('the map has them in words, and the chart of latency also as marks', async () => {
  const { stdout } = await run(['plot', '--ascii', FAILING])
  const charts = stdout.split('\n\n')
  for (const title of ['Seek map', 'Latency: ']) {
    const chart = charts.find(text => text.startsWith(title)) ?? ''
    expect(chart.replace(/\s+/g, ' '), title).toContain('6 requests failed: EIO (I/O error).')
  }
  const latency = charts.find(text => text.startsWith('Latency: ')) ?? ''
  expect(latency).toContain('! failed 6')
  expect(latency.split('\n').filter(line => /^.{8,12}[|+].*!/.test(line))).not.toEqual([])
  const sound = await run(['plot', '--ascii', SOUND])
  expect(sound.stdout).not.toMatch(/failed|!/)
})

test('pictures have them in both charts', async () => {
  const { stdout } = await run(['plot', '--chart', 'seek-map', '--chart', 'latency', '--svg', FAILING])
  expect(stdout.match(/failed 6/g)).toHaveLength(2)
})

test('requests has a row for a bio that was refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seekscope-refused-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'trace.txt')
  await writeFile(
    file,
    `  fio-77 [000] ..... 10.000000: block_rq_issue: 254,0 R 4096 () 0 + 8 [fio]
  fio-77 [000] ..... 10.000001: block_rq_complete: 254,0 R () 0 + 8 [0]
  fio-77 [000] ..... 10.000002: block_bio_queue: 254,0 R 512 + 8 [fio]
  fio-77 [000] ..... 10.000003: block_bio_complete: 254,0 R 512 + 8 [-11]
`,
  )
  const { stdout } = await run(['requests', file])
  // The device is a number with a comma.
  const cells = (line: string) => line.replaceAll('"254,0"', '254:0').split(',')
  const [names = [], ...lines] = stdout.trim().split(/\r?\n/).map(cells)
  const rows = lines.map(line => new Map(line.map((cell, i) => [names[i], cell])))
  expect(rows.map(row => [row.get('sector'), row.get('error'), row.get('queued_ns'), row.get('issued_ns')])).toEqual([
    ['0', '0', '', '0'],
    ['512', '11', '2000', ''],
  ])
  expect(rows[1]?.get('completed_ns')).toBe('3000')
  expect(rows[1]?.get('process')).toBe('fio')
})
