/** A recorder that is killed: what it started ends, what it changed is restored, by itself or by the next one. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { archivesOf, leftIn, processesOf } from './archive'
import { temporaryMachine } from './finished'
import { type Machine, type MachineOptions, record, SHELLS, start } from './machine'
import { PERF, program, REAL } from './programs'

vi.setConfig({ testTimeout: 120_000 })

const SOON = { timeout: 60_000, interval: 50 } as const
const LONG_ARGS = ['-d', 'vda', '-w', '600', '-l', 'x'] as const
const SHORT = ['-d', 'vda', '-l', 'x', '-o', 'next.tar.gz', '--', 'true'] as const
const EVENT = '              dd-77    [001] .....   101.000100: block_rq_issue: 254,0 W 4096 () 2048 + 8 [dd]\n'

type Started = ReturnType<typeof start>

/** Processes of the group of a recorder that run, without those that nobody has waited for. */
function groupOf(group: number): readonly string[] {
  return readdirSync('/proc').flatMap(pid => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(pgrp) === group && state !== 'Z' ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : []
    } catch {
      return []
    }
  })
}

/** A recorder in the middle of a recording; nothing of it is left after the test. */
async function recording(
  machine: Machine,
  args: readonly string[],
  shell: readonly string[] = ['sh'],
): Promise<Started> {
  const started = start(machine, args, shell)
  const group = started.child.pid ?? 0
  onTestFinished(() => {
    spawnSync('kill', ['-KILL', '--', `-${group}`])
  })
  // At once, not at the next poll: what the recorder starts next must end with it, too.
  await new Promise<void>(resolve => {
    started.child.stderr.on('data', () => {
      if (/recording vd. with/.test(started.heard())) resolve()
    })
    void started.finished.then(() => resolve())
  })
  expect(started.heard()).toMatch(/recording vd. with/)
  return started
}

/** A machine on which this tracer works. */
function tracing(tracer: string): Machine {
  const options: MachineOptions = {
    ...(tracer === 'tracefs' && { pipe: EVENT }),
    ...(tracer !== 'blktrace' && { refused: 'no' }),
  }
  const machine = temporaryMachine(options)
  if (tracer === 'perf') program(machine, 'perf', PERF)
  if (tracer === 'tracefs') {
    // A pipe that waits, as that of the kernel does.
    const pipe = join(machine.root, 'sys/kernel/tracing/instances/seekscope/trace_pipe')
    spawnSync('sh', ['-c', 'rm "$1"; mkfifo "$1"', 'sh', pipe])
  }
  return machine
}

describe.each(SHELLS)('in %s %s', (...words) => {
  const shell = words.filter(Boolean)

  test.each(['blktrace', 'tracefs', 'perf'])('kill -9 ends all that it started, with %s', async tracer => {
    const machine = tracing(tracer)
    const { child, finished, heard } = await recording(machine, [...LONG_ARGS, '--tracer', tracer], shell)
    expect(groupOf(child.pid ?? 0).length).toBeGreaterThan(2)
    child.kill('SIGKILL')
    await finished
    await vi.waitFor(() => expect(groupOf(child.pid ?? 0)).toEqual([]), SOON)
    expect([leftIn(machine), processesOf(machine), archivesOf(machine)]).toEqual([[], [], []])
    expect(heard()).toContain('the recorder was killed: everything is restored')
  })

  test('kill -9 of all of its processes: the next one finds what is left, cleans it and says so', async () => {
    const machine = temporaryMachine()
    // Its tracer is in a group of its own, and so stays.
    program(machine, 'blktrace-here', readFileSync(join(machine.workFolder, 'bin/blktrace'), 'utf8'))
    program(machine, 'blktrace', 'exec setsid blktrace-here "$@"')
    const { child } = await recording(machine, LONG_ARGS, shell)
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await vi.waitFor(() => expect(groupOf(child.pid ?? 0)).toEqual([]), SOON)
    expect([leftIn(machine).length, processesOf(machine)]).toEqual([1, expect.arrayContaining([expect.any(String)])])
    const { status, stderr } = await record(machine, SHORT, shell)
    expect(status).toBe(0)
    expect(stderr).toMatch(
      new RegExp(
        `cleaned up after a recorder that was killed \\(process ${child.pid}\\); ended blktrace \\(\\d+\\); removed .*seekscope`,
      ),
    )
    // The last program that the tracer has started ends by itself.
    await vi.waitFor(() => expect([leftIn(machine), processesOf(machine)]).toEqual([[], []]), SOON)
  })
})

// A child that is noted by its parent outlives a recorder that is killed between the fork and the note: one of ten did.
test.each([0, 1, 2, 3])('kill -9 in the milliseconds in which children are started, round %i', async round => {
  for (const quarters of [0, 2, 4, 6, 8, 10]) {
    const machine = temporaryMachine()
    const { child, finished } = await recording(machine, LONG_ARGS, SHELLS[round % SHELLS.length])
    const end = performance.now() + (quarters + round / 4) / 4
    while (performance.now() < end);
    child.kill('SIGKILL')
    await finished
    expect([leftIn(machine), processesOf(machine)]).toEqual([[], []])
  }
})

