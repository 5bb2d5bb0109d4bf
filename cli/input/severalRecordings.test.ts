import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { SummaryTrace } from '../../web/engine/summary'
import { tar } from '../sharing/tar'
import { ROOT, run, traces } from '../testing/run'

const FIELD = join(ROOT, 'tests/field')
const TWO = join(FIELD, 'recordings/blkparse-two.txt')
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-several-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const labels = (all: readonly SummaryTrace[]) => all.map(trace => trace.label)
const meanD2c = ({ devices }: SummaryTrace) => devices[0]?.latency_ns.d2c?.mean

function written(name: string, bytes: string | Uint8Array): string {
  const path = join(scratch, name)
  writeFileSync(path, bytes)
  return path
}

test('two recordings in one text are two runs', async () => {
  const found = await traces([TWO])
  expect(labels(found)).toEqual(['6.1', '6.12'])
  expect(found.map(meanD2c)).toEqual([1_000_000, 4_000_000])
  const halves = readFileSync(TWO, 'utf8').split('On 6.12:\n')
  const alone = await traces(halves.map((half, i) => written(`half${i}.txt`, half)))
  expect(found.map(trace => trace.devices)).toEqual(alone.map(trace => trace.devices))
  const { stdout, stderr } = await run(['compare', TWO])
  expect(stderr).toBe('')
  expect(stdout).toContain('6.12 is slower than 6.1')
})

test('from standard input, an archive, without titles and in other charsets', async () => {
  const bytes = readFileSync(TWO)
  const entry = {
    name: 'mail/notes.txt',
    size: bytes.length,
    read: (offset: number, n: number) => bytes.subarray(offset, offset + n),
  }
  const untitled = bytes.toString().replace(/^On .*\n/gm, '')
  const [piped, packed, numbered, wide] = await Promise.all([
    traces(['-'], { input: bytes }),
    traces([written('two.tar', Buffer.concat([...tar([entry])]))]),
    traces([written('both.txt', untitled)]),
    traces([written('wide.txt', Buffer.from(`\ufeff${bytes.toString()}`, 'utf16le'))]),
  ])
  expect(labels(piped)).toEqual(['6.1', '6.12'])
  expect(labels(packed)).toEqual(['6.1', '6.12'])
  expect(labels(numbered)).toEqual(['both #1', 'both #2'])
  expect(labels(wide)).toEqual(['6.1', '6.12'])
})

test('runs have the names by which results would be told apart, in a page, too', async () => {
  const text = readFileSync(TWO, 'utf8')
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const page = escaped.replace(/^On (.*):\n/gm, (_, name: string) => `</pre><h3>${name}</h3><pre>`)
  const framed = text.replace(/^On (.*):$/gm, '--- $1 ---')
  const spoken = text.replace(/^On (.*):$/gm, 'Here is what I get with $1.\n')
  const [plain, ...others] = await Promise.all([
    traces([TWO]),
    traces([written('page.html', `<!DOCTYPE html>\n<html><body><pre>${page}</pre></body></html>`)]),
    traces([written('framed.txt', `I compared two kernels.\n\n${framed}`)]),
    traces([written('spoken.txt', spoken)]),
  ])
  for (const other of others) {
    expect(labels(other)).toEqual(['6.1', '6.12'])
    expect(other.map(trace => trace.devices)).toEqual(plain.map(trace => trace.devices))
  }
})

test('a mail in an encoding is that of its lines', async () => {
  const mail = join(FIELD, 'recordings/mail-4.4-against-5.4.txt')
  const quoted = join(FIELD, 'encoded/raw.eml')
  const read = async (path: string) => {
    const { stdout } = await run(['summary', '--json', path])
    return (JSON.parse(stdout) as { traces: SummaryTrace[] }).traces
  }
  const [plain, printable, [base64]] = await Promise.all([
    read(mail),
    read(quoted),
    read(join(FIELD, 'encoded/base64.eml')),
  ])
  expect(labels(plain)).toEqual(['5.4.0-1068-aws', '4.4.0-1137-aws'])
  expect(plain.map(trace => trace.devices[0]?.events.C)).toEqual([5, 3])
  expect(printable.map(trace => trace.devices)).toEqual(plain.map(trace => trace.devices))
  expect(base64?.devices[0]?.events.C).toBe(100)
})
