/** Names and variables from anywhere: none becomes text of a program, an option, a pattern or a row. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { run } from '../../cli/testing/run'
import type { SummaryTrace } from '../../web/engine/summary'
import { archivesOf, leftIn, secretsIn, unpack } from './archive'
import { temporaryMachine } from './finished'
import { type Machine, record, SCRIPT, SECRETS, SHELLS } from './machine'
import { PERF, program } from './programs'

vi.setConfig({ testTimeout: 120_000 })

const ARGS = ['-d', 'vda', '-l', 'x', '-o', 'x.tar.gz'] as const

/** Programs of the current folder that say that they were run. */
function plantPrograms(machine: Machine): void {
  for (const name of ['awk', 'cat', 'date', 'id', 'ls', 'readlink', 'tr', 'true', 'uname']) {
    writeFileSync(join(machine.workFolder, name), `#!/bin/sh\n: > '${machine.workFolder}/pwned-${name}'\n`)
    chmodSync(join(machine.workFolder, name), 0o755)
  }
}
const plantedRuns = (machine: Machine) => readdirSync(machine.workFolder).filter(name => name.startsWith('pwned'))

describe.each(SHELLS)('in %s %s', (...words) => {
  const shell = words.filter(Boolean)

  test('TMPDIR is a name: names of the machine are masked, and nothing of it is run', async () => {
    const names = ['plain', 't\\x2dmp', 'a\nb', 'a b=c', 'x$(touch pwned)"y', '*', "it's", '-n', '%s\\n', 'end\n']
    await Promise.all(
      names.map(async name => {
        const machine = temporaryMachine({ refused: 'BLKTRACESETUP(2) failed' })
        program(machine, 'perf', PERF)
        const folder = join(machine.root, 'dev/shm', name)
        mkdirSync(folder)
        const command = ['--no-comm', '--', 'echo', SECRETS.host, SECRETS.mount]
        const { status, stderr } = await record(machine, [...ARGS, ...command], shell, { TMPDIR: folder })
        expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: expect.any(String) })
        const files = unpack(machine, 'x.tar.gz')
        expect({ name, secrets: secretsIn(files) }).toEqual({ name, secrets: [] })
        expect(files.get('x/trace.txt')?.toString()).toContain('task1 77 [001]')
        expect([plantedRuns(machine), readdirSync(folder)]).toEqual([[], []])
      }),
    )
  })

  test('variables for the tools change nothing, and the command has them', async () => {
    const machine = temporaryMachine()
    plantPrograms(machine)
    const run = ': > "$PWNED"'
    writeFileSync(join(machine.workFolder, 'rc'), run)
    const privateFolder = join(machine.workFolder, 'own')
    mkdirSync(privateFolder)
    writeFileSync(join(privateFolder, 'mine'), '#!/bin/sh\necho "$PATH|$HOME|$TMPDIR|$TAR_OPTIONS|$GZIP|$PERL5OPT"\n')
    chmodSync(join(privateFolder, 'mine'), 0o755)
    const env = {
      PWNED: join(machine.workFolder, 'pwned-variable'),
      PATH: `:.:relative:${machine.env.PATH}:own:${privateFolder}:`,
      HOME: join(machine.workFolder, '$(touch pwned-home)'),
      IFS: '/',
      CDPATH: '/tmp',
      ENV: join(machine.workFolder, 'rc'),
      LC_ALL: 'tr_TR.UTF-8',
      LANG: 'ja_JP.SJIS',
      TAR_OPTIONS: '--checkpoint=1 --checkpoint-action=exec=touch pwned-tar',
      GZIP: '--list',
      GREP_OPTIONS: '-v',
      PERL5OPT: '-MNoSuchModule',
      POSIXLY_CORRECT: '1',
      DF_BLOCK_SIZE: '1',
      // A function that bash takes from the environment; other shells ignore it.
      'BASH_FUNC_awk%%': `() { ${run}\n}`,
      'BASH_FUNC_printf%%': `() { ${run}\n}`,
    }
    const { status, stdout, stderr } = await record(machine, [...ARGS, '--no-comm', '--', 'mine'], shell, env)
    expect([status, stderr]).toEqual([0, expect.not.stringMatching(/^seekscope-record: .*(error|cannot)/im)])
    expect(stdout).toBe(`${env.PATH}|${env.HOME}||${env.TAR_OPTIONS}|${env.GZIP}|${env.PERL5OPT}\n`)
    expect(secretsIn(unpack(machine, 'x.tar.gz'))).toEqual([])
    expect(plantedRuns(machine)).toEqual([])
  })

  test('rows of the manifest are those of the recorder, whatever the command is', async () => {
    const machine = temporaryMachine()
    const forged = 'masked\thost\t99 replaced by hashes\t-\t-\nlabel\tforged\t0\t-\t-\ntracer\tperf\t0\t1\t2'
    const command = `printf 'a\\nb\\r'\n#\\x1b \u001b[31m\r\u007f\n${forged}`
    expect(await record(machine, [...ARGS, '--', 'sh', '-c', command, 'ü'], shell)).toMatchObject({ status: 127 - 126 })
    const text = unpack(machine, 'x.tar.gz').get('x/MANIFEST.tsv')?.toString() ?? ''
    const rows = text.split('\n').map(line => line.split('\t'))
    expect(rows.filter(row => row.length !== 5)).toEqual([['']])
    expect(rows.filter(([item]) => item === 'label')).toEqual([['label', 'x', '0', '-', '-']])
    expect(rows.filter(([item]) => item === 'command').map(row => row[1])).toEqual([
      `sh -c printf 'a\\\\nb\\\\r'\\n#\\\\x1b \\x1b[31m\\r\\x7f\\n${forged.replaceAll('\t', '\\t').replaceAll('\n', '\\n')} ü`,
    ])
    const { stdout } = await run(['summary', '--json', join(machine.workFolder, 'x.tar.gz')])
    const { traces } = JSON.parse(stdout) as { traces: readonly SummaryTrace[] }
    const facts = (traces[0]?.notes ?? []).flatMap(note => (note.file.endsWith('MANIFEST.tsv') ? note.facts : []))
    const value = (key: string) => facts.find(fact => fact.key === key)?.value
    expect(value('recorded_command')).toBe(`sh -c ${command} ü`)
    expect([value('tracer'), value('masked')]).toEqual(['blktrace', expect.stringMatching(/^host: 2 replaced/)])
  })
})

