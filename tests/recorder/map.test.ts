import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { leftIn, processesOf, unpack } from './archive'
import { temporaryMachine } from './finished'
import { type Machine, type MachineOptions, record, SECRETS, SHELLS, start } from './machine'
import { program } from './programs'

vi.setConfig({ testTimeout: 120_000 })

const FOLDER = `${SECRETS.mount}/db/acme.dir`
const FSMAP = `\t0: 254:1 [0..7]: static fs metadata 8\n\t1: 254:1 [8..15]: special 102:1 8\n\t2: 254:1 [16..99]: free space 84\n`

/** A file of the machine. */
function put(machine: Machine, path: string, text = ''): void {
  mkdirSync(dirname(join(machine.root, path)), { recursive: true })
  writeFileSync(join(machine.root, path), text)
}

/** A process that holds files open, as /proc lists them. */
function opens(machine: Machine, pid: number, ...paths: readonly string[]): void {
  const folder = join(machine.root, `proc/${pid}/fd`)
  mkdirSync(folder, { recursive: true })
  for (const [number, path] of paths.entries()) symlinkSync(path, join(folder, `${number}`))
}

/** A machine whose tools know the places of an ext4 and of its files. */
function mappedMachine(options: MachineOptions = {}): Machine {
  const machine = temporaryMachine(options)
  program(
    machine,
    'xfs_io',
    `case $* in *fsmap*) printf '${FSMAP.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}' ;; esac`,
  )
  program(
    machine,
    'dumpe2fs',
    `printf 'Filesystem volume name:   acme-data\\nLast mounted on:          /srv/acme\\nBlock count:              131072\\n'
     printf 'Blocks per group:         32768\\nBlock size:               4096\\n'
     [ "$1" = -h ] || printf 'Group 0: (Blocks 0-32767)\\n  Primary superblock at 0, Group descriptors at 1-1\\n'`,
  )
  program(
    machine,
    'debugfs',
    `printf 'Level Entries       Logical        Physical Length Flags\\n 0/ 0   1/  1     0 -  4095  65536 -  69631   4096\\n'`,
  )
  program(
    machine,
    'filefrag',
    `shift 2
     printf 'Filesystem type is: ef53\\n'
     for file; do
       printf 'File size of %s is 4096 (8 blocks of 512 bytes)\\n' "$file"
       printf ' ext:     logical_offset:        physical_offset: length:   expected: flags:\\n'
       printf '   0:        0..       7:     270336..    270343:      8:             last,eof\\n'
       printf '%s: 1 extent found\\n' "$file"
     done`,
  )
  put(machine, `${FOLDER}/orders.ibd`, 'x')
  put(machine, `${FOLDER}/orders.frm`, 'x')
  put(machine, 'dev/vda1')
  put(machine, 'proc/partitions', 'major minor  #blocks  name\n\n 254        0     262144 vda\n')
  opens(
    machine,
    77,
    `${FOLDER}/orders.ibd`,
    '/dev/null',
    'socket:[77]',
    `${FOLDER}/gone.ibd (deleted)`,
    '/dev/shm/other',
  )
  return machine
}

const textsOf = (machine: Machine, archive = 'x.tar.gz') => {
  const files = unpack(machine, archive)
  return { files, text: (file: string) => files.get(`x/${file}`)?.toString() ?? '' }
}
// A busy machine takes longer than the second of the default.
const ARGS = ['-d', 'vda', '-l', 'x', '-o', 'x.tar.gz', '--map-time', '30']

