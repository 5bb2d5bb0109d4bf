/** Names are masked before anything is packed, or nothing is packed; the archive is searched for them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { archivesOf, leftIn, secretsIn, unpack } from './archive'
import { temporaryMachine } from './finished'
import { type Machine, record, SECRETS, SHELLS } from './machine'
import { program, REAL } from './programs'

vi.setConfig({ testTimeout: 120_000 })

const ARGS = ['-d', 'vda', '-l', 'x', '-o', 'x.tar.gz'] as const
/** A command that prints names of the machine. */
const PRINTS = ['--', 'echo', ...Object.values(SECRETS)] as const

/** What is packed, if anything is, has no name of the machine. */
function expectNoSecrets(machine: Machine, status: number | null): void {
  const secrets = archivesOf(machine).flatMap(archive => secretsIn(unpack(machine, archive)))
  // The password is of the command, not of the machine.
  expect(
    secrets.filter(secret => !secret.startsWith('password in x/output') && !secret.endsWith('MANIFEST.tsv')),
  ).toEqual([])
  if (archivesOf(machine).length === 0) expect(status).toBeGreaterThan(1)
}

test.each([
  'awk',
  'sed',
  'sort',
  'cut',
  'tr',
  'grep',
  'find',
  'mv',
  'wc',
  'cat',
  'sha256sum',
  'od',
  'cksum',
  'head',
  'gzip',
  'tar',
])('with a %s that fails, there is no archive with names of the machine', async name => {
  const machine = temporaryMachine()
  // It works until the recording has begun.
  program(machine, name, `[ ! -e '${machine.workFolder}/blktrace.calls' ] || exit 1\n${REAL(name)}`)
  const { status } = await record(machine, [...ARGS, '--no-comm', ...PRINTS])
  expectNoSecrets(machine, status)
})

test.each([
  ['awk', '[ -z "$MASKS" ] || exit 1'],
  ['awk', '[ -z "$MASKS" ] || [ ! -s "$MASKS" ] || : > "$MASKS"'],
  ['awk', '[ -z "$MASKS" ] || rm -f "$MASKS"'],
  ['awk', '[ -z "$MASKS" ] || MASKS=/nowhere; export MASKS'],
  // Prints what it reads, and is content.
  ['awk', '[ -z "$MASKS" ] || exec cat'],
  ['awk', '[ -z "$NAMES" ] || exec cat'],
  ['perl', 'exit 1'],
  ['perl', 'exit 0'],
  ['grep', 'case "$*" in *strings*) echo 0; exit 1 ;; esac'],
])('a step that cannot be done ends the recording before packing: %s with %s', async (name, text) => {
  const machine = temporaryMachine()
  program(machine, name, `${text}\n${REAL(name)}`)
  const { status, stderr } = await record(machine, [...ARGS, '--no-comm', '--', 'echo', SECRETS.host])
  expect([status, stderr]).toEqual([6, expect.stringContaining('no archive is written')])
  expect(archivesOf(machine)).toEqual([])
  for (const secret of Object.values(SECRETS)) expect(stderr.split(machine.workFolder).join('')).not.toContain(secret)
})

describe.each(SHELLS)('in %s %s', (...words) => {
  const shell = words.filter(Boolean)

  test.each([
    ['gzip', 'gzip -c'],
    ['gzip twice', 'gzip -c | gzip -c'],
    ['bzip2', 'bzip2 -c'],
  ])('names in output that is compressed are found: %s', async (_, pack) => {
    const machine = temporaryMachine()
    const command = `echo '${SECRETS.host}' | ${pack}`
    const { status, stderr } = await record(machine, [...ARGS, '--', 'sh', '-c', command], shell)
    // The command itself is masked in the manifest.
    expect([status, stderr]).toEqual([
      6,
      expect.stringMatching(/x\/output\.txt, which is compressed, has a name .*\(host in line 1\)/),
    ])
    expect(stderr).not.toContain(SECRETS.host)
    expect(archivesOf(machine)).toEqual([])
    // Nothing is lost: it is there for this user.
    expect(existsSync(join(machine.root, leftIn(machine)[0] ?? '', 'archive/x/vda.blktrace.0'))).toBe(true)
  })
})

