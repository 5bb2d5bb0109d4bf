/** The event filter: `op:write act:D,C dev:254,0 pid:512 error:any sector:1000..2000 dd`. */
import { type EventFilter, OPS, type Op } from '../../engine/protocol'
import { ns, sector } from '../../lib/units'
import { processKey } from '../../state/runs/processes'
import type { Run, View } from '../../state/types'

const ACTIONS = ['Q', 'M', 'F', 'G', 'S', 'R', 'D', 'C', 'P', 'U', 'UT', 'I', 'X', 'B', 'A', 'ZP', 'ZU', 'm'] as const

/** The parsed filter, the same for all runs; several values of one key match any of them. */
export interface EventLine {
  readonly ops?: readonly Op[]
  readonly actions?: readonly string[]
  /** Device numbers `major,minor`, or names. */
  readonly devices?: readonly string[]
  readonly pids?: readonly number[]
  readonly processes?: readonly string[]
  readonly cpus?: readonly number[]
  /** Error numbers or names; `any` for all errors. */
  readonly errors?: readonly string[]
  readonly sectors?: readonly [number, number]
  /** Start and end of the time range, ns. */
  readonly times?: readonly [number, number]
  readonly text: readonly string[]
}

export interface ParsedEventLine {
  readonly line: EventLine
  /** One sentence per invalid word; invalid words do not filter. */
  readonly problems: readonly string[]
}

const KEYS = 'op, act, dev, pid, proc, cpu, error, sector and time'

/** Words of the line; `"…"` keeps spaces together, also after a colon. */
const wordsOf = (text: string): readonly string[] => text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []

/** [from, to) of `a..b`, `a..`, `..b` or a single value. */
function rangeOf(value: string, per: number): readonly [number, number] | undefined {
  const found = /^(\d+(?:\.\d+)?)?(\.\.)?(\d+(?:\.\d+)?)?$/.exec(value)
  if (!found) return undefined
  const [, a, dots, b] = found
  if (dots === undefined) return a === undefined || b !== undefined ? undefined : [Number(a) * per, Number(a) * per + 1]
  if (a === undefined && b === undefined) return undefined
  const range = [
    a === undefined ? 0 : Math.round(Number(a) * per),
    b === undefined ? Number.MAX_SAFE_INTEGER : Math.round(Number(b) * per),
  ] as const
  return range[0] < range[1] ? range : undefined
}

type ParsedWord = Partial<EventLine> | string

const numbers = (key: string, values: readonly string[], name: 'pids' | 'cpus'): ParsedWord =>
  values.every(x => /^\d{1,10}$/.test(x))
    ? { [name]: values.map(Number) }
    : `${key}: needs whole numbers, such as ${key}:0,1.`

/** The filter of one `key:value`, or why it is invalid. */
function parseWord(key: string, value: string): ParsedWord {
  const values = value.split(',').filter(x => x !== '')
  if (values.length === 0) return `${key}: needs a value.`
  switch (key) {
    case 'op': {
      const ops = values.map(x => OPS.find(op => op === x.toLowerCase()))
      return ops.every(op => op !== undefined) ? { ops } : `op: must be one of ${OPS.join(', ')}.`
    }
    case 'act':
    case 'action': {
      const actions = values.map(
        x => ACTIONS.find(a => a === x) ?? ACTIONS.find(a => a.toLowerCase() === x.toLowerCase()),
      )
      return actions.every(a => a !== undefined)
        ? { actions }
        : `act: must be one of ${ACTIONS.join(' ')} (m: message).`
    }
    case 'dev':
      // A device number contains a comma itself.
      return { devices: value.match(/\d+,\d+|[^,]+/g) ?? [] }
    case 'pid':
      return numbers('pid', values, 'pids')
    case 'cpu':
      return numbers('cpu', values, 'cpus')
    case 'proc':
    case 'process':
      return { processes: values }
    case 'err':
    case 'error':
      return values.every(x => /^(any|e[a-z]+|\d{1,5})$/i.test(x))
        ? { errors: values }
        : 'error: needs an errno or its name, such as error:EIO, or error:any.'
    case 'sector':
    case 'lba': {
      const sectors = rangeOf(value, 1)
      return sectors && Number.isInteger(sectors[0])
        ? { sectors }
        : 'sector: needs a sector or a range, such as sector:1000..2000.'
    }
    case 'time':
    case 't': {
      const times = rangeOf(value, 1e9)
      return times ? { times } : 'time: needs seconds, such as time:1.5..2.'
    }
    case 'lat':
    case 'size':
      return `${key}: is a property of requests; events are filtered by ${KEYS}.`
    default:
      return `${key}: unknown key. Use ${KEYS}.`
  }
}

export function readLine(input: string): ParsedEventLine {
  const problems: string[] = []
  const text: string[] = []
  let line: Omit<EventLine, 'text'> = {}
  for (const word of wordsOf(input)) {
    const [, key, value = ''] = /^([a-z]+):(?!\/)(.*)$/i.exec(word) ?? []
    if (key === undefined) {
      text.push(word.replaceAll('"', ''))
      continue
    }
    const parsed = parseWord(key.toLowerCase(), value.replaceAll('"', ''))
    if (typeof parsed === 'string') problems.push(parsed)
    else line = { ...line, ...parsed }
  }
  return { line: { ...line, text: text.filter(x => x !== '') }, problems }
}

/**
 * The filter line and the rail's checkboxes as a filter on one run's events. The rail's device and latency filter
 * requests and do not apply to events; nor do its files and structures, since events have no owner.
 */
export function eventFilterOf(run: Run, view: View, line: EventLine): EventFilter {
  const { hidden } = view
  const processes = run.info?.processes ?? []
  const { pids, processes: names, devices } = line
  const hideProcesses = processes.filter(p => hidden.processes.includes(processKey(p))).map(p => p.index)
  const indices =
    (pids ?? names) &&
    processes
      .filter(p => (pids === undefined || pids.includes(p.pid)) && (names === undefined || names.includes(p.name)))
      .map(p => p.index)
  const isNamed = (dev: string, name: string) =>
    devices?.some(d => d === dev || d === name || d === run.deviceNames?.[dev])
  return {
    ...(line.ops && { ops: line.ops }),
    ...(line.actions && { actions: line.actions }),
    ...(devices && { devices: (run.info?.devices ?? []).filter(d => isNamed(d.dev, d.name)).map(d => d.index) }),
    ...(indices && { processes: indices }),
    ...(line.cpus && { cpus: line.cpus }),
    ...(line.errors && { errors: line.errors }),
    ...(line.sectors && { lba: [sector(line.sectors[0]), sector(line.sectors[1])] as const }),
    ...(line.times && { range: { t0: ns(line.times[0]), t1: ns(line.times[1]) } }),
    ...(line.text.length > 0 && { text: line.text }),
    ...(hidden.ops.length > 0 && { hideOps: hidden.ops }),
    ...(hidden.flags.length > 0 && { hideFlags: hidden.flags }),
    ...(hideProcesses.length > 0 && { hideProcesses }),
    ...(hidden.cpus.length > 0 && { hideCpus: hidden.cpus }),
  }
}
