/** Recordings with known owners of their sectors, and known submitters above stacks of devices. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, run } from '../../cli/testing/run'

type Row = Readonly<Record<string, string>>

const recording = (name: string) => join(ROOT, 'tests/origin', `${name}.tar.xz`)

/** The rows of a table with headings; CSV of `requests` quotes what has a comma. */
function rowsOf(text: string, separator: string): readonly Row[] {
  const [head = '', ...lines] = text.trimEnd().split(/\r?\n/)
  const cells = (line: string) =>
    separator === ','
      ? [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      : line.split(separator)
  const names = cells(head)
  return lines.map(line => Object.fromEntries(cells(line).map((cell, i) => [names[i], cell])))
}

const expected = (name: string) => rowsOf(readFileSync(join(ROOT, 'tests/origin', `${name}.tsv`), 'utf8'), '\t')

async function requestsOf(name: string): Promise<readonly Row[]> {
  const { status, stdout } = await run(['requests', '--raw', recording(name)])
  expect(status).toBe(0)
  return rowsOf(stdout, ',')
}

/** Sums of numbers by a key, as sorted lines. */
function summed(entries: readonly (readonly [string, number])[]): readonly string[] {
  const sums = new Map<string, number>()
  for (const [key, n] of entries) sums.set(key, (sums.get(key) ?? 0) + n)
  return [...sums].map(([key, n]) => `${key} ${n}`).sort()
}

const isData = (row: Row) => row.role === 'disk' && row.issued_ns !== '' && (row.op === 'read' || row.op === 'write')

/** Operation, kind and path of each part of a request, with its bytes. */
function partsOf(row: Row): readonly (readonly [string, number])[] {
  const lists = [row.object, row.path, row.object_sectors].map(cell => (cell ?? '').split(';'))
  const [kinds = [], paths = [], sectors = []] = lists
  return sectors.map((n, i) => {
    const kind = kinds[i] ?? kinds[0] ?? ''
    return [`${row.op} ${kind} ${kind === 'file' ? (paths[i] ?? paths[0]) : ''}`, Number(n) * 512] as const
  })
}

describe('owners of sectors', () => {
  it.each(['ext4-6.12-fio3', 'xfs-6.12-log'])('%s: bytes by file and structure', async name => {
    const rows = await requestsOf(name)
    const truth = expected(name).map(row => [`${row.op} ${row.object} ${row.path}`, Number(row.bytes)] as const)
    expect(summed(rows.filter(isData).flatMap(partsOf))).toEqual(summed(truth))
  })

  it.each(['f2fs-6.12-log', 'btrfs-6.12-log'])('%s: bytes by file, although data moves at each write', async name => {
    const rows = await requestsOf(name)
    const files = summed(rows.filter(isData).flatMap(partsOf)).filter(line => line.includes(' file '))
    const truth = expected(name).filter(row => row.object === 'file')
    expect(files).toEqual(summed(truth.map(row => [`${row.op} file ${row.path}`, Number(row.bytes)] as const)))
  })

  it('kworkers write for the tasks that dirtied the pages', async () => {
    const rows = await requestsOf('ext4-6.12-fio3')
    const files = rows.filter(row => row.object === 'file' && row.op === 'write')
    expect(files.some(row => row.process?.startsWith('kworker'))).toBe(true)
    expect(new Set(files.flatMap(row => row.writer?.match(/[^|;[]+(?=\[)/g) ?? []))).toEqual(new Set(['fio']))
  })

  it('are known of a text of ftrace that has events of the block layer and of the file system', async () => {
    const rows = (await requestsOf('ext4-ftrace')).filter(isData)
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter(row => row.object !== '').length / rows.length).toBeGreaterThan(0.95)
    expect(rows.some(row => row.object === 'file' && row.writer?.startsWith('alpha['))).toBe(true)
  })

  it('are absent without a map', async () => {
    const { stdout } = await run(['requests', '--raw', join(ROOT, 'tests/fixtures/partitions-deadline-1w')])
    expect(rowsOf(stdout, ',').every(row => row.object === '' && row.writer === '')).toBe(true)
  })
})

/**
 * One load on ext4 (Linux 6.18): direct writes, writes with fsync, write-back, reads. ftrace and trace-cmd read the same
 * buffer; perf recorded at the same time, and longer.
 */
describe('events of file systems and system calls in all forms of a trace', () => {
  const FORMS = ['ftrace', 'report', 'dat', 'script', 'perf']

  it('give the same owners, writers and calls', async () => {
    const rows = await requestsOf('forms-6.18')
    const key = (row: Row) =>
      [row.op, row.sector, row.sectors, row.object, row.path, row.file_offset, row.writer, row.call].join(' ')
    const ofForm = (form: string) =>
      rows
        .filter(row => row.trace?.split('/').includes(form) && !/find|dumpe2fs|ext4lazyinit/.test(row.process ?? ''))
        .map(key)
        .sort()
    const [first = '', ...others] = FORMS
    const truth = ofForm(first)
    expect(truth.length).toBeGreaterThan(60)
    for (const form of others) expect(ofForm(form), form).toEqual(truth)
    const calls = new Map(truth.map(line => [line.split(' ').at(-1), true]))
    expect([...calls.keys()].sort()).toEqual(['', 'fsync()', 'pread64()', 'pwrite64()', 'read()', 'sync()'])
  })
})

describe('a comparison of two file systems', () => {
  it('names the journal, the files, and who wrote them', async () => {
    const { stdout } = await run([
      'compare',
      '--json',
      recording('ext4nojournal-6.1-fio3'),
      recording('ext4-6.12-fio3'),
    ])
    const comparison = JSON.parse(stdout)
    const found = comparison.findings.find((finding: { code: string }) => finding.code === 'journal-grew')
    expect(found.sentence).toMatch(/1\.73 MiB of journal were written for 19 MiB of files.*no journal/)
    const names = found.who.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`)
    expect(names).toEqual(expect.arrayContaining(['object /srv/data/fio/rnd.0.0', 'process fio']))
  })
})

describe('the first finding of two recordings of ext4', () => {
  const firstOf = async (a: string, b: string) => {
    const { stdout } = await run(['compare', '--json', recording(a), recording(b)])
    const { findings, work, verdict } = JSON.parse(stdout)
    return { ...findings[0], work, verdict }
  }

  it('is the journal, which lies where the disk is slower', async () => {
    const { code, sentence, accounts_for: part, work } = await firstOf('journal-near', 'journal-far')
    expect(work).toMatchObject({ same: true, why: '240 KiB of files, same mix of operations' })
    expect(code).toBe('placed-elsewhere')
    expect(sentence).toMatch(/the journal, which has 66\.7% of the requests, begins at 700 MiB .* 16\.6 MiB/)
    expect(part).toBeGreaterThan(0.9)
  })

  it('is the file that lies in pieces', async () => {
    const { code, sentence } = await firstOf('file-whole', 'file-pieces')
    expect(code).toBe('file-fragmented')
    expect(sentence).toMatch(/data\.db lies in 256 extents .*: 1\).* 0% of its requests begin/)
  })

  it('names the journal where the same bytes of a file are written one by one', async () => {
    const { who, work, verdict } = await firstOf('append-buffered', 'append-dsync')
    expect(work).toMatchObject({ same: true, why: '400 KiB of files, same mix of operations' })
    expect(verdict).toContain('for the same bytes of files')
    expect(who.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`)).toContain('object journal')
  })
})

