import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { leftIn, processesOf, unpack } from './archive'
import { temporaryMachine } from './finished'
import { record, SCRIPT, SECRETS, SHELLS, start } from './machine'
import { program, REAL } from './programs'

vi.setConfig({ testTimeout: 120_000 })

describe.each(SHELLS)('in %s %s', (...shell) => {
  test('records a command with a trace per device, settings, counters, and facts before and after', async () => {
    const machine = temporaryMachine()
    const args = [
      '-d',
      '/dev/vda',
      '-d',
      'vdb',
      '-l',
      'new kernel',
      '-o',
      'x.tar.gz',
      '--',
      'sh',
      '-c',
      'sleep 1.5; echo out; echo err >&2',
    ]
    const { status, stdout, stderr } = await record(machine, args, shell.filter(Boolean))
    expect(stderr).toContain('the label becomes new-kernel')
    expect([status, stdout]).toEqual([0, 'out\n'])
    expect(stderr).toContain('err\n')
    const files = unpack(machine, 'x.tar.gz')
    const name = (file: string) => `new-kernel/${file}`
    for (const file of ['vda.blktrace.0', 'vda.blktrace.1', 'vdb.blktrace.0', 'vdb.blktrace.1']) {
      expect(files.get(name(file))).toEqual(readFileSync(join(import.meta.dirname, '../fixtures/two-devices', file)))
    }
    const text = (file: string) => files.get(name(file))?.toString() ?? ''
    expect(text('settings.txt')).toContain('/sys/block/vda/queue/scheduler:[mq-deadline] none\n')
    expect(text('settings.txt')).toContain('/sys/block/vda/vda1/start:2048\n')
    expect(text('settings.txt')).toContain('/proc/sys/vm/dirty_ratio:20\n')
    expect(text('before/statistics.txt')).toContain('hctx0/tags:nr_tags=256')
    expect(text('before/statistics.txt')).not.toContain('_list')
    expect(text('output.txt')).toBe('out\n')
    expect(text('output-err.txt')).toBe('err\n')
    // Samples at the beginning, after one second and at the end; the line with the clocks comes before them.
    expect(text('diskstats.txt').match(/^uptime 100\.50$/gm)?.length).toBeGreaterThanOrEqual(3)
    expect(text('diskstats.txt')).toMatch(/^clock uptime 100\.50 monotonic 100\.500000\n/)
    expect(text('blktrace.log')).toContain('dropped 0')
    // Equal facts are not kept twice.
    expect([...files.keys()].filter(file => file.startsWith(name('after/')))).toEqual([])
    const manifest = text('MANIFEST.tsv')
      .split('\n')
      .map(line => line.split('\t'))
    expect(manifest[0]).toEqual(['item', 'command', 'exit', 'begin', 'end'])
    expect(manifest.find(([item]) => item === 'after/version.txt')?.[2]).toBe('0 (same as before)')
    expect(manifest.find(([item]) => item === 'output')?.slice(1, 3)).toEqual([
      'sh -c sleep 1.5; echo out; echo err >&2',
      '0',
    ])
    expect(readFileSync(join(machine.workFolder, 'blktrace.calls'), 'utf8')).toMatch(
      /^-d \/dev\/vda -d \/dev\/vdb -b 4096 -n 4 -D /,
    )
    expect([leftIn(machine), processesOf(machine)]).toEqual([[], []])
  })

  test('no name of the machine or of its owner is in the archive', async () => {
    const machine = temporaryMachine()
    const command = ['sh', '-c', `echo '{"hostname" : "${SECRETS.host}", "filename" : "${SECRETS.mount}/f"}'`]
    expect(
      await record(
        machine,
        ['-d', 'vda', '-d', 'vdb', '-l', 'x', '-o', 'x.tar.gz', '--', ...command],
        shell.filter(Boolean),
      ),
    ).toMatchObject({
      status: 0,
    })
    const files = unpack(machine, 'x.tar.gz')
    for (const [file, bytes] of files) {
      for (const [kind, secret] of Object.entries(SECRETS)) {
        // The short name is a word of its own; within others it is none.
        const found =
          kind === 'shortHost' ? new RegExp(`\\b${secret}\\b`).test(bytes.toString('latin1')) : bytes.includes(secret)
        expect({ file, kind, found }).toEqual({ file, kind, found: false })
      }
      expect(bytes.includes('customers'), file).toBe(false)
    }
    const text = (file: string) => files.get(`x/${file}`)?.toString() ?? ''
    expect(text('output.txt')).toMatch(/"host-[0-9a-f]{8}".*"\/mount-[0-9a-f]{8}\/f"/)
    expect(text('before/cmdline.txt')).toMatch(
      /^BOOT_IMAGE=\/vmlinuz root=UUID=uuid-[0-9a-f]{8} quiet nvme\.poll_queues=4\n$/,
    )
    expect(text('before/mounts.txt')).toMatch(/^\/dev\/vda1 \/mount-[0-9a-f]{8} ext4/)
    expect(text('settings.txt')).toMatch(/^\/sys\/fs\/cgroup\/system\.slice\/cgroup-[0-9a-f]{8}\/io\.max:254:0 /m)
    expect(text('MANIFEST.tsv')).toMatch(/^masked\tserial\t1 replaced/m)
    expect(text('MANIFEST.tsv')).toContain('masked\tkernel command line\t2 words dropped')
  })

  test('an interrupt by the terminal leaves no tracer, no folder and no archive', async () => {
    const machine = temporaryMachine()
    const { child, finished, heard } = start(
      machine,
      ['-d', 'vda', '-w', '100', '-o', 'x.tar.gz'],
      shell.filter(Boolean),
    )
    await vi.waitFor(() => expect(heard()).toContain('recording vda with blktrace'), { timeout: 30_000 })
    expect(existsSync(join(machine.root, 'sys/kernel/debug/block/vda/msg'))).toBe(true)
    expect(leftIn(machine)).toHaveLength(1)
    process.kill(-(child.pid ?? 0), 'SIGINT')
    const { status, stderr } = await finished
    expect([status, stderr.trim().split('\n').at(-1)]).toEqual([
      130,
      'seekscope-record: interrupted: everything is restored, no archive is written',
    ])
    expect(existsSync(join(machine.root, 'sys/kernel/debug/block/vda/msg'))).toBe(false)
    expect([leftIn(machine), existsSync(join(machine.workFolder, 'x.tar.gz'))]).toEqual([[], false])
    await vi.waitFor(() => expect(processesOf(machine)).toEqual([]), { timeout: 30_000 })
  })

  test('a subshell that has just been forked is ended, though it may lose the first signal', () => {
    const ending = /^alive\(\).*\n[\s\S]*?^end_process\(\) \{\n[\s\S]*?^\}$/m.exec(readFileSync(SCRIPT, 'utf8'))?.[0]
    const script = `pause() { sleep 0.01; }
      ${ending}
      trap 'exit 143' TERM
      n=0
      while [ $n -lt 60 ]; do
        ( trap 'kill "$!" 2>/dev/null; exit 0' TERM; while :; do sleep 1 & wait "$!"; done ) &
        end_process $! 5
        [ "$ticks" -lt 50 ] || echo "killed after $ticks"
        n=$((n + 1))
      done
      echo "ended $n"`
    const [program = 'sh', ...words] = shell.filter(Boolean)
    expect(spawnSync(program, [...words, '-c', script], { encoding: 'utf8' }).stdout).toBe('ended 60\n')
  })

  test('--dry-run prints what would be run, and runs nothing', async () => {
    const machine = temporaryMachine()
    const { status, stdout } = await record(
      machine,
      ['-d', 'vda', '-w', '7', '-n', '2', '--drop-caches', '--dry-run'],
      shell.filter(Boolean),
    )
    expect(status).toBe(0)
    expect(stdout.match(/^blktrace -d \/dev\/vda -b 4096 -n 4 -w 7 -D DIR$/gm)).toHaveLength(2)
    expect(stdout).toContain('dev == 266338304 || dev == 266338305')
    expect(stdout).toContain('drop_caches')
    expect([
      leftIn(machine),
      existsSync(join(machine.workFolder, 'blktrace.calls')),
      machine.read('proc/sys/vm/drop_caches'),
    ]).toEqual([[], false, '0\n'])
  })

  test('settings alternate as A B B A, with what the scripts changed restored', async () => {
    const machine = temporaryMachine()
    const setting = (value: number) => `echo ${value} > ${machine.root}/sys/block/vda/queue/nr_requests\n`
    writeFileSync(join(machine.workFolder, 'small.sh'), setting(32))
    writeFileSync(join(machine.workFolder, 'large.sh'), setting(512))
    const args = [
      '-d',
      'vda',
      '--ab',
      'small.sh',
      'large.sh',
      '--drop-caches',
      '-l',
      'ab',
      '-o',
      'x.tar.gz',
      '--',
      'true',
    ]
    expect(await record(machine, args, shell.filter(Boolean))).toMatchObject({ status: 0 })
    const files = unpack(machine, 'x.tar.gz')
    const order = files
      .get('ab/MANIFEST.tsv')
      ?.toString()
      .match(/^\S+(?=\/recording\t)/gm)
    expect(order).toEqual(['ab-small-r1', 'ab-large-r1', 'ab-large-r2', 'ab-small-r2'])
    for (const [folder, value] of [
      ['ab-small-r1', 32],
      ['ab-large-r2', 512],
    ] as const) {
      expect(files.get(`ab/${folder}/settings.txt`)?.toString()).toContain(`nr_requests:${value}\n`)
    }
    expect([machine.read('sys/block/vda/queue/nr_requests'), machine.read('proc/sys/vm/drop_caches')]).toEqual([
      '256\n',
      '3\n',
    ])
  })
})

