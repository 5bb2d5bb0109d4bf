/** Where the archive goes: nothing is replaced, no link is followed, and no recording is lost. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { archivesOf, leftIn, unpack } from './archive'
import { temporaryMachine } from './finished'
import { type Machine, record, SHELLS, start } from './machine'
import { program } from './programs'

vi.setConfig({ testTimeout: 120_000 })

const ARGS = ['-d', 'vda', '-l', 'x'] as const
const TRUE = ['--', 'true'] as const

/** Names that the recorder added to the folder of the output. */
const newFiles = (machine: Machine, before: readonly string[]) =>
  readdirSync(machine.workFolder).filter(name => !before.includes(name) && name !== 'blktrace.calls')

describe.each(SHELLS)('in %s %s', (...words) => {
  const shell = words.filter(Boolean)

  test('a link at a name of the archive is not followed, before or during the recording', async () => {
    const machine = temporaryMachine()
    const victim = join(machine.workFolder, 'victim')
    writeFileSync(victim, 'precious')
    for (const name of ['x.tar.gz.part', '.seekscope', 'x-2.tar.gz'])
      symlinkSync(victim, join(machine.workFolder, name))
    const plant =
      'ln -s victim x.tar.gz; mkdir x-3.tar.gz; mkfifo x-4.tar.gz; ln -s nowhere x-5.tar.gz; ln -s /tmp x-6.tar.gz'
    const { status, stderr } = await record(machine, [...ARGS, '-o', 'x.tar.gz', '--', 'sh', '-c', plant], shell)
    expect([status, stderr]).toEqual([0, expect.stringContaining('x.tar.gz exists meanwhile, and is not replaced')])
    expect(readFileSync(victim, 'utf8')).toBe('precious')
    expect([
      readdirSync(join(machine.workFolder, 'x-3.tar.gz')),
      existsSync(join(machine.workFolder, 'nowhere')),
    ]).toEqual([[], false])
    expect(lstatSync(join(machine.workFolder, 'x-7.tar.gz')).isFile()).toBe(true)
    expect(unpack(machine, 'x-7.tar.gz').has('x/vda.blktrace.0')).toBe(true)
    expect(existsSync('/tmp/x.tar.gz')).toBe(false)
    expect(leftIn(machine)).toEqual([])
  })

  test('a name is a name: with a dash, blanks, patterns, commands and line ends', async () => {
    const names = [
      '-x.tar.gz',
      '--help',
      '-rf',
      '-',
      'a b',
      '*',
      '$(touch pwned).tar.gz',
      'a\nb.tar.gz',
      '%s\\n.tar.gz',
    ]
    await Promise.all(
      names.map(async name => {
        const machine = temporaryMachine()
        const before = readdirSync(machine.workFolder)
        const { status, stderr } = await record(machine, [...ARGS, '-o', name, ...TRUE], shell)
        expect({ name, status, stderr: status === 0 ? '' : stderr }).toEqual({ name, status: 0, stderr: '' })
        expect(newFiles(machine, before)).toEqual([name])
        expect(lstatSync(join(machine.workFolder, name)).mode & 0o777).toBe(0o600)
      }),
    )
  })

  test('two recorders of one second, label and name leave two archives', async () => {
    const machine = temporaryMachine()
    for (const nameArgs of [[], ['-o', 'x.tar.gz']]) {
      const both = ['vda', 'vdb'].map(device => record(machine, ['-d', device, '-l', 'x', ...nameArgs, ...TRUE], shell))
      expect((await Promise.all(both)).map(run => run.status)).toEqual([0, 0])
    }
    const archives = archivesOf(machine)
    const devices = archives.map(archive => (unpack(machine, archive).has('x/vda.blktrace.0') ? 'vda' : 'vdb'))
    expect(devices.sort()).toEqual(['vda', 'vda', 'vdb', 'vdb'])
  })
})

test.each([
  ['folder', 'is a folder'],
  ['folder/', 'is a folder'],
  ['.', 'is a folder'],
  ['..', 'is a folder'],
  ['there', 'exists, and is not replaced'],
  ['nowhere', 'exists, and is not replaced'],
  ['fifo', 'exists, and is not replaced'],
  ['/dev/null', 'exists, and is not replaced'],
  ['there/x.tar.gz', 'cannot write to'],
  ['missing/x.tar.gz', 'cannot write to'],
  [`${'x'.repeat(300)}.tar.gz`, 'cannot write'],
  ['/proc/x.tar.gz', 'cannot write'],
])('-o %s is refused before the recording', async (name, words) => {
  const machine = temporaryMachine()
  mkdirSync(join(machine.workFolder, 'folder'))
  writeFileSync(join(machine.workFolder, 'there'), 'precious')
  symlinkSync('no such file', join(machine.workFolder, 'nowhere'))
  spawnSync('mkfifo', [join(machine.workFolder, 'fifo')])
  const before = readdirSync(machine.workFolder)
  const { status, stderr } = await record(machine, [...ARGS, '-o', name, ...TRUE])
  expect([status, stderr]).toEqual([4, expect.stringContaining(words)])
  expect([newFiles(machine, before), existsSync(join(machine.workFolder, 'blktrace.calls'))]).toEqual([[], false])
  expect([readdirSync(join(machine.workFolder, 'folder')), leftIn(machine)]).toEqual([[], []])
  expect(readFileSync(join(machine.workFolder, 'there'), 'utf8')).toBe('precious')
})

