/** Call stacks beside recordings of blktrace, counted in the texts themselves. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, run } from '../../cli/testing/run'
import type { StackNode, StacksUsed } from '../../web/engine/protocol'

const recording = (name: string) => join(ROOT, 'tests/stacks', `${name}.tar.xz`)

/** A text of a recording. */
const textOf = (name: string, file: string): string =>
  execFileSync('tar', ['-xJOf', recording(name), file], { encoding: 'utf8', maxBuffer: 1 << 26 })

async function stacksOf(path: string): Promise<StacksUsed> {
  const { status, stdout } = await run(['summary', '--json', path])
  expect(status).toBe(0)
  const [trace] = JSON.parse(stdout).traces
  return trace.devices[0].stacks
}

/** Requests of the stacks that go through a function, which is in no stack twice. */
const through = (tree: readonly StackNode[], name: string): number =>
  tree.filter(({ calls }) => calls.includes(name)).reduce((sum, { requests }) => sum + requests, 0)

/** Numbers of stacks of the insertion of requests that go through a function. */
function counted(stacks: readonly string[], name: string): number {
  return stacks.filter(stack => new RegExp(`\\b${name}\\b`).test(stack)).length
}

describe('stacks of ftrace', () => {
  it('are those of the text, function by function', async () => {
    const stacks = textOf('ftrace-log-6.12', 'log/ftrace.txt')
      .split(/^(?= +\S.*\d: )/m)
      .flatMap((event, i, events) => (/block_rq_insert: /.test(event) ? [events[i + 1] ?? ''] : []))
    const { tree, unknown, all, by_issue } = await stacksOf(recording('ftrace-log-6.12'))
    expect(stacks.length).toBeGreaterThan(300)
    for (const name of ['__x64_sys_fsync', '__x64_sys_openat', 'kjournald2', 'wb_workfn', 'ext4_sync_file'])
      expect([name, through(tree, name)]).toEqual([name, counted(stacks, name)])
    expect(all.requests - unknown.requests - by_issue).toBe(stacks.length)
    expect(tree.some(({ calls }) => calls.some(name => name.startsWith('__traceiter')))).toBe(false)
  })

  it('are listed by their telling functions', async () => {
    const { stdout } = await run(['summary', recording('ftrace-log-6.12')])
    expect(stdout).toMatch(/^ {2}call stacks {3}of \d+(\.\d+)?% of the requests$/m)
    expect(stdout).toMatch(/^ +\d+(\.\d+)?% {2}fsync\(\) > ext4_/m)
  })
})

describe('stacks of perf script', () => {
  it('are those of the text', async () => {
    const events = textOf('perf-fio-6.12', 'perf/perf-script.txt').split('\n\n')
    const stacks = events.filter(event => /block:block_rq_insert: /.test(event))
    const { tree } = await stacksOf(recording('perf-fio-6.12'))
    for (const name of ['ext4_lazyinit_thread', 'kjournald2', 'ext4_sync_file'])
      expect([name, through(tree, name)]).toEqual([name, counted(stacks, name)])
  })
})

describe('stacks of binary traces', () => {
  const binary = (name: string) => join(ROOT, 'tests/stacks', name)

  it('have the names that a trace.dat has', async () => {
    const { tree, has_addresses, all, unknown } = await stacksOf(binary('trace-cmd-6.12.trace.dat.xz'))
    expect(has_addresses).toBe(false)
    expect(unknown.requests / all.requests).toBeLessThan(0.05)
    // 48 direct writes, as their recording has them.
    expect(through(tree, 'iomap_dio_rw')).toBe(48)
  })

  it('are addresses in modules where a perf.data is alone', async () => {
    const { tree, has_addresses, unknown, all } = await stacksOf(binary('perf-fio-6.12.perf.data.xz'))
    expect(has_addresses).toBe(true)
    expect(unknown.requests).toBeLessThan(all.requests / 10)
    const names = tree.flatMap(({ calls }) => calls)
    expect(names.filter(name => !/^(\[kernel\]|\w+)\+0x[0-9a-f]+$/.test(name))).toEqual([])
    const { stdout } = await run(['summary', binary('perf-fio-6.12.perf.data.xz')])
    expect(stdout).toMatch(/^ +addresses instead of names: put \/proc\/kallsyms, read as root, /m)
  })
})

describe('two recordings', () => {
  it('are compared by their paths', async () => {
    const { stdout } = await run(['compare', recording('ftrace-log-6.12'), recording('perf-fio-6.12')])
    expect(stdout).toMatch(/^Call paths +A requests +B requests$/m)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(72)
  })
})