describe('buffers', () => {
  test.each([
    // CPUs, free GiB, devices: KiB of a buffer
    [128, 64, ['vda'], 4096],
    [128, 8, ['vda'], 2048],
    [128, 8, ['vda', 'vdb'], 1024],
    [2, 64, ['vda'], 4096],
    [512, 1, ['vda'], 64],
  ])('%i CPUs with %i GiB free and %j', async (cpus, free, devices, size) => {
    const machine = temporaryMachine({ cpus, available: free << 20 })
    const { stdout } = await record(machine, [...devices.flatMap(device => ['-d', device]), '--dry-run'])
    expect(stdout).toContain(` -b ${size} -n 4 `)
    // All buffers together take at most an eighth of the free memory.
    expect(size * 4 * cpus * devices.length).toBeLessThanOrEqual((free << 20) / 8)
  })

  test('too little memory is refused, and so is memory that cannot be read', async () => {
    expect(await record(temporaryMachine({ cpus: 512, available: 1000 }), ['-d', 'vda', '--dry-run'])).toMatchObject({
      status: 4,
    })
    const machine = temporaryMachine()
    rmSync(join(machine.root, 'proc/meminfo'))
    const { status, stderr } = await record(machine, ['-d', 'vda', '--dry-run'])
    expect([status, stderr.split('\n')]).toEqual([4, [expect.stringContaining('not enough free memory'), '']])
  })

  test('dropped events are an exit status and the next larger buffers', async () => {
    const { status, stderr } = await record(temporaryMachine({ dropped: 7, cpus: 128, available: 1 << 20 }), [
      '-d',
      'vda',
      '-o',
      'x.tar.gz',
      '--',
      'true',
    ])
    expect([status, stderr]).toEqual([1, expect.stringMatching(/7 events were dropped.*-b 512$/m)])
  })
})