test('text with bytes of 0 is masked, and names that a packer left readable are found', async () => {
  const machine = temporaryMachine()
  expect(await record(machine, [...ARGS, '--', 'printf', `a\\0${SECRETS.host}\\0b`])).toMatchObject({ status: 0 })
  expect(unpack(machine, 'x.tar.gz').get('x/output.txt')?.toString()).toMatch(/^a\nhost-[0-9a-f]{8}\nb$/m)
  const packed = temporaryMachine()
  // xz keeps what is too short to become smaller.
  const { status } = await record(packed, [...ARGS, '--', 'sh', '-c', `echo '${SECRETS.host}' | xz -c`])
  expect([status, archivesOf(packed)]).toEqual([6, []])
})

test('compressed output without names is packed', async () => {
  const machine = temporaryMachine()
  const { status } = await record(machine, [...ARGS, '--', 'sh', '-c', 'echo fine | gzip -c'])
  expect([status, archivesOf(machine)]).toEqual([0, ['x.tar.gz']])
})

test('labels and names of scripts are masked as texts are', async () => {
  const machine = temporaryMachine()
  const script = `${SECRETS.cgroup}.sh`
  for (const name of [script, 'b.sh']) writeFileSync(join(machine.workFolder, name), 'true\n')
  const args = ['-d', 'vda', '-l', SECRETS.host, '--ab', script, 'b.sh', '-n', '1', '--', 'true']
  const { status, stderr } = await record(machine, args)
  expect([status, stderr]).toEqual([0, expect.stringMatching(/the label becomes host-[0-9a-f]{8}\n/)])
  const [archive = ''] = archivesOf(machine)
  expect(archive).toMatch(/^seekscope-host-[0-9a-f]{8}-/)
  expect(secretsIn(unpack(machine, archive))).toEqual([])
})

test('names count in any case, as /proc writes them, and of 8 characters on within words', async () => {
  const machine = temporaryMachine()
  const mountinfo = join(machine.root, 'proc/self/mountinfo')
  const mounts = [
    '/srv/100%secret\\040volume%n',
    '/srv/back\\134slash',
    '/srv/line\\012end-of-path',
    '/srv/tab\\011here',
  ]
  const lines = mounts.map((path, i) => `${40 + i} 1 254:16 / ${path} rw - ext4 /dev/vdb rw\n`)
  writeFileSync(mountinfo, machine.read('proc/self/mountinfo') + lines.join(''))
  writeFileSync(join(machine.root, 'proc/mounts'), `${mounts.map(path => `/dev/vdb ${path} ext4 rw 0 0\n`).join('')}`)
  const texts = [
    SECRETS.host.toUpperCase(),
    `x${SECRETS.serial.toLowerCase()}y`,
    `0x${SECRETS.wwn.toUpperCase()}`,
    `id_${SECRETS.uuid.toUpperCase()}_`,
    `/dev/disk${SECRETS.mount}2/f`,
    '/srv/100%secret volume%n/f',
    '/srv/back\\slash',
    'end-of-path',
    '/srv/tab\there',
    'db7:0 (db7) DB7. db70 db7-x',
  ]
  expect(await record(machine, [...ARGS, '--', 'printf', '%s\\n', ...texts])).toMatchObject({ status: 0 })
  const files = unpack(machine, 'x.tar.gz')
  const text = [...files].map(([, bytes]) => bytes.toString('latin1').toLowerCase()).join('\n')
  for (const secret of [SECRETS.host, SECRETS.serial, SECRETS.wwn, SECRETS.uuid, SECRETS.mount])
    expect(text).not.toContain(secret.toLowerCase())
  for (const word of ['secret', 'back\\', 'end-of-path', 'tab\there', 'tab\\011']) expect(text).not.toContain(word)
  const printed = files.get('x/output.txt')?.toString() ?? ''
  // Names of fewer than 8 characters are masked as words only.
  expect(printed).toMatch(/^host-[0-9a-f]{8}:0 \(host-[0-9a-f]{8}\) host-[0-9a-f]{8}\. db70 db7-x$/m)
})

test('all values of a disk in one line of lsblk, and values with quotes', async () => {
  const machine = temporaryMachine()
  const line = String.raw`{"name":"vda", "serial":"UNKNOWN1", "label":"a \"customer\" x", "uuid":"77AA-BB88", "sched":"none"}`
  program(machine, 'lsblk', `[ "$1" != -J ] || cat <<'END'\n${line}\nEND`)
  expect(await record(machine, [...ARGS, '--', 'true'])).toMatchObject({ status: 0 })
  expect(unpack(machine, 'x.tar.gz').get('x/before/lsblk.json')?.toString()).toBe(
    '{"name":"vda", "serial": "masked", "label": "masked", "uuid": "masked", "sched":"none"}\n',
  )
})