test('a command of a megabyte is cut in the manifest, and does not hide its rows', async () => {
  const machine = temporaryMachine()
  const words = Array.from({ length: 10 }, () => 'x'.repeat(100_000))
  expect(await record(machine, [...ARGS, '--', 'true', ...words])).toMatchObject({ status: 0 })
  const manifest = unpack(machine, 'x.tar.gz').get('x/MANIFEST.tsv')?.toString() ?? ''
  expect(manifest.length).toBeLessThan(20_000)
  expect(manifest).toMatch(/^command\ttrue x+ \.\.\.\t-\t-\t-$/m)
})

test('folders of PATH that others can write to are not searched', async () => {
  const machine = temporaryMachine()
  const [open, foreign] = ['open', 'foreign'].map(name => join(machine.workFolder, name)) as [string, string]
  for (const folder of [open, foreign]) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'awk'), `#!/bin/sh\n: > '${machine.workFolder}/pwned-awk'\n`)
    chmodSync(join(folder, 'awk'), 0o755)
  }
  chmodSync(open, 0o777)
  if (process.getuid?.() === 0) chownSync(foreign, 1234, 1234)
  const PATH = `${open}:${process.getuid?.() === 0 ? foreign : open}:${machine.env.PATH}`
  expect(await record(machine, [...ARGS, '--', 'true'], ['sh'], { PATH })).toMatchObject({ status: 0 })
  expect(plantedRuns(machine)).toEqual([])
})

test.each(['', '.', ':/usr/bin', '/usr/bin:', '.:/usr/bin', 'relative'])(
  'PATH=%j runs nothing of this folder',
  PATH => {
    const machine = temporaryMachine()
    plantPrograms(machine)
    const env = { PATH, SEEKSCOPE_ROOT: machine.root }
    const { status } = spawnSync('/bin/sh', [SCRIPT, '-d', 'vda', '--dry-run'], { cwd: machine.workFolder, env })
    expect([status, plantedRuns(machine)]).toEqual([0, []])
  },
)

test('a function of the script is no command, and a command is no option', async () => {
  for (const [command, expected] of [
    ['say', 2],
    ['finish', 2],
    ['-c', 2],
    ['', 2],
    ['./nope', 2],
    // A command that is built into shells, and is no program.
    ['trap', 1],
  ] as const) {
    const machine = temporaryMachine()
    const { status } = await record(machine, [...ARGS, '--', command])
    expect({ command, status }).toEqual({ command, status: expected })
  }
})

