import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { AT, isNote, recordsOf } from '../../tests/bad-inputs/records'
import { ZONE_NAMES } from '../../web/lib/zones'
import { devices, FIXTURES, ROOT, run, traces } from '../testing/run'

const ERRORS = join(FIXTURES, 'io-errors')
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-cli-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** A new folder below the scratch folder. */
function folder(name: string): string {
  const path = join(scratch, name)
  mkdirSync(path, { recursive: true })
  return path
}

test('a directory, a base name, its files in any order, gzip and standard input give the same figures', async () => {
  const files = readdirSync(ERRORS).map(name => join(ERRORS, name))
  const packed = folder('packed')
  for (const file of files) writeFileSync(join(packed, `${file.split('/').pop()}.gz`), gzipSync(readFileSync(file)))
  const input = Buffer.concat(files.map(file => readFileSync(file)))
  const [complete, ...others] = await Promise.all([
    devices([ERRORS]),
    devices([join(ERRORS, 'trace')]),
    devices([...files].reverse()),
    devices([packed]),
    devices(['-'], { input }),
  ])
  expect(complete).toHaveLength(1)
  for (const other of others) expect(other).toEqual(complete)
})

test('one directory above, each recording is a separate trace', async () => {
  const folders = readdirSync(FIXTURES, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const { status, stdout } = await run(['summary', '--json', FIXTURES])
  expect(status).toBe(0)
  expect(JSON.parse(stdout).traces).toHaveLength(folders.length)
})

test('unreadable inputs are reported, the others are still read', async () => {
  const junk = join(folder('junk'), 'junk')
  writeFileSync(junk, Buffer.alloc(4096, 'no trace '))
  const { status, stdout, stderr } = await run(['summary', '--json', 'no/such/trace', junk, ERRORS])
  expect(status).toBe(1)
  expect(stderr).toMatch(/^seekscope: no\/such\/trace: not-found: /m)
  expect(stderr).toMatch(/^seekscope: \S+junk: text-not-understood: /m)
  expect(JSON.parse(stdout).traces).toHaveLength(1)
})

test('a truncated file gives the events before the end, and a warning', async () => {
  const cut = join(folder('cut'), 'cut')
  writeFileSync(cut, readFileSync(join(ERRORS, 'trace.blktrace.1')).subarray(0, 3000))
  const [trace] = await traces([cut])
  expect(trace?.quality.truncated_bytes).toBeGreaterThan(0)
  expect(trace?.quality.warnings.map(warning => warning.code)).toContain('truncated-tail')
  expect(trace?.devices[0]?.events.Q).toBeGreaterThan(0)
})

test('--messages prints the messages that blkparse drops', async () => {
  const path = join(FIXTURES, 'partitions-bfq-1w')
  const lines = async (args: readonly string[]) => (await run(['blkparse', ...args, path])).stdout.split('\n')
  const isMessage = (line: string) => / m +N /.test(line)
  const [plain, all] = await Promise.all([lines([]), lines(['--messages'])])
  expect(plain.filter(isMessage)).toEqual([])
  expect(all.filter(isMessage).length).toBeGreaterThan(100)
  expect(all.filter(line => !isMessage(line))).toHaveLength(plain.length)
})

test('a geometry gives alignment, as the page writes it too; a range only what is in it', async () => {
  const spec = ['--stripe', 'unit=256KiB,disks=4,level=raid5']
  const [[aligned], [misaligned], [none], [part], [complete]] = await Promise.all([
    devices([...spec, join(FIXTURES, 'raid5-aligned/md0')]),
    devices([...spec, join(FIXTURES, 'raid5-misaligned/md0')]),
    devices(['--stripe', 'unit=256k, disks=4, start=0, level=none', join(FIXTURES, 'raid5-aligned/md0')]),
    devices(['--range', '0.1:0.2', ERRORS]),
    devices([ERRORS]),
  ])
  expect(aligned?.alignment?.classes.full_stripe.requests).toBe(48)
  expect(misaligned?.alignment?.classes.straddles.requests).toBe(48)
  expect([none?.alignment?.spec, none?.alignment?.classes]).toEqual([
    expect.stringContaining('level=none'),
    aligned?.alignment?.classes,
  ])
  expect(part?.events.Q).toBeLessThan(complete?.events.Q ?? 0)
})

test('notes: what blktrace dropped, the kernel, the benchmark', async () => {
  const packed = join(ROOT, 'tests/notes/dropped.tar.xz')
  // With another trace, which the notes do not belong to.
  const [[trace, other], { stdout }] = await Promise.all([traces([packed, ERRORS]), run(['summary', packed])])
  expect(trace?.quality).toMatchObject({ lost_events: 15341, tracer_dropped: 15341 })
  expect(other?.quality.tracer_dropped).toBeUndefined()
  expect(trace?.quality.warnings).toContainEqual(
    expect.objectContaining({
      code: 'tracer-dropped',
      at: { file: `${packed}/dropped/blktrace.log` },
      remedy: expect.any(String),
    }),
  )
  expect(trace?.notes?.map(note => note.kind).sort()).toEqual(['blktrace-log', 'description', 'fio'])
  const fio = trace?.notes?.find(note => note.kind === 'fio')
  expect(fio?.facts).toContainEqual({ of: 'dr', key: 'read_iops', name: 'Read IOPS', value: 2692.965155, unit: '1/s' })
  expect(trace?.bench?.[0]).toEqual({
    key: 'bench.fio.read.iops',
    label: 'fio read IOPS',
    unit: '1/s',
    good: 'more',
    value: 2692.965155,
  })
  expect(stdout).toMatch(/quality +15,341 lost events/)
  expect(stdout).toMatch(/note +blktrace\.log, .*Events recorded 9,245;\s+Events\s+dropped 15,341/)
})

test('zone actions have codes in JSON and words in text', async () => {
  const mgmt = join(ROOT, 'tests/zones/mgmt')
  const files = readdirSync(mgmt).filter(name => name !== 'ftrace.txt.xz')
  const paths = files.map(name => join(mgmt, name))
  const [[disk], { stdout }] = await Promise.all([devices(paths), run(['summary', ...paths])])
  expect(disk?.zones).toMatchObject({ actions: 5, actions_by_name: { action: 4, 'reset-all': 1 } })
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    `5 ${ZONE_NAMES.action}s (1 ${ZONE_NAMES['reset-all']}, 4 not recorded which)`,
  )
})