describe('texts of a comparison', () => {
  it('have a table of files and structures', async () => {
    const { stdout } = await run(['compare', recording('ext4nojournal-6.1-fio3'), recording('ext4-6.12-fio3')])
    const table = stdout.slice(stdout.indexOf('Files and structures'))
    expect(table).toMatch(/^Files and structures +A bytes +B bytes +A of D2C +B of D2C$/m)
    expect(table).toMatch(/^ {2}journal +- +1\.73 MiB +- +5\.2\d*%$/m)
    expect(table).toMatch(/^ {2}\S*fio\/rnd\.0\.0 +3 MiB +3 MiB/m)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(72)
  })
})

describe('stacks of devices', () => {
  it.each(['raid1-6.1', 'crypt-6.1'])('%s: requests of each device by the task above', async name => {
    const rows = await requestsOf(name)
    const counted = rows
      .filter(row => (row.op === 'read' || row.op === 'write') && row.submitter !== '' && Number(row.sectors) > 0)
      .filter(row => row.role !== 'disk' || row.parent !== '')
      .map(row => [`${row.device} ${row.submitter?.replace(/\[\d+\]/g, '')} ${row.op}`, 1] as const)
    const truth = expected(name).map(row => [`${row.device} ${row.submitter} ${row.op}`, Number(row.requests)] as const)
    expect(summed(counted)).toEqual(summed(truth))
  })

  it('have parents that were queued before and completed after', async () => {
    const rows = await requestsOf('raid1-6.1')
    const members = rows.filter(row => row.parent !== '')
    expect(members.length).toBeGreaterThan(2000)
    for (const row of members) {
      const parent = rows[Number(row.parent) - 1]
      expect([parent?.device, parent?.op]).toEqual(['md0', row.op])
      expect(Number(parent?.queued_ns)).toBeLessThanOrEqual(Number(row.issued_ns))
      expect(Number(parent?.completed_ns)).toBeGreaterThanOrEqual(Number(row.completed_ns))
    }
  })
})