test.each([
  '*',
  'vd?',
  'vd[a]',
  '',
  ' ',
  'vda vdb',
  'vda\nvdb',
  '-k',
  '[',
  '../../etc',
  'a;touch pwned',
  '$(touch pwned)',
])('no device %j, whatever files there are', async device => {
  const machine = temporaryMachine()
  for (const name of ['vda', 'vdb', 'etc']) writeFileSync(join(machine.workFolder, name), '')
  for (const name of ['$(touch pwned)', 'a;touch pwned', 'vda vdb', '[', '*'])
    mkdirSync(join(machine.root, 'sys/block', name))
  const { status, stderr } = await record(machine, ['-d', device, '-w', '1'])
  expect([status, stderr]).toEqual([4, expect.stringMatching(/no block device .*; disks of this machine: md0 vda/)])
  expect([plantedRuns(machine), existsSync(join(machine.workFolder, 'blktrace.calls'))]).toEqual([[], false])
})

test('members of arrays with names that the kernel does not give are left out', async () => {
  const machine = temporaryMachine()
  for (const name of ['$(touch pwned)', '* *', 'vda\nvdb']) {
    mkdirSync(join(machine.root, 'sys/block/md0/slaves', name))
    mkdirSync(join(machine.root, 'sys/class/block', name))
  }
  const { status, stdout } = await record(machine, ['-d', 'md0', '--dry-run'])
  expect([status, stdout, plantedRuns(machine)]).toEqual([0, expect.stringContaining('blktrace -d /dev/md0 -b'), []])
})

test.each(['$(touch pwned)', '../../etc/x', '-rf', 'a\tb\nc', '\u202e\u001b[31m', 'x'.repeat(5000), '%s%n', 'a/../b'])(
  'the label %j is a name of a folder',
  async label => {
    const machine = temporaryMachine()
    expect(await record(machine, ['-d', 'vda', '-l', label, '--', 'true'])).toMatchObject({ status: 0 })
    const [archive = '', ...others] = archivesOf(machine)
    expect([others, plantedRuns(machine)]).toEqual([[], []])
    const tops = new Set([...unpack(machine, archive).keys()].map(name => name.split('/')[0]))
    expect([...tops]).toEqual([expect.stringMatching(/^[A-Za-z0-9_+=,][A-Za-z0-9._+=,-]{0,79}$/)])
  },
)

test.each(SHELLS)('read from standard input by %s %s, it is read before its command reads there', (...words) => {
  const machine = temporaryMachine()
  const [shell = 'sh', ...options] = words.filter(Boolean)
  const input = readFileSync(SCRIPT, 'utf8')
  const args = [...options, '-s', '--', ...ARGS, '--', 'cat']
  const complete = spawnSync(shell, args, { cwd: machine.workFolder, env: machine.env, input, encoding: 'utf8' })
  expect([complete.status, complete.stdout, archivesOf(machine)]).toEqual([0, '', ['x.tar.gz']])
  // A download that was cut does nothing.
  const cut = temporaryMachine()
  const half = input.slice(0, input.lastIndexOf('machine_facts before'))
  spawnSync(shell, args, { cwd: cut.workFolder, env: cut.env, input: half, encoding: 'utf8' })
  expect([leftIn(cut), existsSync(join(cut.workFolder, 'blktrace.calls')), archivesOf(cut)]).toEqual([[], false, []])
})

test('standard streams that are closed are no files of the recorder', () => {
  const machine = temporaryMachine()
  const args = ['-c', 'exec sh "$0" "$@" <&- >&- 2>&-', SCRIPT, ...ARGS, '--', 'true']
  expect(spawnSync('sh', args, { cwd: machine.workFolder, env: machine.env }).status).toBe(0)
  const files = unpack(machine, 'x.tar.gz')
  expect(files.get('x/MANIFEST.tsv')?.toString()).toMatch(/^item\tcommand\texit\tbegin\tend\n/)
  expect(secretsIn(files)).toEqual([])
})