test('an archive that cannot be written at the end is kept where it was made, for this user alone', async () => {
  const machine = temporaryMachine()
  mkdirSync(join(machine.workFolder, 'gone'))
  const { status, stderr } = await record(machine, [...ARGS, '-o', 'gone/x.tar.gz', '--', 'rmdir', 'gone'])
  expect([status, stderr]).toEqual([4, expect.stringContaining('cannot write gone/x.tar.gz')])
  const [folder = ''] = leftIn(machine)
  expect(stderr).toContain(`the recording is kept in ${join(machine.root, folder)}`)
  expect(statSync(join(machine.root, folder)).mode & 0o777).toBe(0o700)
  expect(unpack(machine, join('root', folder, 'x.tar.gz')).has('x/vda.blktrace.0')).toBe(true)
  // The next recorder says so, and leaves it.
  const next = await record(machine, [...ARGS, '-o', 'y.tar.gz', ...TRUE])
  expect([next.status, next.stderr]).toEqual([0, expect.stringContaining('an earlier recording is kept in')])
  expect(leftIn(machine)).toEqual([folder])
})

/** Why there can be no small disk, or nothing. */
const noDisk = process.getuid?.() !== 0 ? 'mounting needs root' : undefined
test.skipIf(noDisk !== undefined)(`a full disk loses no recording${noDisk ? ` (${noDisk})` : ''}`, async () => {
  const machine = temporaryMachine()
  const small = join(machine.workFolder, 'small')
  mkdirSync(small)
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small]).status).toBe(0)
  onTestFinished(() => {
    spawnSync('umount', [small])
    rmdirSync(small)
  })
  const { status, stderr } = await record(machine, [...ARGS, '-o', 'small/x.tar.gz', ...TRUE])
  expect([status, stderr]).toEqual([4, expect.stringContaining('is it full?')])
  expect(readdirSync(small)).toEqual([])
  expect(unpack(machine, join('root', leftIn(machine)[0] ?? '', 'x.tar.gz')).has('x/vda.blktrace.0')).toBe(true)
})

test('a folder of the archive that somebody else swaps is noticed', async () => {
  const machine = temporaryMachine()
  const elsewhere = join(machine.workFolder, 'elsewhere')
  mkdirSync(join(elsewhere, 'empty'), { recursive: true, mode: 0o700 })
  const swap = `case $made in */.seekscope.*) rmdir "$made"; ln -s '${elsewhere}/empty' "$made" ;; esac`
  const real = 'PATH=/usr/local/bin:/usr/bin:/bin'
  for (const when of ['before', 'at the end'] as const) {
    const begun = when === 'before' ? 'true' : `[ -e '${machine.workFolder}/blktrace.calls' ]`
    program(
      machine,
      'mktemp',
      `made=$(${real} mktemp "$@") || exit 1\nif ${begun}; then ${swap}; fi\nprintf '%s\\n' "$made"`,
    )
    const { status } = await record(machine, [...ARGS, '-o', 'x.tar.gz', ...TRUE])
    expect({ when, status }).toEqual({ when, status: 4 })
    expect(existsSync(join(machine.workFolder, 'blktrace.calls'))).toBe(when !== 'before')
    expect([readdirSync(elsewhere), readdirSync(join(elsewhere, 'empty'))]).toEqual([['empty'], []])
  }
})

test('without hard links, and without the program link, nothing is replaced either', async () => {
  const machine = temporaryMachine()
  program(machine, 'link', 'exit 1')
  program(machine, 'ln', 'exit 1')
  const plant = 'echo precious > x.tar.gz'
  const { status } = await record(machine, [...ARGS, '-o', 'x.tar.gz', '--', 'sh', '-c', plant])
  expect(status).toBe(0)
  expect(readFileSync(join(machine.workFolder, 'x.tar.gz'), 'utf8')).toBe('precious\n')
  expect(unpack(machine, 'x-2.tar.gz').size).toBeGreaterThan(10)
})

const noRoot = process.getuid?.() !== 0
test.skipIf(noRoot)(`under sudo the archive is of the user${noRoot ? ' (chown needs root)' : ''}`, async () => {
  const machine = temporaryMachine()
  const env = { SUDO_UID: '1234', SUDO_GID: '1235' }
  expect(await record(machine, [...ARGS, '-o', 'x.tar.gz', ...TRUE], ['sh'], env)).toMatchObject({ status: 0 })
  const { uid, gid } = statSync(join(machine.workFolder, 'x.tar.gz'))
  expect([uid, gid]).toEqual([1234, 1235])
  const odd = { SUDO_UID: '--reference=/etc/passwd', SUDO_GID: '' }
  expect(await record(machine, [...ARGS, '-o', 'y.tar.gz', ...TRUE], ['sh'], odd)).toMatchObject({ status: 0 })
  expect(statSync(join(machine.workFolder, 'y.tar.gz')).uid).toBe(0)
})

test('scripts of one name in two folders are two settings', async () => {
  const machine = temporaryMachine()
  for (const [folder, value] of [
    ['a', 32],
    ['b', 64],
  ] as const) {
    mkdirSync(join(machine.workFolder, folder))
    writeFileSync(
      join(machine.workFolder, folder, 'set.sh'),
      `echo ${value} > ${machine.root}/sys/block/vda/queue/nr_requests\n`,
    )
  }
  const child = start(machine, ['-d', 'vda', '--ab', 'a/set.sh', 'b/set.sh', '-n', '1', '-o', 'x.tar.gz', ...TRUE])
  expect(await child.finished).toMatchObject({ status: 0 })
  const files = unpack(machine, 'x.tar.gz')
  expect([...files.keys()].filter(name => name.endsWith('/settings.txt')).sort()).toEqual([
    '6.12.1/set-a-r1/settings.txt',
    '6.12.1/set-b-r1/settings.txt',
  ])
})
