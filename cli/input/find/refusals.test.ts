/** What a text is called in which nothing was found, and what is next to results. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from '../../testing/run'

const folder = mkdtempSync(join(tmpdir(), 'seekscope-refusals-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const README = 'Setup notes: host A\n\nThe disks were new.\n'

const TEXTS: readonly (readonly [name: string, text: string, reason: RegExp])[] = [
  [
    'rows.txt',
    'On 6.12:\n> sda 12.00 0.50 48.0 2.00 0.00\n',
    /output of iostat, but has no line of column headings.*Line 2/,
  ],
  ['job.fio', '[global]\nioengine=libaio\nrw=randread\nbs=4k\n', /a job file of fio.*Run it/],
  [
    'prompt.txt',
    '[root@host ~]# uname -r\n6.1.0\n',
    /no table of results\. No line is a trace event, output of a known/,
  ],
  [
    'dmesg.txt',
    '[    0.000000] Linux version 6.1\n[    1.411000] nvme0: 16 queues\n[    3.981000] EXT4-fs: mounted\n',
    /a kernel log \(dmesg\), which has no measurements/,
  ],
  ['lttng.txt', '[13:49:59.9] host block_rq_issue: { cpu_id = 0 }, { dev = 8 }\n', /babeltrace/],
  ['code.c', '#include <stdio.h>\nint main(void)\n{\n  return 4096;\n}\n', /source code, which has no measurements/],
  ['versions.txt', 'kernel 5.10\nfio 3.28\nxfsprogs 6.1.0\n', /a list of versions/],
  ['other.json', '{"disks": [1, 2], "owner": "a"}', /JSON with `disks`, `owner`/],
  ['prose.txt', README, /No line is a trace event, output of a known benchmark, or part of a table/],
]

test.each(TEXTS)('%s is refused for what it resembles, not only by formats of traces', async (name, text, reason) => {
  const { status, stderr } = await run(['summary', written(name, text)])
  expect(status).toBe(1)
  expect(stderr).toMatch(reason)
  if (!name.endsWith('.json')) expect(stderr).not.toContain('JSON')
  expect(stderr).toMatch(/results|measurements|fio/)
})

test('pictures and descriptions in a folder of results are counted in one line; status 0', async () => {
  const results = join(folder, 'results')
  mkdirSync(results)
  copyFileSync('tests/tables/fio.txt', join(results, 'fio.txt'))
  for (const name of ['a.png', 'b.png']) writeFileSync(join(results, name), PNG)
  writeFileSync(join(results, 'photo.jpg'), Buffer.from('ffd8ffe000104a464946000101', 'hex'))
  writeFileSync(join(results, 'chart.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(results, 'paper.pdf'), '%PDF-1.7\n')
  writeFileSync(join(results, 'README.md'), README)
  const { status, stdout, stderr } = await run(['summary', results])
  expect(status).toBe(0)
  expect(stdout).toContain('fio')
  expect(stderr).toMatch(/^seekscope: skipped 6 files with neither a trace nor results: \S+, \.\.\.\n$/)
})

test('a damaged part of a trace in such a folder is still reported', async () => {
  const results = join(folder, 'damaged')
  mkdirSync(results)
  copyFileSync('tests/tables/fio.txt', join(results, 'fio.txt'))
  writeFileSync(join(results, 'sda.blktrace.0'), README)
  const { status, stderr } = await run(['summary', results])
  expect(status).toBe(1)
  expect(stderr).toContain('sda.blktrace.0: text-not-understood')
})

test('a picture that is named is refused with a reason that fits', async () => {
  const { status, stderr } = await run(['summary', written('plot.png', PNG)])
  expect(status).toBe(1)
  expect(stderr).toMatch(/not-a-trace: .*a PNG image\. Charts cannot be converted back.*as text/)
})
