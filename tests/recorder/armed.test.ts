/** The flight recorder: which conditions fire, and what is kept around a moment. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { archivesOf, descendantsOf, leftIn, secretsIn, unpack } from './archive'
import { armedMachine, BEGIN, eventText, eventTimes, IDLE, QUIET, readTrigger, STALL, times } from './armed'
import { temporaryMachine } from './finished'
import { type Machine, record, SECRETS, SHELLS, start } from './machine'

vi.setConfig({ testTimeout: 120_000 })

const SOON = { timeout: 60_000, interval: 20 } as const
const STALLS = ['--arm', 'iops<10 for 300ms'] as const
const ARGS = ['-d', 'vda', '-l', 'x', '-o', 'x.tar.gz', '--before', '2', '--after', '1'] as const

/** Time on the clock of the machine after so many steps, s. */
const timeAfter = (steps: number) => (BEGIN + steps * 100) / 1000

function textOf(machine: Machine, file: string): string {
  const bytes = unpack(machine, 'x.tar.gz').get(`x/${file}`)
  if (bytes === undefined) throw new Error(`${file} is not in the archive`)
  return bytes.toString()
}
/** What asks the reader for a moment. */
function requestOf(machine: Machine): string {
  const [folder = ''] = leftIn(machine)
  return readFileSync(join(machine.root, folder, 'moment/request'), 'utf8')
}
const triggerOf = (machine: Machine, run: string) => readTrigger(textOf(machine, `x-${run}/trigger.txt`))

