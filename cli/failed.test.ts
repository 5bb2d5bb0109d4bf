/** Failed requests on the command line: summary, comparison, mail text and digests. */
import { expect, test } from 'vitest'
import { run } from './testing'

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

test('the map has them in words, also in a file', async () => {
  const { stdout } = await run(['plot', '--ascii', FAILING])
  expect(stdout.replace(/\s+/g, ' ')).toContain('6 requests failed: EIO (I/O error).')
})