describe.each(SHELLS)('in %s %s', (...shell) => {
  test('the map before and after has structures, and places of open, written and named files, by hashed names', async () => {
    const machine = mappedMachine()
    put(machine, `${SECRETS.mount}/home/notes.sqlite`, 'x')
    const written = join(machine.root, FOLDER.slice(1), 'written.log')
    const command = ['sh', '-c', `sleep 0.2; echo > '${written}'`]
    const args = [...ARGS, '--files', `${SECRETS.mount}/home`, '--', ...command]
    const { status, stderr } = await record(machine, args, shell.filter(Boolean))
    expect({ status, stderr }).toMatchObject({ status: 0 })
    const { files, text } = textsOf(machine)
    expect(text('map/start/vda1/fsmap.txt')).toBe(FSMAP)
    expect(text('map/end/vda1/journal-extents.txt')).toContain('65536 -  69631')
    expect(text('map/start/vda1/dumpe2fs.txt')).toMatch(
      /^Filesystem volume name: {3}masked\nBlock count: {14}131072\n[\s\S]*Group 0:/,
    )
    expect(text('map/start/block.txt')).toContain('vda1 254:1 size=500000 start=2048\n')
    expect(text('map/start/partitions')).toContain('262144 vda')
    expect(text('map/start/clock.txt')).toBe('monotonic\t100.500000\nboottime\t100.50\n')
    expect(text('map/start/vda1/mountinfo')).toMatch(/^31 1 254:1 \/ \/mount-[0-9a-f]{8} rw - ext4 \/dev\/vda1 rw$/m)
    expect(text('map/start/vda1/mountinfo')).not.toContain('vdc')
    const paths = (side: string) =>
      text(`map/${side}/vda1/inodes.tsv`)
        .split('\n')
        .filter(Boolean)
        .filter(line => !line.includes('\tdirectory\t'))
        .map(line => line.split('\t')[4] ?? '')
    const hash = '[0-9a-f]{8}'
    const find = (ending: string) => paths('start').find(path => path.endsWith(`.${ending}`)) ?? ''
    const [ibd, notes] = [find('ibd'), find('sqlite')]
    expect(ibd).toMatch(new RegExp(`^/mount-${hash}/${hash}/${hash}/${hash}\\.ibd$`))
    expect(notes).toMatch(new RegExp(`^/mount-${hash}/${hash}/${hash}\\.sqlite$`))
    expect(paths('start')).toHaveLength(2)
    // The same names, and the file that was written meanwhile, in the same folder.
    expect(paths('end')).toEqual(expect.arrayContaining(paths('start')))
    const log = paths('end').find(path => path.endsWith('.log')) ?? ''
    expect([paths('end').length, dirname(log)]).toEqual([3, dirname(ibd)])
    for (const path of paths('end')) {
      expect(text('map/end/vda1/fiemap.txt')).toContain(`File size of ${path} is 4096 (8 blocks of 512 bytes)\n`)
      expect(text('map/end/vda1/fiemap.txt')).toContain(`\n${path}: 1 extent found\n`)
    }
    // Folders have no extension: their names are those in the paths of their files.
    expect(text('map/end/vda1/fiemap-dirs.txt')).toContain(`File size of ${dirname(ibd)} is `)
    expect(text('map/end/vda1/inodes.tsv')).toMatch(new RegExp(`\tdirectory\t\\d+\t\\d+\t${dirname(ibd)}\n`))
    for (const [file, bytes] of files) {
      if (file.endsWith('MANIFEST.tsv')) continue
      for (const name of ['acme', 'orders', 'notes', 'written', 'home/']) expect(`${file} ${bytes}`).not.toContain(name)
    }
    expect(text('MANIFEST.tsv')).toMatch(/^map\/end\/fiemap.txt\tfilefrag -v -b512, .*\t0 \(3 files, 0 left out\)\t/m)
    expect(text('MANIFEST.tsv')).toMatch(/^masked\tnames of files and folders\t\d+ replaced by hashes/m)
    expect([leftIn(machine), processesOf(machine)]).toEqual([[], []])
  })
})

