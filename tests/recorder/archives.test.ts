/** What the recorder writes, read by this program; its text against the manual; and a recording of this machine. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { commandSpec } from '../../cli/commands'
import { run } from '../../cli/testing/run'
import type { SummaryTrace } from '../../web/engine/summary'
import { temporaryMachine } from './finished'
import { record, SCRIPT } from './machine'

vi.setConfig({ testTimeout: 120_000 })

/** When a recording began, in seconds since boot: the time of its first record. */
const beginOf = (file: string): number => Number(readFileSync(file).readBigUInt64LE(8)) / 1e9

test('the archives open with labels, settings, counters on the clock of the trace, bench figures and repeats', async () => {
  const fixture = join(import.meta.dirname, '../fixtures/two-devices')
  const begin = Math.min(...['vda.blktrace.0', 'vdb.blktrace.0'].map(file => beginOf(join(fixture, file))))
  const archives: string[] = []
  for (const [label, requests] of [
    ['old', 256],
    ['new', 64],
  ] as const) {
    const machine = temporaryMachine()
    // The machine was suspended for 1,000 s since boot: its uptime is ahead of the trace's clock.
    const uptimeAfter = (seconds: number) => (begin + 1000 + seconds).toFixed(2)
    const path = (file: string) => join(machine.root, file)
    writeFileSync(path('proc/uptime'), `${uptimeAfter(0)} 1.00\n`)
    writeFileSync(path('proc/timer_list'), `now at ${Math.round(begin * 1e9)} nsecs\n`)
    writeFileSync(path('sys/block/vda/queue/nr_requests'), `${requests}\n`)
    // Time passes in a made machine when its command says so: 150 ms, of which the disk is busy for 75, with 30 writes.
    writeFileSync(path('proc/diskstats'), ' 254 0 vda 100 0 800 10 100 0 1600 20 0 0 30 0 0 0 0 0 0\n')
    const change = (file: string, awk: string) =>
      `awk '${awk}' ${path(file)} > ${path('next')}; mv ${path('next')} ${path(file)}`
    const pass = [
      change('proc/uptime', '{ printf "%.2f 1.00\\n", $1 + 0.15 }'),
      change('proc/diskstats', '{ $8 += 30; $13 += 75; print }'),
    ]
    const dd = `echo '1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.5 s, 2.1 MB/s' >&2`
    const command = ['sleep 1.3', ...pass, dd].join('\n')
    const args = ['-d', 'vda', '-d', 'vdb', '-l', label, '-n', '2', '-o', 'x.tar.gz', '--', 'sh', '-c', command]
    expect(await record(machine, args)).toMatchObject({ status: 0 })
    archives.push(join(machine.workFolder, 'x.tar.gz'))
  }
  const { stdout, status } = await run(['summary', '--json', ...archives])
  expect(status).toBe(0)
  const { traces } = JSON.parse(stdout) as { traces: readonly SummaryTrace[] }
  expect(traces.map(trace => trace.label).sort()).toEqual(['new-r1', 'new-r2', 'old-r1', 'old-r2'])
  for (const trace of traces) {
    const { counters = [], bench = [], notes = [] } = trace
    const disks = counters.find(source => source.file.endsWith('diskstats.txt'))
    expect(disks).toMatchObject({ clock: 'by the time since boot' })
    const lane = (name: string) => disks?.lanes.find(l => l.name === name)
    expect(lane('%util')).toMatchObject({ mean: expect.closeTo(0.5, 1) })
    expect(lane('w/s')).toMatchObject({ mean: expect.closeTo(200, -1) })
    expect(bench.map(figure => [figure.key, figure.value])).toEqual([['bench.dd.rate', 2097152]])
    const kinds = notes.map(note => note.kind)
    for (const kind of ['manifest', 'settings', 'blktrace-log', 'uname', 'lsblk', 'mounts', 'cmdline', 'counters'])
      expect(kinds).toContain(kind)
  }
  const compared = await run(['compare', '--json', ...archives])
  const { runs, findings } = JSON.parse(compared.stdout) as {
    runs: readonly { label: string; group?: string }[]
    findings: readonly { code: string; sentence: string }[]
  }
  expect(runs.map(r => [r.label, r.group])).toEqual([
    ['old-r1', 'old'],
    ['old-r2', 'old'],
    ['new-r1', 'new'],
    ['new-r2', 'new'],
  ])
  expect(findings.find(f => f.code === 'setting-changed')?.sentence).toContain('nr_requests')
})