test('labels without information become the kernel releases that distinguish the runs', async () => {
  const kernels = folder('kernels')
  for (const [name, kernel] of [
    ['old', '6.1.0-47-amd64'],
    ['new', '6.12.113+deb12-amd64'],
  ] as const) {
    const inside = folder(`kernels/${name}/trace`)
    copyFileSync(join(ERRORS, 'trace.blktrace.1'), join(inside, 'trace.blktrace.1'))
    writeFileSync(join(inside, 'uname.txt'), `${kernel}\n`)
  }
  expect((await traces([kernels])).map(trace => trace.label)).toEqual(['6.12.113+deb12-amd64', '6.1.0-47-amd64'])
})

test('a text that is named is read too, and refused when it has no facts', async () => {
  const file = join(ERRORS, 'trace.blktrace.1')
  const [[trace], { status, stderr }] = await Promise.all([
    traces([file, join(ROOT, 'tests/notes/mdstat.txt')]),
    run(['summary', file, join(ROOT, 'tests/notes/mkfs.txt')]),
  ])
  expect(trace?.notes?.[0]).toMatchObject({
    kind: 'mdstat',
    arrays: [{ device: 'md0', level: 'raid5', unit_sectors: 512, disks: 3 }],
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/mkfs\.txt: not-a-trace: /)
})

test('text is ASCII and fits 80 columns', async () => {
  const all = await Promise.all([
    run(['summary', FIXTURES, join(ROOT, 'tests/notes/dropped.tar.xz')]),
    run(['summary', '--stripe', 'unit=256KiB,disks=4,level=raid5', join(FIXTURES, 'raid5-misaligned')]),
  ])
  for (const { stdout } of all) {
    expect(stdout).toMatch(/^[\x20-\x7e\n]+$/)
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
  }
})

test('lost events are shown with their times, and the figures that they affect are marked', async () => {
  const [[trace, complete], { stdout }] = await Promise.all([
    traces([join(FIXTURES, 'dropped'), ERRORS]),
    run(['summary', join(FIXTURES, 'dropped')]),
  ])
  expect(trace?.quality.holes).toContainEqual({
    device: '254,0',
    cpu: 0,
    from: 244_555_934,
    to: 890_888_323,
    reason: 'silence',
    strays: expect.any(Number),
  })
  expect(trace?.devices[0]?.spoiled).toEqual(expect.arrayContaining(['depth', 'waiting', 'latency_ns.q2c']))
  expect(stdout).toMatch(/^ {2}lost +254,0 cpu 0, 0\.244556 to 0\.890888 s: silent, \d+ unmatched$/m)
  expect(stdout).toMatch(/^ {2}queue depth\* /m)
  expect(stdout).toContain('* unreliable: events of 254,0 were lost')
  expect([complete?.quality.holes, complete?.devices[0]?.spoiled]).toEqual([[], undefined])
})

test('a version 7 trace without FUA of a kernel that hides it gets a warning, others do not', async () => {
  const codes = async (fixture: string, release: string) => {
    const path = mkdtempSync(join(scratch, 'fua-'))
    for (const name of readdirSync(join(FIXTURES, fixture)))
      copyFileSync(join(FIXTURES, fixture, name), join(path, name))
    writeFileSync(join(path, 'uname.txt'), `Linux vm ${release} #1 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux\n`)
    return (await traces([path])).flatMap(trace => trace.quality.warnings.map(w => w.code)).includes('fua-missing')
  }
  const found = await Promise.all([
    codes('sync-no-fua', '6.19.2-amd64'),
    codes('sync-no-fua', '7.0.0-rc1'),
    codes('sync-no-fua', '6.18.9-amd64'),
    codes('sync-fua', '6.19.2-amd64'),
  ])
  expect(found).toEqual([true, true, false, false])
})

test('requests of several traces are one table, one row per request; absent is empty', async () => {
  const file = join(folder('table'), 'requests.csv')
  const [{ stdout }, part] = await Promise.all([
    run(['requests', ERRORS, join(FIXTURES, 'sync-fua')]),
    run(['requests', ERRORS, '-o', file, '--range', '0:0.2']),
  ])
  const [first = '', ...lines] = stdout.trimEnd().split('\r\n')
  const names = first.split(',')
  const cells = lines.map(line => line.replaceAll(/"[^"]*"/g, '').split(','))
  expect(new Set(cells.map(row => row.length))).toEqual(new Set([names.length]))
  expect(new Set(cells.map(row => row[0]))).toEqual(new Set(['io-errors', 'sync-fua']))
  const failed = cells.filter(row => row[names.indexOf('error')] === '5')
  expect(failed.length).toBeGreaterThan(0)
  const flush = cells.find(row => row[names.indexOf('op')] === 'flush') ?? []
  expect([flush[names.indexOf('sector')], flush[names.indexOf('alignment')]]).toEqual(['', ''])
  expect(part).toMatchObject({ status: 0, stdout: '' })
  expect(readFileSync(file, 'utf8').split('\r\n')).toHaveLength(4)
})

test('a table is complete or absent', async () => {
  const path = folder('absent')
  const [none, refused] = await Promise.all([
    run(['requests', 'no/such/trace', '-o', join(path, 'none.parquet')]),
    run(['requests', ERRORS, '-o', join(path, 'no/such/folder/a.csv')]),
  ])
  expect(none).toMatchObject({ status: 1, stderr: expect.stringContaining('not-found') })
  expect(readdirSync(path)).toEqual([])
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot write') })
})

test('names that a spreadsheet runs as formulas are text, unless --raw is given', async () => {
  const name = "=cmd|' C'!A0"
  const path = join(folder('formula'), '@run')
  mkdirSync(path)
  for (const file of readdirSync(ERRORS)) {
    const records = recordsOf(readFileSync(join(ERRORS, file)))
    for (const record of records)
      if (isNote(record) && (record.readUInt32LE(AT.action) & 0xff) === 0)
        record.fill(0, AT.payload).write(name, AT.payload)
    writeFileSync(join(path, file), Buffer.concat(records))
  }
  const [{ stdout }, raw] = await Promise.all([run(['requests', path]), run(['requests', '--raw', path])])
  expect(stdout).toContain(`,'${name},`)
  expect(stdout).toContain("\r\n'@run,")
  expect(raw.stdout).toContain(`,${name},`)
  expect(raw.stdout).toContain('\r\n@run,')
  expect(stdout.replaceAll(`'${name}`, name).replaceAll("\r\n'@run,", '\r\n@run,')).toBe(raw.stdout)
})