test('the sampler cleans up where the watchdog was killed, too', async () => {
  const machine = temporaryMachine()
  const { child, finished } = await recording(machine, LONG_ARGS)
  const [folder = ''] = leftIn(machine)
  const watchdog = Number(machine.read(join(folder, 'watchdog')).split(' ')[0])
  process.kill(watchdog, 'SIGKILL')
  child.kill('SIGKILL')
  await finished
  await vi.waitFor(() => expect([groupOf(child.pid ?? 0), leftIn(machine)]).toEqual([[], []]), SOON)
})

test('kill -9 while a script of --ab runs ends it, and restores what it has set', async () => {
  const machine = temporaryMachine()
  const path = 'sys/block/vda/queue/nr_requests'
  const pause = 'while :; do sleep 0.1; done'
  writeFileSync(join(machine.workFolder, 'a.sh'), `echo 32 > '${machine.root}/${path}'\n${pause}\n`)
  writeFileSync(join(machine.workFolder, 'b.sh'), '')
  const { child, finished } = start(machine, [...LONG_ARGS, '--ab', 'a.sh', 'b.sh'])
  const group = child.pid ?? 0
  onTestFinished(() => {
    spawnSync('kill', ['-KILL', '--', `-${group}`])
  })
  await vi.waitFor(() => expect(machine.read(path)).toBe('32\n'), SOON)
  child.kill('SIGKILL')
  await finished
  await vi.waitFor(() => expect([groupOf(group), machine.read(path), leftIn(machine)]).toEqual([[], '256\n', []]), SOON)
})

test('kill -9 while a folder for the archive is made leaves no folder', async () => {
  const machine = temporaryMachine()
  const gate = `case "$*" in *.seekscope.*)
  : > '${machine.workFolder}/making'; while [ ! -e '${machine.workFolder}/go' ]; do sleep 0.1; done ;; esac`
  program(machine, 'mkdir', `${gate}\n${REAL('mkdir')}`)
  const { child, finished } = start(machine, SHORT)
  const group = child.pid ?? 0
  onTestFinished(() => {
    spawnSync('kill', ['-KILL', '--', `-${group}`])
  })
  await vi.waitFor(() => expect(existsSync(join(machine.workFolder, 'making'))).toBe(true), SOON)
  child.kill('SIGKILL')
  writeFileSync(join(machine.workFolder, 'go'), '')
  await finished
  await vi.waitFor(() => expect([groupOf(group), leftIn(machine)]).toEqual([[], []]), SOON)
  expect(readdirSync(machine.workFolder).filter(name => name.startsWith('.seekscope'))).toEqual([])
})

test('kill -9 while the archive is packed leaves neither a part of it nor its folder', async () => {
  const machine = temporaryMachine()
  // Waits until it is killed.
  const gate = `case "$*" in *-cf*) : > '${machine.workFolder}/packing'; exec sleep 600 ;; esac`
  program(machine, 'tar', `${gate}\n${REAL('tar')}`)
  const { child, finished } = start(machine, SHORT)
  const group = child.pid ?? 0
  onTestFinished(() => {
    spawnSync('kill', ['-KILL', '--', `-${group}`])
  })
  await vi.waitFor(() => expect(existsSync(join(machine.workFolder, 'packing'))).toBe(true), SOON)
  expect(readdirSync(machine.workFolder).filter(name => name.startsWith('.seekscope'))).toHaveLength(1)
  child.kill('SIGKILL')
  await vi.waitFor(() => expect([leftIn(machine), archivesOf(machine)]).toEqual([[], []]), SOON)
  expect(readdirSync(machine.workFolder).filter(name => name.startsWith('.seekscope'))).toEqual([])
  spawnSync('kill', ['-KILL', '--', `-${group}`])
  await finished
})

test('a tracer that is killed during the command is noticed', async () => {
  const machine = temporaryMachine()
  const command = `kill -KILL $(awk '$3 == "blktrace" { print $1 }' '${machine.root}'/dev/shm/seekscope.*/children)`
  const { status, stderr } = await record(machine, [
    '-d',
    'vda',
    '-l',
    'x',
    '-o',
    'x.tar.gz',
    '--',
    'sh',
    '-c',
    command,
  ])
  expect([status, stderr]).toEqual([1, expect.stringContaining('blktrace ended before the command')])
})