test('100,000 files, a tool that never ends and one that prints without end stay in the limits', async () => {
  const machine = mappedMachine()
  const folder = join(machine.root, SECRETS.mount.slice(1), 'many')
  mkdirSync(folder)
  for (let file = 0; file < 100_000; file += 1) writeFileSync(join(folder, `file-${file}.dat`), '')
  program(
    machine,
    'xfs_io',
    `while :; do printf '\\t0: 254:1 [0..7]: free space 8\\n\\t1: 254:1 [8..15]: inodes 8\\n'; done`,
  )
  program(machine, 'debugfs', 'sleep 100')
  for (const [index, shell] of SHELLS.entries()) {
    const archive = `${index}.tar.gz`
    const args = ['-d', 'vda', '-l', 'x', '-o', archive, '--files', `${SECRETS.mount}/many`, '--', 'true']
    const { status, stderr } = await record(machine, args, shell)
    expect({ status, stderr }).toMatchObject({ status: 0 })
    expect(stderr).toMatch(/map\/start is incomplete \(\d+ ms, \d+ KiB\): left out .*vda1\/fsmap\.txt.*files/)
    const { files, text } = textsOf(machine, archive)
    for (const side of ['start', 'end']) {
      const sizes = [...files].flatMap(([name, bytes]) => (name.includes(`/map/${side}/`) ? [bytes.length] : []))
      // Hashes may be longer than the names.
      expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(3 << 19)
      const row = new RegExp(
        `^map/${side}\t[^\t]*\t0 \\((\\d+) ms.*left out: .*(?:\\d of \\d+ files|search for files)`,
        'm',
      )
      // A busy machine adds what the programs in between take.
      expect(Number(row.exec(text('MANIFEST.tsv'))?.[1])).toBeLessThan(10_000)
    }
  }
}, 400_000)

describe('the map', () => {
  test('--paths keeps the names of files and folders, and mount points stay masked', async () => {
    const machine = mappedMachine()
    expect(await record(machine, [...ARGS, '--paths', '--', 'true'])).toMatchObject({ status: 0 })
    const { text } = textsOf(machine)
    expect(text('map/start/vda1/inodes.tsv')).toMatch(/\t\/mount-[0-9a-f]{8}\/db\/acme\.dir\/orders\.ibd\n/)
    expect(text('MANIFEST.tsv')).toContain('masked\tnames of files and folders\tkept (--paths)')
  })

  test('without its tools the map has what is left, with reasons', async () => {
    const machine = mappedMachine()
    for (const name of ['xfs_io', 'dumpe2fs', 'debugfs', 'filefrag'])
      program(machine, name, `echo "${name}: Permission denied" >&2; exit 1`)
    expect(await record(machine, [...ARGS, '--', 'true'])).toMatchObject({ status: 0 })
    const { files, text } = textsOf(machine)
    expect(text('MANIFEST.tsv')).toMatch(/^map\/start\/vda1\/fsmap\.txt\t.*\t1 \(nothing: xfs_io: Permission denied\)/m)
    expect(text('map/start/block.txt')).toContain('start=2048')
    expect(files.has('x/map/start/vda1/fiemap.txt')).toBe(false)
  })

  test('--no-map takes none, and excludes --files', async () => {
    const machine = mappedMachine()
    expect(await record(machine, [...ARGS, '--no-map', '--', 'true'])).toMatchObject({ status: 0 })
    expect([...textsOf(machine).files.keys()].filter(file => file.includes('/map/'))).toEqual([])
    expect(await record(machine, ['-d', 'vda', '--no-map', '--files', FOLDER])).toMatchObject({ status: 2 })
    expect(await record(machine, ['-d', 'vda', '--files', '/no/such'])).toMatchObject({ status: 2 })
  })

  // A name may look like the text around it, or have a line end.
  test('strange names are hashed or left out', async () => {
    const machine = mappedMachine()
    const strange = [
      'acme is 4096 (8 blocks of 512 bytes)',
      'acme: 1 extent found',
      'acme\nacme',
      'acme\tacme:',
      '.acme',
      'a.acmecorp',
    ]
    for (const name of strange) put(machine, `${FOLDER}/${name}`, 'x')
    expect(await record(machine, [...ARGS, '--files', FOLDER, '--', 'true'])).toMatchObject({ status: 0 })
    const { files, text } = textsOf(machine)
    for (const [file, bytes] of files) {
      if (!file.endsWith('MANIFEST.tsv')) expect(`${file} ${bytes}`).not.toContain('acme')
    }
    expect(text('map/start/vda1/inodes.tsv').match(/\tregular /g)?.length).toBe(7)
  })
})

