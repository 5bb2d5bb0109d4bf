/** Runs the real blkparse and btt, and parses what they print. */
import { spawnSync } from 'node:child_process'

export type Direction = 'read' | 'write' | 'discard'

/**
 * Events by action letter as blkparse prints it, and bytes of Q, D and C by direction, passthrough commands left out.
 */
export interface BlkparseCount {
  readonly events: Readonly<Record<string, number>>
  readonly bytes: Readonly<Record<'Q' | 'D' | 'C', Readonly<Record<Direction, number>>>>
  /** Number of Q events with data. */
  readonly bios: number
  /** C events by their error as blkparse prints it, `65531`; without those of error 0. */
  readonly failed: Readonly<Record<string, number>>
}

export interface BttStage {
  readonly n: number
  /** Shortest and longest time of the stage, ns. */
  readonly min: number
  readonly avg: number
  readonly max: number
}

const run = (program: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  return stdout
}

const directionOf = (rwbs: string): Direction => {
  if (rwbs.includes('D')) return 'discard'
  return rwbs.includes('W') ? 'write' : 'read'
}

const EVENT = /^= *(\w+) +(\w+) (\d+) *(\d+)$/
/** Messages keep their own format whatever -f says. */
const MESSAGE = /^ *\d+,\d+ +\d+ +\d+ +[\d.]+ +\d+ +m +N /

const eventsOf = (folder: string, base: string, options: readonly string[]) =>
  run('blkparse', ['-q', '-i', base, '-f', '=%a %d %N %e\\n', ...options], folder)
    .split('\n')
    .flatMap(line => {
      const [, action, rwbs = '', bytes, error = '0'] = EVENT.exec(line) ?? []
      if (action) return [{ action, direction: directionOf(rwbs), bytes: Number(bytes), error }]
      return MESSAGE.test(line) ? [{ action: 'm', direction: 'read' as const, bytes: 0, error: '0' }] : []
    })

/** Runs blkparse on the per-CPU files `base.blktrace.*` of a folder, and leaves its dump in `base.dump` there. */
export const blkparse = (folder: string, base: string): BlkparseCount => {
  const events: Record<string, number> = {}
  const zeroBytes = () => ({ read: 0, write: 0, discard: 0 })
  const bytes = { Q: zeroBytes(), D: zeroBytes(), C: zeroBytes() }
  const add = (counted: ReturnType<typeof eventsOf>, sign: number) => {
    for (const { action, direction, bytes: n } of counted) {
      if (action === 'Q' || action === 'D' || action === 'C') bytes[action][direction] += sign * n
    }
  }
  const allEvents = eventsOf(folder, base, ['-d', `${base}.dump`])
  for (const { action } of allEvents) events[action] = (events[action] ?? 0) + 1
  add(allEvents, 1)
  add(eventsOf(folder, base, ['-a', 'pc']), -1)
  const failed: Record<string, number> = {}
  for (const { action, error } of allEvents)
    if (action === 'C' && error !== '0') failed[error] = (failed[error] ?? 0) + 1
  return { events, bytes, failed, bios: allEvents.filter(event => event.action === 'Q' && event.bytes > 0).length }
}

/** Sorts lines by time, and those of equal time by their text: the tools merge CPUs in different orders. */
export const sortByTime = (text: string): readonly string[] => {
  const timeOf = (line: string) => / (\d+)\.(\d{9}) /.exec(line)?.slice(1).join('').padStart(20, '0') ?? ''
  return text
    .split('\n')
    .map(line => `${timeOf(line)}|${line}`)
    .sort()
}

/** All that blkparse prints with these options. */
export const blkparsePrint = (folder: string, base: string, options: readonly string[]): string =>
  run('blkparse', ['-i', base, ...options], folder)

/** What blkparse prints: events and messages by time, then the summary. */
export const blkparseText = (folder: string, base: string): string =>
  blkparsePrint(folder, base, [])
    .split('\n')
    .filter(line => !line.startsWith('Input file '))
    .join('\n')

/** The summary that blkparse prints after the events. */
export const blkparseSummary = (folder: string, base: string): string => {
  const lines = run('blkparse', ['-i', base, '-f', ''], folder).split('\n')
  const first = lines.findIndex(line => /^CPU\d+ \(/.test(line))
  return lines
    .slice(first)
    .filter(line => !line.startsWith('Input file '))
    .join('\n')
}

const STAGES = new Set(['Q2G', 'G2I', 'I2D', 'D2C', 'Q2C', 'Q2M', 'M2D'])
const ns = (seconds: string | undefined) => Math.round(Number(seconds) * 1e9)

/** What `btt -A` prints of the dump that `blkparse` left, up to its activity data. */
export const bttText = (folder: string, base: string): string =>
  run('btt', ['-A', '-i', `${base}.dump`], folder).split('# Total System')[0] ?? ''

/** Prefixes each row of a table per process or device with the name of its stage. */
const prefixStage = (lines: readonly string[]): readonly string[] => {
  let stage = ''
  return lines.map(line => {
    stage = /^ +(\w+) +MIN /.exec(line)?.[1] ?? stage
    return `${stage} ${line}`
  })
}

/** Lines of each table by its title, without the seek median: btt's is none. */
export const bttTables = (text: string): ReadonlyMap<string, readonly string[]> => {
  const tables = text.split(/^=+ (.+) =+$/m).slice(1)
  const median = / +\d+ \| (\d+\(\d+\))/
  const lines = (body: string) => body.split('\n').map(line => line.replace(median, ' $1'))
  const rows = (title: string, body: string) => (title.startsWith('Per ') ? prefixStage(lines(body)) : lines(body))
  return new Map(
    tables.flatMap((title, i) => (i % 2 === 0 ? [[title, rows(title, tables[i + 1] ?? '')] as const] : [])),
  )
}

/** btt's stage times; a stage that it does not list is absent. */
export const bttStages = (text: string): ReadonlyMap<string, BttStage> => {
  const found = new Map<string, BttStage>()
  const table = text.slice(text.indexOf('= All Devices ='), text.indexOf('= Device Overhead ='))
  for (const line of table.split('\n')) {
    const [title = '', min, avg, max, n] = line.trim().split(/\s+/)
    const name = title.replace('Q2Cdm', 'Q2C')
    if (STAGES.has(name)) found.set(name.toLowerCase(), { n: Number(n), min: ns(min), avg: ns(avg), max: ns(max) })
  }
  return found
}