test('a recorder that lives is left alone', async () => {
  const machine = temporaryMachine()
  const living = await recording(machine, LONG_ARGS)
  const folders = leftIn(machine)
  const second = await record(machine, ['-d', 'vdb', '-l', 'x', '-o', 'next.tar.gz', '--', 'true'])
  expect([second.status, second.stderr]).toEqual([0, expect.not.stringContaining('cleaned up')])
  expect(leftIn(machine)).toEqual(folders)
  expect(existsSync(join(machine.root, 'sys/kernel/debug/block/vda/msg'))).toBe(true)
  process.kill(-(living.child.pid ?? 0), 'SIGINT')
  expect(await living.finished).toMatchObject({ status: 130 })
})

test('settings are restored: by the watchdog, or by the next one where they still are as they were set', async () => {
  const setCommand = (machine: Machine, value: number) =>
    `echo ${value} > '${machine.root}/sys/block/vda/queue/nr_requests'\n`
  const args = [...LONG_ARGS.slice(0, 2), '-l', 'x', '--ab', 'a.sh', 'b.sh', '--', 'sleep', '600'] as const
  const startRecording = async () => {
    const machine = temporaryMachine()
    for (const name of ['a.sh', 'b.sh']) writeFileSync(join(machine.workFolder, name), setCommand(machine, 32))
    return { made: machine, started: await recording(machine, args) }
  }
  const readValue = (machine: Machine) => machine.read('sys/block/vda/queue/nr_requests')
  const watched = await startRecording()
  expect(readValue(watched.made)).toBe('32\n')
  watched.started.child.kill('SIGKILL')
  await vi.waitFor(() => expect(readValue(watched.made)).toBe('256\n'), SOON)
  for (const [now, restored] of [
    [32, '256\n'],
    [64, '64\n'],
  ] as const) {
    const { made: machine, started } = await startRecording()
    process.kill(-(started.child.pid ?? 0), 'SIGKILL')
    await vi.waitFor(() => expect(groupOf(started.child.pid ?? 0)).toEqual([]), SOON)
    writeFileSync(join(machine.root, 'sys/block/vda/queue/nr_requests'), `${now}\n`)
    const { stderr } = await record(machine, SHORT)
    expect(stderr).toContain(
      now === 32
        ? 'restored /sys/class/block/vda/queue/nr_requests to 256'
        : 'left /sys/class/block/vda/queue/nr_requests at 64',
    )
    expect([readValue(machine), leftIn(machine)]).toEqual([restored, []])
  }
})

test('folders that look like those of a recorder, but are not, stay', async () => {
  const machine = temporaryMachine()
  const folder = (name: string, mode = 0o700) => {
    const path = join(machine.root, 'dev/shm', `seekscope.${name}`)
    mkdirSync(path)
    chmodSync(path, mode)
    return path
  }
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  const space = spawnSync('readlink', ['/proc/self/ns/pid'], { encoding: 'utf8' }).stdout
  const dead = `seekscope-record 1\n999999999 1\n${space}${boot}`
  folder('nomark')
  const yesterday = (path: string) => utimesSync(path, 1, Date.now() / 1000 - 90_000)
  const full = folder('full01')
  writeFileSync(join(full, 'something'), '')
  yesterday(full)
  writeFileSync(join(folder('open01', 0o755), 'recorder'), dead)
  writeFileSync(join(folder('other1'), 'recorder'), 'something else\n1 1\n\n\n')
  writeFileSync(join(folder('space1'), 'recorder'), dead.replace(space, 'pid:[1]\n'))
  writeFileSync(
    join(folder('living'), 'recorder'),
    dead.replace('999999999 1', `${process.pid} ${beginOf(process.pid)}`),
  )
  spawnSync('ln', ['-s', machine.workFolder, join(machine.root, 'dev/shm/seekscope.link01')])
  const earlier = leftIn(machine)
  // The folder of a recorder that was killed right after it was made.
  yesterday(folder('empty1'))
  writeFileSync(join(folder('dead01'), 'recorder'), dead)
  writeFileSync(join(folder('boot01'), 'recorder'), dead.replace(boot, 'another\n'))
  expect(await record(machine, SHORT)).toMatchObject({ status: 0, stderr: expect.stringContaining('dead01') })
  expect(leftIn(machine)).toEqual(earlier)
})

/** Start of a process in ticks since boot, field 22 of /proc/PID/stat. */
function beginOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

test('a recorder of which a process number is used again is dead', async () => {
  const machine = temporaryMachine()
  const folder = join(machine.root, 'dev/shm/seekscope.again1')
  mkdirSync(folder, { mode: 0o700 })
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  const space = spawnSync('readlink', ['/proc/self/ns/pid'], { encoding: 'utf8' }).stdout
  writeFileSync(join(folder, 'recorder'), `seekscope-record 1\n${process.pid} 1\n${space}${boot}`)
  // A process with the number of a child must not be ended, either.
  writeFileSync(join(folder, 'children'), `${process.pid} 1 sampler\n`)
  const { stderr } = await record(machine, SHORT)
  expect(stderr).toContain(`cleaned up after a recorder that was killed (process ${process.pid}); removed`)
  expect(leftIn(machine)).toEqual([])
})