const LINE = (task: string, time: string, event: string) =>
  `${task.padStart(16)}-77      [001] .....   ${time}: ${event}\n`
const EVENTS = [
  LINE('dd', '101.000001', 'sched_process_exec: filename=/opt/acme/bin/tool.sh pid=77 old_pid=77'),
  LINE('dd', '101.000002', 'writeback_dirty_folio: bdi 254:0: ino=142 index=0'),
  LINE(
    'a b-1 [0]',
    '101.000003',
    'ext4_ext_map_blocks_exit: dev 254,1 ino 142 flags  lblk 0 pblk 9 len 1 mflags  ret 1',
  ),
].join('')
const STACKS = `${LINE('dd', '101.000004', 'block_bio_queue: 254,0 W 2048 + 8 [dd]')}${LINE('dd', '101.000005', '<stack trace>')} => submit_bio_noacct\n => ext4_io_submit\n`

/** Instances for --origin and --stacks, with events of ext4. */
function addInstances(machine: Machine): void {
  const pipes = { origin: EVENTS, stacks: STACKS }
  for (const [purpose, pipe] of Object.entries(pipes)) {
    const instance = `sys/kernel/tracing/instances/seekscope-${purpose}`
    for (const file of ['trace_clock', 'buffer_size_kb', 'options/stacktrace', 'options/record-cmd'])
      put(machine, `${instance}/${file}`)
    put(machine, `${instance}/tracing_on`, '0\n')
    put(machine, `${instance}/trace_pipe`, pipe)
    put(
      machine,
      `${instance}/per_cpu/cpu0/stats`,
      'entries: 0\noverrun: 3\ncommit overrun: 0\ndropped events: 1\nread events: 3\n',
    )
    const events = {
      'writeback/writeback_dirty_folio': 'field:char name[32];',
      'ext4/ext4_ext_map_blocks_exit': 'field:dev_t dev;',
      'ext4/ext4_da_write_begin': 'field:dev_t dev;',
      'xfs/xfs_file_fsync': 'field:dev_t dev;',
      'sched/sched_process_exec': 'field:pid_t pid;',
      'block/block_bio_queue': 'field:dev_t dev;',
      'block/block_rq_insert': 'field:dev_t dev;',
    }
    for (const [event, field] of Object.entries(events)) {
      put(machine, `${instance}/events/${event}/enable`, '0\n')
      put(machine, `${instance}/events/${event}/filter`, 'none\n')
      put(machine, `${instance}/events/${event}/format`, `name: x\n\t${field}\n`)
    }
  }
}
const instance = (purpose: string, file: string) => `sys/kernel/tracing/instances/seekscope-${purpose}/${file}`