describe('where it works', () => {
  test('the recorded disk is refused, directly and below an array', async () => {
    const machine = temporaryMachine({ noTmpfs: true })
    const env = { TMPDIR: join(machine.root, SECRETS.mount) }
    for (const device of ['vda', 'vda1', 'md0']) {
      expect(await record(machine, ['-d', device, '-o', 'x.tar.gz', '--', 'true'], ['sh'], env)).toMatchObject({
        status: 4,
        stderr: expect.stringContaining('is on a recorded disk'),
      })
    }
    // The default folders are on the recorded disk, too.
    const { status, stderr } = await record(machine, ['-d', 'vda', '-o', 'x.tar.gz', '--', 'true'])
    expect([status, stderr]).toEqual([4, expect.stringContaining('set TMPDIR')])
    expect(existsSync(join(machine.workFolder, 'blktrace.calls'))).toBe(false)
    const otherEnv = { TMPDIR: join(machine.root, 'other') }
    expect(await record(machine, ['-d', 'vda', '-o', 'x.tar.gz', '--', 'true'], ['sh'], otherEnv)).toMatchObject({
      status: 0,
    })
  })

  test.each([
    [['-d', 'vdz'], 4, 'no block device vdz; disks of this machine: md0 vda vdb vdc'],
    [[], 2, 'name a device'],
    [['-d', 'vda', '-w', '0'], 2, '-w needs a whole number'],
    [['-d', 'vda', '--colour'], 2, 'unknown argument: --colour'],
    [['-d', 'vda', '--', 'no-such-program'], 2, 'no such command'],
    [['-d', 'vda', '--ab', 'a.sh', 'b.sh'], 2, 'cannot read a.sh'],
    [['-d', 'vda', '-o', '/no/such/folder/x.tar.gz'], 4, 'cannot write to /no/such/folder'],
  ] as const)('%j ends with %i', async (args, expected, words) => {
    const { status, stderr } = await record(temporaryMachine(), args)
    expect([status, stderr]).toEqual([expected, expect.stringContaining(words)])
  })

  test('a command that fails leaves the archive and status 1', async () => {
    const machine = temporaryMachine()
    const { status, stderr } = await record(machine, ['-d', 'vda', '-o', 'x.tar.gz', '--', 'sh', '-c', 'exit 3'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('the command failed with status 3')])
    expect(unpack(machine, 'x.tar.gz').size).toBeGreaterThan(10)
  })

  test('--check names what is missing', async () => {
    const { stdout } = await record(temporaryMachine(), ['--check'])
    expect(stdout).toMatch(/^ok {7}blktrace/m)
    expect(stdout).toMatch(/^missing {2}tracefs/m)
  })
})