describe.each(SHELLS)('in %s %s', (...words) => {
  const shell = words.filter(Boolean)

  test('keeps the seconds around a stall, with the trigger, the samples, counters and settings', async () => {
    const { machine, marker, tracing } = armedMachine([...times(25, QUIET), ...times(5, STALL), ...times(30, QUIET)])
    const { status, stderr } = await record(machine, [...ARGS, ...STALLS], shell)
    expect([status, stderr]).toEqual([0, expect.stringContaining('moment 1 of 1: iops<10 for 300ms')])
    const { field, rows } = triggerOf(machine, 'moment-1')
    // Requests were in flight, and none completed, in three intervals.
    expect(field).toMatchObject({
      'seekscope-trigger': '1',
      clock: 'mono',
      trigger: 'iops<10 for 300ms',
      device: 'vda',
      value: '0.0',
      fired: timeAfter(28).toFixed(6),
      begin: timeAfter(8).toFixed(6),
      end: timeAfter(38).toFixed(6),
    })
    expect(rows[0]).toEqual(['time', 'device', 'iops', 'await_ms', 'depth', 'util_percent', 'psi_percent'])
    expect(rows.find(([time]) => time === timeAfter(25).toFixed(6))).toEqual([
      timeAfter(25).toFixed(6),
      'vda',
      '200.0',
      '2.0',
      '1',
      '40.0',
      '5.0',
    ])
    expect(rows.find(([time]) => time === timeAfter(28).toFixed(6))).toEqual([
      timeAfter(28).toFixed(6),
      'vda',
      '0.0',
      '2.0',
      '3',
      '58.0',
      '33.5',
    ])
    expect(rows).toHaveLength(1 + 31)
    const events = eventTimes(textOf(machine, 'x-moment-1/trace.txt'))
    expect([events.length, events[0], events.at(-1)]).toEqual([31, timeAfter(8), timeAfter(38)])
    expect(textOf(machine, 'x-moment-1/trace.txt')).toMatch(/^# trace_clock: mono\n {14}dd/)
    expect(textOf(machine, 'x-moment-1/settings.txt')).toContain('/sys/block/vda/queue/scheduler:')
    expect(textOf(machine, 'x-moment-1/diskstats.txt')).toContain(
      `uptime ${timeAfter(28).toFixed(3)}\n 254       0 vda 1500 0`,
    )
    expect(textOf(machine, 'x-moment-1/pressure.txt')).toMatch(
      /^==> \/proc\/pressure\/io <==\nsome .* total=\d+\nfull /m,
    )
    expect(machine.read('sys/kernel/tracing/instances/seekscope/options/overwrite')).toBe('1\n')
    expect([marker(), tracing()]).toEqual(['seekscope: the trigger fired\n', '0'])
    // No map, no sampler of all counters, no trace of another tracer.
    const files = [...unpack(machine, 'x.tar.gz').keys()]
    expect(files.filter(file => /map\/|vmstat|blktrace/.test(file))).toEqual([])
    expect([leftIn(machine), descendantsOf(machine)]).toEqual([[], []])
  })

  test('Ctrl-C while armed leaves nothing: status 130', async () => {
    const { machine, passed } = armedMachine(times(5, QUIET))
    const { child, finished } = start(machine, [...ARGS, ...STALLS], shell)
    await vi.waitFor(() => expect(passed()).toBe(5), SOON)
    process.kill(-(child.pid ?? 0), 'SIGINT')
    const { status, stderr } = await finished
    expect([status, stderr]).toEqual([130, expect.stringContaining('interrupted while armed; no moment came')])
    await vi.waitFor(() => expect(descendantsOf(machine)).toEqual([]), SOON)
    expect([leftIn(machine), archivesOf(machine)]).toEqual([[], []])
  })

  test('Ctrl-C after a moment packs it', async () => {
    const { machine, passed, add } = armedMachine([...times(5, QUIET), ...times(3, STALL), ...times(12, QUIET)])
    const { child, finished, heard } = start(machine, [...ARGS, ...STALLS, '--moments', '3'], shell)
    await vi.waitFor(() => expect(heard()).toContain('moment 1 of 3'), SOON)
    add(times(3, QUIET))
    await vi.waitFor(() => expect(passed()).toBe(23), SOON)
    process.kill(-(child.pid ?? 0), 'SIGINT')
    const { status, stderr } = await finished
    expect([status, stderr]).toEqual([0, expect.stringContaining('interrupted while armed; moments: 1 of 3')])
    expect(triggerOf(machine, 'moment-1').field.fired).toBe(timeAfter(8).toFixed(6))
    expect([leftIn(machine), descendantsOf(machine)]).toEqual([[], []])
  })

  test('kill -USR1 makes a moment', async () => {
    const { machine, passed, add } = armedMachine(times(7, QUIET))
    const { child, finished } = start(machine, [...ARGS, '--arm', 'signal'], shell)
    await vi.waitFor(() => expect(passed()).toBe(7), SOON)
    child.kill('SIGUSR1')
    add(times(15, QUIET))
    expect(await finished).toMatchObject({ status: 0 })
    const { field } = triggerOf(machine, 'moment-1')
    expect(field).toMatchObject({ trigger: 'signal', device: '-' })
    // The signal came when seven steps had passed, or while the next ones did.
    expect(Number(field.fired)).toBeGreaterThanOrEqual(timeAfter(7))
    expect(Number(field.end)).toBeGreaterThanOrEqual(Number(field.fired) + 1)
  })

  test('the end of the command of --when makes a moment', async () => {
    const { machine, passed, add } = armedMachine(times(4, QUIET))
    const flag = join(machine.workFolder, 'flag')
    const when = `until [ -e '${flag}' ]; do /bin/sleep 0.02; done; exit 3`
    const { finished } = start(machine, [...ARGS, '--when', when], shell)
    await vi.waitFor(() => expect(passed()).toBe(4), SOON)
    writeFileSync(flag, '')
    add(times(400, QUIET))
    expect(await finished).toMatchObject({ status: 0 })
    expect(triggerOf(machine, 'moment-1').field.trigger).toBe('the command of --when ended with status 3')
    expect(descendantsOf(machine)).toEqual([])
  })
})

describe('conditions', () => {
  /** The time at which it fired, in steps; undefined if it did not. */
  async function firedAfter(condition: string, steps: Parameters<typeof armedMachine>[0]) {
    const { machine } = armedMachine([...steps, ...times(70, QUIET)])
    const { status } = await record(machine, [
      ...ARGS,
      '--arm',
      condition,
      '-w',
      String(Math.ceil(steps.length / 10) + 4),
    ])
    if (status === 7) return undefined
    expect(status).toBe(0)
    return Math.round(Number(triggerOf(machine, 'moment-1').field.fired) * 10 - BEGIN / 100)
  }
  const slow = { ...QUIET, took: 80 }
  const deep = { ...QUIET, flight: 65 }
  const busy = { ...QUIET, busy: 100 }
  const waiting = { ...QUIET, pressure: 60 }

  test.each([
    ['await>50ms', [...times(10, QUIET), slow], 11],
    ['await > 50 ms', [...times(10, QUIET), { ...slow, took: 50 }, slow], 12],
    ['await>0.05s', [...times(10, QUIET), slow], 11],
    ['await>50000us for 200ms', [...times(10, QUIET), ...times(3, slow)], 12],
    // Without a completion, the wait is that of the interval before.
    ['await>50ms for 300ms', [...times(10, QUIET), slow, STALL, STALL], 13],
    ['depth>64', [...times(10, QUIET), { ...QUIET, flight: 64 }, deep], 12],
    ['depth>64 for 200ms', [...times(10, QUIET), ...times(3, deep)], 13],
    ['iops<10', [...times(10, QUIET), ...times(2, STALL)], 11],
    ['iops<10 for 0.5s', [...times(10, QUIET), ...times(4, STALL), QUIET, ...times(5, STALL)], 20],
    // A second of which every tick was busy.
    ['util>99%', [...times(15, QUIET), ...times(10, busy)], 25],
    ['psi>40%', [...times(15, QUIET), ...times(10, waiting)], 22],
  ] as const)('%s fires when it holds', async (condition, steps, expected) => {
    expect(await firedAfter(condition, steps)).toBe(expected)
  })

  test.each([
    ['await>50ms', times(40, QUIET)],
    ['await>50ms for 300ms', [...times(10, QUIET), ...times(2, slow), QUIET, ...times(2, slow)]],
    ['iops<10', [...times(10, QUIET), ...times(10, IDLE)]],
    // One request at the end of an interval and another one at that of the next.
    ['iops<10', [...times(10, IDLE), ...times(10, { completions: 1, flight: 1 })]],
    ['iops<10 for 300ms', [...times(10, QUIET), STALL, STALL, QUIET, STALL, STALL]],
    ['util>99%', [...times(15, QUIET), ...times(9, busy)]],
    ['psi>40%', [...times(15, QUIET), ...times(5, waiting)]],
    ['depth>64', [...times(10, QUIET), { ...QUIET, flight: 64 }]],
  ] as const)('%s does not fire in a load in which it does not hold, round %#', async (condition, steps) => {
    expect(await firedAfter(condition, steps)).toBeUndefined()
  })

  test('any of several fires, of any of several devices', async () => {
    const { machine } = armedMachine([...times(5, QUIET), deep, ...times(15, QUIET)])
    const args = [...ARGS, '-d', 'vdb', '--arm', 'await>50ms', '--arm', 'depth>64']
    expect(await record(machine, args)).toMatchObject({ status: 0 })
    const { field, rows } = triggerOf(machine, 'moment-1')
    expect(field).toMatchObject({ trigger: 'depth>64', device: 'vda', value: '65.0' })
    expect(rows.filter(([, device]) => device === 'vdb').length).toBeGreaterThan(10)
  })

  test.each([
    ['await>50', 'await is compared with a number and its unit, ms or us or s, not 50'],
    ['await<50ms', 'await is compared by > only'],
    ['util>100%', 'util is compared with a number above 0, at most 99.999%'],
    ['depth>64ms', 'depth is compared with a number without a unit, not 64ms'],
    ['iops<0', 'iops is compared with a number above 0'],
    ['iops<1 0', 'iops is compared with a number without a unit'],
    ['iops<1e3', 'iops is compared with a number without a unit'],
    ['latency>5ms', 'nothing is called latency'],
    ['iops<10 for 300', 'the time behind "for" is a number with ms or s'],
    ['iops<10 for 0ms', 'the time behind "for" is above 0 and at most 600s'],
    ['iops<10 for 601s', 'the time behind "for" is above 0 and at most 600s'],
    ['iops', 'it has neither < nor >'],
    ['', 'it has neither < nor >'],
    ['iops<10"; system("id")', 'iops is compared with a number without a unit'],
  ])('%j is refused, with what is possible', async (condition, words) => {
    const { status, stderr } = await record(temporaryMachine(), [...ARGS, '--arm', condition])
    expect([status, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(stderr).toContain('conditions are await>50ms, util>99%, depth>64, iops<10 and psi>40%')
  })

  test.each([
    [['--before', '5'], 2, 'belong to --arm CONDITION or --when CMD'],
    [['--arm', 'signal', '--', 'true'], 2, '--arm takes no command'],
    [['--arm', 'signal', '-n', '2'], 2, '--moments N keeps several moments'],
    [['--arm', 'signal', '--tracer', 'blktrace'], 2, 'not in blktrace'],
    [['--arm', 'signal', '--origin'], 2, 'does not go with --origin'],
    [['--arm', 'signal', '--before', '601'], 2, '--before is at most 600'],
    [['--arm', 'signal', '--moments', '101'], 2, '--moments is at most 100'],
    [['--when', ''], 2, '--when needs a command'],
  ] as const)('%j ends with %i', async (args, expected, words) => {
    const { status, stderr } = await record(temporaryMachine(), [...ARGS.slice(0, 6), ...args])
    expect([status, stderr]).toEqual([expected, expect.stringContaining(words)])
  })

  test('a machine without pressure, clock or instances is refused, with what it lacks', async () => {
    const without = async (path: string, condition = 'iops<10') => {
      const { machine } = armedMachine([])
      rmSync(join(machine.root, path), { recursive: true })
      const { status, stderr } = await record(machine, [...ARGS, '--arm', condition])
      expect(leftIn(machine)).toEqual([])
      return [status, stderr]
    }
    expect(await without('proc/pressure/io', 'psi>40%')).toEqual([3, expect.stringContaining('CONFIG_PSI')])
    expect(await without('proc/timer_list')).toEqual([3, expect.stringContaining('/proc/timer_list')])
    expect(await without('sys/kernel/tracing')).toEqual([5, expect.stringContaining('no events of the block layer')])
  })
})

describe('moments', () => {
  const stall = [...times(4, STALL), ...times(12, QUIET)]

  test('several become recordings of their own, with a quiet stretch as the baseline before them', async () => {
    const steps = [...times(35, QUIET), ...stall, ...times(25, QUIET), ...stall]
    const { machine } = armedMachine(steps)
    const { status, stderr } = await record(machine, [...ARGS, ...STALLS, '--moments', '2'])
    expect([status, stderr]).toEqual([0, expect.stringContaining('a quiet stretch of 3 s is the baseline')])
    const quiet = triggerOf(machine, 'quiet')
    // Samples begin with the second: a rate needs two.
    expect(quiet.field).toMatchObject({
      trigger: 'none',
      fired: '-',
      begin: timeAfter(0).toFixed(6),
      end: timeAfter(30).toFixed(6),
    })
    expect(eventTimes(textOf(machine, 'x-quiet/trace.txt'))).toHaveLength(31)
    expect(triggerOf(machine, 'moment-1').field.fired).toBe(timeAfter(38).toFixed(6))
    const second = triggerOf(machine, 'moment-2').field
    expect(second.fired).toBe(timeAfter(35 + 16 + 25 + 3).toFixed(6))
    expect(Number(second.fired) - Number(second.begin)).toBeCloseTo(2)
    const manifest = textOf(machine, 'MANIFEST.tsv')
    expect(manifest.match(/^repeats\t.*?(?=\t-)/gm)).toEqual([
      'repeats\tx-quiet\tx-quiet',
      'repeats\tx-moment-1\tx-moment',
      'repeats\tx-moment-2\tx-moment',
    ])
    expect(manifest).toContain('armed\tiops<10 for 300ms; 2 s before, 1 s after\t0')
  })

  test('a stall that goes on is one moment', async () => {
    const { machine } = armedMachine([...times(5, QUIET), ...times(60, STALL), ...times(30, QUIET)])
    const { status, stderr } = await record(machine, [...ARGS, ...STALLS, '--moments', '2', '-w', '9'])
    expect([status, stderr]).toEqual([0, expect.stringContaining('the 9 s of -w are over; moments: 1 of 2')])
    expect(triggerOf(machine, 'moment-1').field.fired).toBe(timeAfter(8).toFixed(6))
  })

  test('a stretch in which a condition holds is not the quiet one', async () => {
    const short = [...times(2, STALL), ...times(20, QUIET)]
    const { machine } = armedMachine([...short, ...short, ...short, ...times(20, QUIET)])
    expect(await record(machine, [...ARGS, ...STALLS, '-w', '8'])).toMatchObject({ status: 7 })
    expect(archivesOf(machine)).toEqual([])
    const other = armedMachine([...short, ...short, ...short, ...stall])
    expect(await record(other.machine, [...ARGS, ...STALLS])).toMatchObject({ status: 0 })
    const files = [...unpack(other.machine, 'x.tar.gz').keys()]
    expect(files.filter(file => file.includes('quiet'))).toEqual([])
  })

  test('no moment within -w: no archive, status 7, and nothing left', async () => {
    const { machine } = armedMachine(times(40, QUIET))
    const { status, stderr } = await record(machine, [...ARGS, ...STALLS, '-w', '3'])
    expect([status, stderr]).toEqual([7, expect.stringContaining('the 3 s of -w are over; no moment came')])
    expect([leftIn(machine), archivesOf(machine), descendantsOf(machine)]).toEqual([[], [], []])
  })

  test('what CPUs have overwritten is not in the recording: it begins where all have events', async () => {
    const { machine } = armedMachine([...times(25, QUIET), ...times(5, STALL), ...times(20, QUIET)])
    const stats = (cpu: number, overrun: number, oldest: number) => {
      const folder = join(machine.root, `sys/kernel/tracing/instances/seekscope/per_cpu/cpu${cpu}`)
      writeFileSync(
        join(folder, 'stats'),
        `entries: 9\noverrun: ${overrun}\nbytes: 4096\noldest event ts: ${oldest.toFixed(6)}\n`,
      )
    }
    stats(0, 5, timeAfter(20))
    const { status, stderr } = await record(machine, [...ARGS, ...STALLS])
    expect([status, stderr]).toEqual([0, expect.stringContaining('held 0.8 s before the trigger')])
    expect(triggerOf(machine, 'moment-1').field.begin).toBe(timeAfter(20).toFixed(6))
    expect(eventTimes(textOf(machine, 'x-moment-1/trace.txt'))[0]).toBe(timeAfter(20))
  })

  test('a ring that has overwritten the trigger itself is told, with status 1', async () => {
    const { machine } = armedMachine([...times(25, QUIET), ...times(5, STALL), ...times(20, QUIET)])
    const path = join(machine.root, 'sys/kernel/tracing/instances/seekscope/per_cpu/cpu0/stats')
    writeFileSync(path, `overrun: 5\nbytes: 4096\noldest event ts: ${timeAfter(33).toFixed(6)}\n`)
    const { status, stderr } = await record(machine, [...ARGS, ...STALLS])
    expect([status, stderr]).toEqual([1, expect.stringContaining('the trigger itself was overwritten')])
  })

  test('a device that is gone and a command that cannot be run end the waiting', async () => {
    const { machine, passed, add } = armedMachine(times(3, QUIET))
    const { finished } = start(machine, [...ARGS, ...STALLS])
    await vi.waitFor(() => expect(passed()).toBe(3), SOON)
    rmSync(join(machine.root, 'sys/block/vda'), { recursive: true })
    add(times(1, QUIET))
    expect(await finished).toMatchObject({ status: 1, stderr: expect.stringContaining('vda is gone; no moment came') })
    const { machine: other } = armedMachine(times(3, QUIET))
    expect(await record(other, [...ARGS, '--when', 'no-such-program'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the command of --when cannot be run: no-such-program'),
    })
    expect([leftIn(machine), leftIn(other)]).toEqual([[], []])
  })

  test('kill -9 while armed ends the reader and all of the command of --when', async () => {
    const { machine, passed } = armedMachine(times(3, QUIET))
    const when = `/bin/sleep 600 '${machine.workFolder}' 2>/dev/null | /bin/cat; while :; do /bin/sleep 0.1; done; : '${machine.workFolder}'`
    const { child, finished } = start(machine, [...ARGS, ...STALLS, '--when', when])
    await vi.waitFor(() => expect(passed()).toBe(3), SOON)
    child.kill('SIGKILL')
    await finished
    await vi.waitFor(() => expect([descendantsOf(machine), leftIn(machine)]).toEqual([[], []]), SOON)
  })

  test.each(SHELLS)('kill -9 of all but the reader ends it within its next samples, in %s %s', async (...words) => {
    const { machine, passed } = armedMachine(times(3, QUIET))
    const { child, finished } = start(machine, [...ARGS, ...STALLS], words.filter(Boolean))
    await vi.waitFor(() => expect(passed()).toBe(3), SOON)
    const [folder = ''] = leftIn(machine)
    const [watchdog = ''] = readFileSync(join(machine.root, folder, 'watchdog'), 'utf8').split(' ')
    process.kill(Number(watchdog), 'SIGKILL')
    child.kill('SIGKILL')
    await finished
    await vi.waitFor(() => expect([descendantsOf(machine), leftIn(machine)]).toEqual([[], []]), SOON)
  })

  test('a signal at a moment at which the clock cannot be read fires by the next sample', async () => {
    const { machine, passed, add } = armedMachine(times(5, QUIET))
    const { child, finished } = start(machine, [...ARGS, '--arm', 'signal'])
    await vi.waitFor(() => expect(passed()).toBe(5), SOON)
    writeFileSync(join(machine.root, 'proc/timer_list'), '')
    child.kill('SIGUSR1')
    await vi.waitFor(() => expect(requestOf(machine)).toBe('signal\t\n'), SOON)
    add(times(15, QUIET))
    expect(await finished).toMatchObject({ status: 0 })
    expect(Number(triggerOf(machine, 'moment-1').field.fired)).toBeGreaterThanOrEqual(timeAfter(5))
  })

  test('names of the machine and of processes are masked in all of them', async () => {
    const { machine } = armedMachine([...times(35, QUIET), ...stall, ...times(5, QUIET)])
    const trace = join(machine.root, 'sys/kernel/tracing/instances/seekscope/trace')
    const marker = `           <...>-9     [000] .....   ${timeAfter(38).toFixed(6)}: tracing_mark_write: seekscope: the trigger fired\n`
    writeFileSync(trace, eventText().replace(/^(.* 104\.300000:)/m, `${marker}$1`))
    const when = `: ${SECRETS.host}; exec /bin/sleep 600`
    expect(await record(machine, [...ARGS, ...STALLS, '--no-comm', '--when', when])).toMatchObject({ status: 0 })
    const files = unpack(machine, 'x.tar.gz')
    expect(secretsIn(files)).toEqual([])
    const text = files.get('x/x-moment-1/trace.txt')?.toString() ?? ''
    expect([text.includes('[dd]'), text.includes('tracing_mark_write: seekscope: the trigger fired')]).toEqual([
      false,
      true,
    ])
    expect(files.get('x/MANIFEST.tsv')?.toString()).toMatch(/the end of: : host-[0-9a-f]{8}/)
  })
})

test('--dry-run and --check say what is done while armed', async () => {
  const { machine } = armedMachine([])
  const args = [...ARGS, ...STALLS, '--when', 'true', '--moments', '5', '--dry-run']
  const { status, stdout } = await record(machine, args)
  expect(status).toBe(0)
  expect(stdout).toContain(
    'an instance that overwrites its oldest events, clock mono, 16384 KiB per CPU (32 MiB in all)',
  )
  expect(stdout).toContain('# a moment: iops<10 for 300ms\n# a moment: this command ends: true\n')
  expect(stdout).not.toMatch(/^blktrace|^# map|^sleep/m)
  expect((await record(machine, ['--check'])).stdout).toMatch(/^ok {7}armed {7}all conditions$/m)
  expect((await record(temporaryMachine(), ['--check'])).stdout).toMatch(/^optional armed .*instances of tracefs$/m)
  expect(existsSync(join(machine.workFolder, 'steps.done'))).toBe(false)
})

test('the ring is refused where it is larger than the free memory', async () => {
  const { machine } = armedMachine([])
  const { status, stderr } = await record(machine, [...ARGS, ...STALLS, '-b', '1048576'])
  expect([status, stderr]).toEqual([4, expect.stringContaining('-b 1048576 takes 2048 MiB for the ring (2 CPUs)')])
  expect(readFileSync(join(machine.root, 'sys/kernel/tracing/instances/seekscope/tracing_on'), 'utf8')).toBe('0\n')
})