describe.each(SHELLS)('events in %s %s', (...shell) => {
  test('--origin and --stacks record beside the tracer, for the file systems of the devices', async () => {
    const machine = mappedMachine({ pipe: '' })
    addInstances(machine)
    const exec = LINE('dd', '101.000009', 'sched_process_exec: filename=/opt/x\nacme pid=77 old_pid=77')
    put(machine, instance('origin', 'trace_pipe'), `${EVENTS}${exec}CPU:1 [LOST 3 EVENTS]\n`)
    const { status, stderr } = await record(
      machine,
      [...ARGS, '--origin', '--stacks', '--', 'true'],
      shell.filter(Boolean),
    )
    expect({ status, stderr }).toMatchObject({ status: 0 })
    expect(stderr).toMatch(/--origin enables events: writeback 1, sched 1, ext4 1; \d+ are not in this kernel/)
    expect(stderr).toContain('--origin recorded 4 events, 4 lost, 0 KiB')
    expect(stderr).toContain('--stacks recorded 1 events, 4 lost, 0 KiB')
    const read = (purpose: string, file: string) => machine.read(instance(purpose, file))
    expect(read('origin', 'trace_clock')).toBe('mono\n')
    expect(read('origin', 'events/writeback/writeback_dirty_folio/filter')).toBe('name == "254:0"\n')
    expect(read('origin', 'events/ext4/ext4_ext_map_blocks_exit/filter')).toBe('dev == 266338305\n')
    expect(read('origin', 'events/ext4/ext4_da_write_begin/enable')).toBe('0\n')
    expect(read('origin', 'events/xfs/xfs_file_fsync/enable')).toBe('0\n')
    expect(read('stacks', 'events/block/block_rq_insert/enable')).toBe('1\n')
    expect(read('stacks', 'options/stacktrace')).toBe('1\n')
    for (const purpose of ['origin', 'stacks']) expect(read(purpose, 'tracing_on')).toBe('0\n')
    const { text } = textsOf(machine)
    expect(text('ftrace.txt')).toMatch(/filename=(\/[0-9a-f]{8}){4}\.sh pid=77 old_pid=77\n/)
    expect(text('ftrace.txt').replace(/filename=\S+/, 'filename=/opt/acme/bin/tool.sh')).toBe(
      `# trace_clock: mono\n${EVENTS}CPU:1 [LOST 3 EVENTS]\n`,
    )
    expect(text('stacks.txt')).toBe(`# trace_clock: mono\n${STACKS}`)
    expect(text('ftrace-stats.txt')).toBe('cpu0 entries: 0 overrun: 3 dropped events: 1 read events: 3 \n')
    expect(text('events-enabled.txt')).toContain('writeback/writeback_dirty_folio\n')
    expect(text('events-missing.txt')).toContain('jbd2/jbd2_start_commit\n')
    expect(text('saved_cmdlines.txt')).toBe('77 dd\n')
    expect([leftIn(machine), processesOf(machine)]).toEqual([[], []])
  })

  test('--no-comm masks process names in events and stacks, and enables no events that have them', async () => {
    const machine = mappedMachine({ pipe: '' })
    addInstances(machine)
    // A name with line ends may look like a frame.
    const stacks = `${STACKS}${LINE('x\n => acme\n', '101.000006', 'block_bio_queue: 254,0 W 4096 + 8 [y]\n => acme]')}`
    put(machine, instance('stacks', 'trace_pipe'), stacks)
    const args = [...ARGS, '--origin-pages', '--stacks', '--no-comm', '--', 'true']
    expect(await record(machine, args, shell.filter(Boolean))).toMatchObject({ status: 0 })
    expect(machine.read(instance('origin', 'events/sched/sched_process_exec/enable'))).toBe('0\n')
    expect(machine.read(instance('origin', 'events/ext4/ext4_da_write_begin/enable'))).toBe('1\n')
    const { files, text } = textsOf(machine)
    expect(text('ftrace.txt')).toMatch(
      /^# .*\ntask\d-77 .*: writeback_dirty_folio: .*\ntask\d-77 .*: ext4_ext_map_blocks_exit: .*\n$/,
    )
    expect(text('stacks.txt')).toMatch(
      /^# .*\ntask\d-77 .* \+ 8 \[task\d\]\ntask\d-77 .*: <stack trace>\n => submit_bio_noacct\n => /,
    )
    expect(text('stacks.txt')).not.toContain('acme')
    expect(files.has('x/saved_cmdlines.txt')).toBe(false)
  })

  test('an interrupt ends them, too', async () => {
    const machine = mappedMachine({ pipe: '' })
    addInstances(machine)
    const args = [...ARGS, '--origin', '--stacks', '-w', '100']
    const { child, finished, heard } = start(machine, args, shell.filter(Boolean))
    await vi.waitFor(() => expect(heard()).toContain('recording vda with blktrace'), { timeout: 60_000 })
    expect(machine.read(instance('origin', 'tracing_on'))).toBe('1\n')
    process.kill(-(child.pid ?? 0), 'SIGINT')
    expect(await finished).toMatchObject({ status: 130 })
    for (const purpose of ['origin', 'stacks']) expect(machine.read(instance(purpose, 'tracing_on'))).toBe('0\n')
    expect([leftIn(machine), existsSync(join(machine.workFolder, 'x.tar.gz'))]).toEqual([[], false])
    await vi.waitFor(() => expect(processesOf(machine)).toEqual([]), { timeout: 30_000 })
  })
})