test('shellcheck has no objection', { skip: spawnSync('sh', ['-c', 'command -v shellcheck']).status !== 0 }, () => {
  expect(spawnSync('shellcheck', ['-s', 'sh', SCRIPT], { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' })
})

test('the table of the command line has the options of the script', () => {
  const help = execFileSync('sh', [SCRIPT, '--help'], { encoding: 'utf8' })
  const options = [...help.matchAll(/^ {2}(--?[a-z-]+(?: [A-Z]\S*)*)(?: {2,}|$)/gm)].map(([, term]) => term)
  expect(commandSpec('record').passed?.map(([term]) => term)).toEqual(options.filter(term => term !== '--help'))
})

/** Why this machine cannot record, or nothing. */
function refusal(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root'
  if (spawnSync('sh', [SCRIPT, '--check'], { encoding: 'utf8' }).status !== 0) return 'no tracer works here'
  return diskOfTemporaryFolder() === undefined ? 'the disk of the temporary folder is unknown' : undefined
}

/** The disk, or partition, that the temporary folder is on. */
function diskOfTemporaryFolder(): string | undefined {
  const source = execFileSync('df', ['-P', tmpdir()], { encoding: 'utf8' }).trim().split('\n')[1]?.split(/\s+/)[0] ?? ''
  return existsSync(join('/sys/class/block', source.replace('/dev/', ''))) && source.startsWith('/dev/')
    ? source
    : undefined
}

const reason = refusal()
test.skipIf(reason !== undefined)(`this machine is recorded for real${reason ? ` (${reason})` : ''}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'))
  try {
    const args = [
      '-d',
      diskOfTemporaryFolder() ?? '',
      '-l',
      'real',
      '-o',
      'x.tar.gz',
      '--',
      'dd',
      'if=/dev/zero',
      'of=file',
      'bs=64k',
      'count=100',
      'oflag=direct',
    ]
    const { status, stderr } = spawnSync('sh', [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('drop it on Seekscope') })
    const summary = await run(['summary', '--json', join(folder, 'x.tar.gz')])
    const { traces } = JSON.parse(summary.stdout) as { traces: readonly SummaryTrace[] }
    expect(traces.map(trace => trace.label)).toEqual(['real'])
    // At least what dd wrote, and its rate.
    const written = traces.flatMap(trace => trace.devices).reduce((sum, device) => sum + (device.bytes?.write ?? 0), 0)
    expect(written).toBeGreaterThanOrEqual(100 * 65536)
    expect(traces[0]?.bench?.map(figure => figure.key)).toEqual(['bench.dd.rate'])
    const placed = (traces[0]?.counters ?? []).filter(
      source => source.clock !== undefined && source.file.includes('x.tar.gz'),
    )
    expect(placed.map(source => source.file.split('/').at(-1)).sort()).toEqual(
      expect.arrayContaining(['diskstats.txt', 'stat.txt', 'vmstat.txt']),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Whether this machine has instances of tracefs, which the recorder mounts if need be. */
const hasEvents = () => /^ok +origin/m.test(spawnSync('sh', [SCRIPT, '--check'], { encoding: 'utf8' }).stdout)
const unable = reason ?? (hasEvents() ? undefined : 'no instances of tracefs')
test.skipIf(unable !== undefined)(`its events and stacks are recorded${unable ? ` (${unable})` : ''}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'))
  try {
    const write = ['dd', 'if=/dev/zero', 'of=private-name.dat', 'bs=64k', 'count=20', 'conv=fsync']
    const args = ['-d', diskOfTemporaryFolder() ?? '', '-l', 'real', '-o', 'x.tar.gz', '--files', folder]
    const options = { cwd: folder, encoding: 'utf8' } as const
    const { status, stderr } = spawnSync('sh', [SCRIPT, ...args, '--origin', '--stacks', '--', ...write], options)
    expect({ status, stderr }).toMatchObject({ status: 0 })
    expect(stderr).toMatch(/--origin recorded [1-9]\d* events, 0 lost/)
    execFileSync('tar', ['-xzf', 'x.tar.gz'], options)
    const text = (file: string) => readFileSync(join(folder, 'real', file), 'utf8')
    expect(text('ftrace.txt')).toMatch(/: writeback_dirty_(folio|page): bdi /)
    expect(text('ftrace.txt')).not.toContain('private-name')
    expect(text('stacks.txt')).toMatch(/: block_bio_queue: .*\n.*<stack trace>\n => [a-z_]+/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