const eventLine = (time: string, event: string) => `              dd-77    [001] .....   ${time}: ${event} [dd]\n`
const PIPE = [
  eventLine('101.000000', 'block_bio_queue: 254,0 W 2048 + 8'),
  eventLine('101.000100', 'block_rq_issue: 254,0 W 4096 () 2048 + 8'),
  eventLine('101.000900', 'block_rq_complete: 254,0 W () 2048 + 8').replace('[dd]', '[0]'),
].join('')

describe('tracers', () => {
  test('a refused blktrace gives way to an instance of tracefs, with its events, filters and clock', async () => {
    const machine = temporaryMachine({
      refused: 'BLKTRACESETUP(2) /dev/vda failed: 1/Operation not permitted',
      pipe: PIPE,
    })
    const { status, stderr } = await record(machine, ['-d', 'vda1', '-l', 'x', '-o', 'x.tar.gz', '--', 'true'])
    expect(status).toBe(0)
    expect(stderr).toContain('blktrace cannot record: BLKTRACESETUP(2) /dev/vda failed: 1/Operation not permitted')
    const instance = 'sys/kernel/tracing/instances/seekscope'
    const event = (name: string, file: string) => machine.read(`${instance}/events/block/${name}/${file}`)
    expect(machine.read(`${instance}/trace_clock`)).toBe('mono\n')
    // The partition and its disk, which the requests are of.
    expect([event('block_rq_issue', 'filter'), event('block_rq_issue', 'enable')]).toEqual([
      'dev == 266338305 || dev == 266338304\n',
      '1\n',
    ])
    expect([event('block_plug', 'filter'), event('block_plug', 'enable')]).toEqual(['none\n', '1\n'])
    for (const name of ['block_touch_buffer', 'block_dirty_buffer']) expect(event(name, 'enable')).toBe('0\n')
    expect(machine.read(`${instance}/tracing_on`)).toBe('0\n')
    expect(machine.read(`${instance}/trace_marker`)).toContain('the command ended with status 0')
    expect(unpack(machine, 'x.tar.gz').get('x/trace.txt')?.toString()).toBe(`# trace_clock: mono\n${PIPE}`)
  })

  // blktrace that is refused, as the kernel has one trace per disk, takes the other one down with it.
  test('a disk that is traced already is not given to blktrace', async () => {
    const machine = temporaryMachine({ pipe: PIPE })
    const message = join(machine.root, 'sys/kernel/debug/block/vda/msg')
    writeFileSync(message, '')
    const { status, stderr } = await record(machine, ['-d', 'vda', '-l', 'x', '-o', 'x.tar.gz', '--', 'true'])
    expect([status, stderr]).toEqual([0, expect.stringContaining('blktrace cannot record: vda is traced already')])
    expect([existsSync(message), existsSync(join(machine.workFolder, 'blktrace.calls'))]).toEqual([true, false])
    expect(unpack(machine, 'x.tar.gz').get('x/trace.txt')?.toString()).toContain('block_rq_issue')
  })

  test('a recording that would fill the folder is stopped, and says which', async () => {
    const machine = temporaryMachine()
    const full = join(machine.workFolder, 'is-full')
    const nothing = 'printf "Filesystem 1024-blocks Used Available Capacity Mounted on\\nx 9 8 1 99%% /\\n"'
    program(machine, 'df', `if [ -e '${full}' ]; then ${nothing}; else ${REAL('df')}; fi`)
    const until = `until ls '${machine.root}'/dev/shm/seekscope.*/full; do sleep 0.1; done`
    const command = ['sh', '-c', `: > '${full}'; ${until} 2> /dev/null; rm '${full}'`]
    const { status, stderr } = await record(machine, ['-d', 'vda', '-l', 'x', '-o', 'x.tar.gz', '--', ...command])
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`the recording was stopped early: ${machine.root}/dev/shm was nearly full`),
    ])
  })

  test('without any tracer the status is 5, and nothing is left', async () => {
    const machine = temporaryMachine({ refused: 'BLKTRACESETUP(2) failed: 16/Device or resource busy' })
    const { status, stderr } = await record(machine, ['-d', 'vda', '-o', 'x.tar.gz', '--', 'true'])
    expect([status, stderr]).toEqual([5, expect.stringContaining('no tracer works')])
    expect([leftIn(machine), existsSync(join(machine.workFolder, 'x.tar.gz'))]).toEqual([[], false])
  })

  test('--no-comm masks names in text, and the same name has the same number', async () => {
    const machine = temporaryMachine({ pipe: PIPE })
    const args = ['-d', 'vda', '--tracer', 'tracefs', '--no-comm', '-l', 'x', '-o', 'x.tar.gz', '--', 'true']
    expect(await record(machine, args)).toMatchObject({ status: 0 })
    const files = unpack(machine, 'x.tar.gz')
    const text = files.get('x/trace.txt')?.toString() ?? ''
    expect(text).not.toMatch(/\bdd\b/)
    expect(text).toContain('task1-77    [001] .....   101.000100: block_rq_issue: 254,0 W 4096 () 2048 + 8 [task1]')
    expect(files.has('x/saved-cmdlines.txt')).toBe(false)
  })

  // Perl where there is one, else od and awk: the same bytes.
  test.each([true, false])(
    '--no-comm masks names in records of blktrace and changes nothing else (perl: %s)',
    async perl => {
      const machine = temporaryMachine()
      const path = join(machine.workFolder, 'few')
      mkdirSync(path)
      // A PATH of links to all programs except perl.
      for (const folder of ['/usr/bin', '/bin', '/usr/sbin']) {
        for (const name of readdirSync(folder))
          if (!/^perl/.test(name) && !existsSync(join(path, name))) symlinkSync(join(folder, name), join(path, name))
      }
      const env = perl ? {} : { PATH: `${join(machine.workFolder, 'bin')}:${path}` }
      const { status } = await record(
        machine,
        ['-d', 'vda', '--no-comm', '-l', 'x', '-o', 'x.tar.gz', '--', 'true'],
        ['sh'],
        env,
      )
      expect(status).toBe(0)
      const files = unpack(machine, 'x.tar.gz')
      let names = 0
      for (const cpu of [0, 1]) {
        const before = readFileSync(join(import.meta.dirname, `../fixtures/two-devices/vda.blktrace.${cpu}`))
        const after = files.get(`x/vda.blktrace.${cpu}`) ?? Buffer.alloc(0)
        expect(after.length).toBe(before.length)
        for (let offset = 0; offset + 48 <= before.length; ) {
          const end = offset + 48 + before.readUInt16LE(offset + 46)
          expect(after.subarray(offset, offset + 48)).toEqual(before.subarray(offset, offset + 48))
          const payload = after.subarray(offset + 48, end)
          if (before.readUInt32LE(offset + 28) === 0x04000000) {
            expect(payload.toString('latin1')).toMatch(/^task\d+\0+$/)
            names += 1
          } else expect(payload).toEqual(before.subarray(offset + 48, end))
          offset = end
        }
      }
      expect(names).toBeGreaterThan(2)
    },
  )
})