test('words between quotes of the command line of the kernel are dropped with their parameter', async () => {
  const machine = temporaryMachine()
  writeFileSync(
    join(machine.root, 'proc/cmdline'),
    'quiet rd.password="hunter two three" "user=a b" dyndbg="file x +p" ro\n',
  )
  expect(await record(machine, [...ARGS, '--', 'true'])).toMatchObject({ status: 0 })
  const files = unpack(machine, 'x.tar.gz')
  expect(files.get('x/before/cmdline.txt')?.toString()).toBe('quiet dyndbg="file x +p" ro\n')
  expect(files.get('x/MANIFEST.tsv')?.toString()).toContain('masked\tkernel command line\t2 words dropped')
})

test('a host of a common name does not damage what it is no name in', async () => {
  for (const host of ['settings', 'vda', 'localhost', 'x']) {
    const machine = temporaryMachine()
    program(machine, 'uname', `case $1 in -n) echo ${host} ;; -r) echo 6.12.1 ;; *) echo x ;; esac`)
    writeFileSync(join(machine.root, 'proc/sys/kernel/hostname'), `${host}\n`)
    expect(await record(machine, [...ARGS, '--', 'true'])).toMatchObject({ status: 0 })
    const files = unpack(machine, 'x.tar.gz')
    expect(files.get('x/settings.txt')?.toString()).toContain('/sys/block/vda/queue/scheduler:[mq-deadline] none')
    expect(files.has('x/vda.blktrace.0')).toBe(true)
  }
})

/** A record of version 7, or 8, of the tracer: a name (0) or a message (2), with the number of a control group or without. */
function noteRecord(kind: number, text: string, length = text.length, version: 7 | 8 = 7): Buffer {
  const header = Buffer.alloc(version === 8 ? 64 : 48)
  header.writeUInt32LE(0x65617400 + version, 0)
  if (version === 8) {
    header.writeUInt32LE(kind, 32)
    header.writeUInt32LE(0x400, 36)
    header.writeUInt16LE(length, 50)
  } else {
    header.writeUInt32LE(0x04000000 + kind, 28)
    header.writeUInt16LE(length, 46)
  }
  const payload = Buffer.alloc(length)
  payload.write(text, 'latin1')
  return Buffer.concat([header, payload])
}

describe.each([true, false])('records of blktrace (perl: %s)', perl => {
  test('names of the machine in them are masked, in records as long as before', async () => {
    const machine = temporaryMachine()
    const records = [
      noteRecord(0, 'db7', 16),
      noteRecord(2, `throtl ${SECRETS.host} [W]`),
      noteRecord(0x102, `\x01\x00\x00\x00\x00\x00\x00\x00/${SECRETS.cgroup} x`),
      noteRecord(2, 'a line\nwith %s and \\n, and db7x', 40, 8),
      noteRecord(0, 'other', 16, 8),
      noteRecord(0, 'db7', 16, 8),
    ]
    const added = Buffer.concat(records)
    writeFileSync(join(machine.workFolder, 'records'), added)
    const append = `for file in '${machine.root}'/dev/shm/seekscope.*/archive/x/vda.blktrace.1; do cat records >> "$file"; done`
    const { status, stderr } = await record(
      machine,
      [...ARGS, '--', 'sh', '-c', append],
      ['sh'],
      perl ? {} : pathWithoutPerl(machine),
    )
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('not masked')])
    const file = unpack(machine, 'x.tar.gz').get('x/vda.blktrace.1') ?? Buffer.alloc(0)
    const after = file.subarray(file.length - added.length)
    const text = after.toString('latin1')
    expect(text).not.toContain(SECRETS.host)
    expect(text).not.toContain(SECRETS.cgroup)
    expect(text).not.toMatch(/db7[^x]/)
    for (const unchanged of ['throtl host-', ' [W]', 'a line\nwith %s and \\n, and db7x', 'other\0'])
      expect(text).toContain(unchanged)
    // Headers, lengths and the numbers of control groups are as they were.
    let offset = 0
    for (const bytes of records) {
      const size = bytes.readUInt8(0) === 8 ? 64 : 48
      expect(after.subarray(offset, offset + size)).toEqual(bytes.subarray(0, size))
      offset += bytes.length
    }
  })
})

/** A PATH of links to all programs but perl. */
function pathWithoutPerl(machine: Machine): Readonly<Record<string, string>> {
  const path = join(machine.workFolder, 'few')
  mkdirSync(path)
  for (const folder of ['/usr/bin', '/bin', '/usr/sbin'])
    for (const name of readdirSync(folder))
      if (!/^perl/.test(name) && !existsSync(join(path, name))) symlinkSync(join(folder, name), join(path, name))
  return { PATH: `${join(machine.workFolder, 'bin')}:${path}` }
}