describe('events', () => {
  test('a recorder that is killed leaves none of them on', async () => {
    const machine = mappedMachine({ pipe: '' })
    addInstances(machine)
    const { child, finished, heard } = start(machine, [...ARGS, '--origin', '--stacks', '-w', '100'])
    await vi.waitFor(() => expect(heard()).toContain('recording vda with blktrace'), { timeout: 60_000 })
    child.kill('SIGKILL')
    await finished
    await vi.waitFor(() => expect([leftIn(machine), processesOf(machine)]).toEqual([[], []]), { timeout: 30_000 })
    for (const purpose of ['origin', 'stacks']) expect(machine.read(instance(purpose, 'tracing_on'))).toBe('0\n')
  })

  test('without tracefs --origin is left out, and --stacks are those of perf', async () => {
    const machine = mappedMachine()
    program(
      machine,
      'perf',
      `case $1 in
  record) while [ $# -gt 0 ]; do [ "$1" != -o ] || echo data > "$2"; shift; done; trap 'exit 0' TERM; while :; do sleep 0.1; done ;;
  script) printf '              dd    77 [001]   101.000100: block:block_bio_queue: 254,0 W 2048 + 8 [dd]\\n\\tffffffff81000000 submit_bio\\n\\n' ;;
esac`,
    )
    const { status, stderr } = await record(machine, [...ARGS, '--origin', '--stacks', '--no-comm', '--', 'true'])
    expect(status).toBe(0)
    expect(stderr).toContain('origin is not recorded: no events of the block layer in tracefs')
    const { text } = textsOf(machine)
    expect(text('stacks.txt')).toContain('[task1]\n\tffffffff81000000 submit_bio\n')
    expect(text('MANIFEST.tsv')).toMatch(/^origin\t-\t1 \(no events of the block layer in tracefs\)/m)
  })

  test('without perf, too, the reason is given', async () => {
    const machine = mappedMachine()
    chmodSync(join(machine.workFolder, 'bin/perf'), 0o755)
    const { status, stderr } = await record(machine, [...ARGS, '--stacks', '--', 'true'])
    expect([status, stderr]).toEqual([0, expect.stringMatching(/stacks is not recorded: .*; perf: not here/)])
  })

  test('--check and --dry-run say what is there and what it costs', async () => {
    const machine = mappedMachine({ pipe: '' })
    addInstances(machine)
    const { stdout } = await record(machine, ['--check'])
    expect(stdout).toMatch(/^ok {7}map {9}before and after the recording, at most 1 s and 1024 KiB each; has filefrag/m)
    expect(stdout).toMatch(/^ok {7}origin {6}\d+ of \d+ events, .*; costs about 12 % of the CPU time/m)
    const dry = await record(machine, ['-d', 'vda', '--origin', '--stacks', '--dry-run'])
    expect(dry.stdout).toContain('# map/start (at most 1 s and 1024 KiB), of the file systems: vda1 (ext4)\n')
    expect(dry.stdout).toContain('ext4/ext4_ext_map_blocks_exit')
    expect(dry.stdout).not.toContain('xfs/')
    expect(dry.stdout).toContain('# --stacks: an instance of tracefs')
    expect(await record(machine, ['-d', 'vda', '--origin=pages'])).toMatchObject({ status: 2 })
  })
})