test.each(['a.b*c[d]e', '100%s\\nx', '$(touch pwned)', 'with blanks in it', '^.*$', '&&&\\1'])(
  'the host name %j is masked as it is',
  async host => {
    const machine = temporaryMachine()
    writeFileSync(join(machine.root, 'proc/sys/kernel/hostname'), `${host}\n`)
    const { status } = await record(machine, [...ARGS, '--', 'printf', '%s\\n', host, 'axbxcdxe'])
    const printed = unpack(machine, 'x.tar.gz').get('x/output.txt')?.toString()
    expect([status, printed, plantedRuns(machine)]).toEqual([
      0,
      expect.stringMatching(/^host-[0-9a-f]{8}\naxbxcdxe\n$/),
      [],
    ])
  },
)

test('files named as events of perf are no events', async () => {
  const machine = temporaryMachine({ refused: 'no' })
  program(machine, 'perf', `printf '%s\\n' "$*" >> '${machine.workFolder}/perf.calls'\n${PERF}`)
  for (const name of ['rq_x', 'bio_x', 'block:block_rq_x']) writeFileSync(join(machine.workFolder, name), '')
  expect(await record(machine, [...ARGS, '--', 'true'])).toMatchObject({ status: 0 })
  const { stdout } = spawnSync('cat', [join(machine.workFolder, 'perf.calls')], { encoding: 'utf8' })
  expect(stdout).toContain('-e block:block_rq_* -e block:block_bio_* -e block:block_getrq')
})

test.each([
  ['-n', '1001', '-n is at most 1000'],
  ['-n', '999999999', '-n is at most 1000'],
  ['-n', '99999999999999999999', '-n is at most 1000'],
  ['-w', '604801', '-w is at most 604800'],
  ['-w', '99999999999999999999', '-w is at most 604800'],
  ['-b', '9223372036854775808', '-b is at most 1048576'],
  ['-w', '08', '-w needs a whole number'],
  ['-w', '1e3', '-w needs a whole number'],
  ['-n', '-1', '-n needs a whole number'],
  ['-b', '', '-b needs a whole number'],
])('%s %s is refused', async (option, value, words) => {
  const { status, stderr } = await record(temporaryMachine(), ['-d', 'vda', option, value, '--dry-run'])
  expect([status, stderr]).toEqual([2, expect.stringContaining(words)])
})

test('buffers that take more than the free memory are refused', async () => {
  const { status, stderr } = await record(temporaryMachine({ cpus: 512 }), ['-d', 'vda', '-b', '4096', '--dry-run'])
  expect([status, stderr]).toEqual([4, expect.stringContaining('-b 4096 takes 8192 MiB for all buffers')])
})

describe('the folder to work in', () => {
  const expectRefused = async (machine: Machine, folder: string) => {
    const { status, stderr } = await record(machine, [...ARGS, '--', 'true'], ['sh'], { TMPDIR: folder })
    expect([status, stderr]).toEqual([4, expect.stringContaining('TMPDIR')])
    expect(existsSync(join(machine.workFolder, 'blktrace.calls'))).toBe(false)
  }
  test('is one in which nobody else can rename', async () => {
    const machine = temporaryMachine()
    const open = join(machine.root, 'dev/shm/open')
    mkdirSync(join(open, 'below'), { recursive: true })
    chmodSync(open, 0o777)
    await expectRefused(machine, open)
    await expectRefused(machine, join(open, 'below'))
    chmodSync(open, 0o775)
    await expectRefused(machine, open)
    chmodSync(open, 0o1777)
    const { status } = await record(machine, [...ARGS, '--', 'true'], ['sh'], { TMPDIR: join(open, 'below') })
    expect([status, readdirSync(join(open, 'below'))]).toEqual([0, []])
  })
  test('exists, and is a folder', async () => {
    const machine = temporaryMachine()
    await expectRefused(machine, join(machine.root, 'dev/shm/missing'))
    writeFileSync(join(machine.root, 'dev/shm/file'), '')
    await expectRefused(machine, join(machine.root, 'dev/shm/file'))
  })
  const notRoot = process.getuid?.() !== 0
  test.skipIf(notRoot)(`is not of another user${notRoot ? ' (chown needs root)' : ''}`, async () => {
    const machine = temporaryMachine()
    const folder = join(machine.root, 'dev/shm/foreign')
    mkdirSync(folder)
    chownSync(folder, 1234, 1234)
    await expectRefused(machine, folder)
    expect(leftIn(machine)).toEqual(['dev/shm/foreign'])
  })
})