const line = (name: string, pid: number, rest: string) =>
  `${name.padStart(16)}-${pid}    [001] .....   101.000100: ${rest}\n`

test('--no-comm: no part of a name is left in text, whatever is in it', async () => {
  const names = [
    'secret one',
    'sec[ret]two',
    'secret-7 [001]',
    'secret] 3',
    '123',
    '-5',
    'secret\nfour',
    '#secret',
    'cpus=2secret',
  ]
  const pipe = [
    'CPU:0 [LOST 57 EVENTS]\n',
    ...names.flatMap((name, i) => [
      line(name, i + 100, `block_rq_issue: 254,0 W 4096 () 2048 + 8 [${name}]`),
      line(name, i + 100, `block_plug: [${name}]`),
      line(name, i + 100, `block_unplug: [${name}] 3`),
      line(name, i + 100, 'block_rq_complete: 254,0 W () 2048 + 8 [-5]'),
      line(name, i + 100, 'block_bio_remap: 254,0 W 2048 + 8 <- (254,1) 0'),
      line(name, i + 100, `sched_wakeup: comm=${name} pid=1`),
    ]),
    '              dd-77    [001] .....   101.000300: tracing_mark_write: seekscope: the command begins\n',
    '              dd-77    [001] .....   101.000300: tracing_mark_write: secret of somebody else\n',
  ].join('')
  const machine = temporaryMachine({ pipe })
  const args = [...ARGS, '--tracer', 'tracefs', '--no-comm', '--', 'true']
  expect((await record(machine, args)).status).toBeLessThan(2)
  const files = unpack(machine, 'x.tar.gz')
  const text = files.get('x/trace.txt')?.toString() ?? ''
  expect(text).not.toContain('secret')
  expect(text).not.toContain('four')
  const lines = text.split('\n')
  expect(lines).toContain('CPU:0 [LOST 57 EVENTS]')
  expect(lines.filter(l => l.includes('seekscope: the command begins'))).toHaveLength(1)
  for (const event of ['block_rq_issue', 'block_plug', 'block_unplug', 'block_rq_complete', 'block_bio_remap'])
    expect({ event, count: lines.filter(l => l.includes(`: ${event}: `)).length }).toEqual({
      event,
      count: names.length,
    })
  expect(text).toMatch(/^task1-100 {4}\[001\] \.{5} {3}101\.000100: block_unplug: \[task1\] 3$/m)
  expect(text).toMatch(/block_rq_complete: 254,0 W \(\) 2048 \+ 8 \[-5\]$/m)
  expect(text).not.toMatch(/block_(plug|rq_issue|unplug): .*\[(123|-5)\]/)
  expect(files.get('x/MANIFEST.tsv')?.toString()).toMatch(
    /^masked\tx\/trace\.txt\t\d+ lines that are no events left out/m,
  )
})

test('control groups in events of iocost are masked', async () => {
  const pipe =
    line('dd', 77, 'iocost_iocg_activate: [vda:/system.slice/billing-db.service] now=1:2') +
    line('dd', 77, 'block_rq_issue: 254,0 W 4096 () 2048 + 8 [dd]')
  const machine = temporaryMachine({ pipe })
  expect(await record(machine, [...ARGS, '--tracer', 'tracefs', '--', 'true'])).toMatchObject({ status: 0 })
  const text = unpack(machine, 'x.tar.gz').get('x/trace.txt')?.toString()
  expect(text).toMatch(/iocost_iocg_activate: \[vda:\/system\.slice\/cgroup-[0-9a-f]{8}\] now=1:2/)
  expect(text).not.toContain('billing')
})

test('the folder of the recorder and its archive are for its user alone while it works', async () => {
  const machine = temporaryMachine()
  const look = `ls -ldn '${machine.root}'/dev/shm/seekscope.*; ls -lnR '${machine.root}'/dev/shm/seekscope.*/archive`
  const { stdout } = await record(machine, [...ARGS, '--', 'sh', '-c', look])
  const modes = stdout.split('\n').filter(row => /^[-d]/.test(row))
  expect(modes.length).toBeGreaterThan(10)
  expect(modes.filter(row => !/^[-d]..[-x]------/.test(row))).toEqual([])
  expect(readFileSync(join(machine.workFolder, 'x.tar.gz')).length).toBeGreaterThan(1000)
})
