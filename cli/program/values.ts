/** Values of options as the commands take them. All throw UsageError. */
import * as v from 'valibot'
import type { Geometry, NoiseTable } from '../../web/engine/protocol'
import { geometryProblem, parseGeometry } from '../../web/lib/geometry'
import { shellQuoted } from '../../web/lib/text/shell'
import type { InputFile } from '../input/find/inputs'
import { readPlainText } from '../input/find/plainFile'
import { systemWords } from '../input/find/system'
import { NAME } from './about'
import type { OptionValues } from './options'
import { UsageError } from './usage'

/** Which files to read, and how. */
export interface TraceInputs {
  readonly paths: readonly string[]
  /** Inputs that are open already, in place of the paths. */
  readonly openInputs?: readonly InputFile[]
  /** Archives are unpacked within limits. */
  readonly limited: boolean
  /** ExportFormat that `blkparse -f` used. */
  readonly pattern?: string
  /**
   * The part to read; of commands whose figures are of this range anyway, where the complete recording does not fit.
   */
  readonly range?: TimeLimits
  /** The complete recording is read where it fits: the figures are of the range. */
  readonly prefersComplete?: boolean
  /** Traces that are read; absent: all. */
  readonly most?: number
  /** Threads that read; absent: as many as there are cores, where that is worth it. */
  readonly threads?: number
  /** Bytes that a trace may take by its estimate; absent: what WebAssembly has. */
  readonly capacity?: number
  /** By what the sides of results without a trace are told apart; absent: as the texts show. */
  readonly sides?: string
  /** The file that the command writes: it must not be an input. */
  readonly output?: string
  /** The command with another range, for messages. */
  readonly withRange?: (range: string) => string
}

export const readInputs = ({
  operands: paths,
  values,
  argv,
}: {
  readonly operands: readonly string[]
  readonly values: OptionValues
  readonly argv: readonly string[]
}): TraceInputs => ({
  paths,
  limited: !values['no-limits'],
  ...readRange(values),
  withRange: range => commandWithRange(argv, range),
  ...(values['format-string'] !== undefined && { pattern: values['format-string'] }),
  ...readThreads(values),
  ...readSides(values),
  ...put('output', values.output ?? values.junit),
})

function readSides({ sides }: OptionValues): { readonly sides?: string } {
  if (sides === undefined) return {}
  if (!/^(heading|file|folder|column:.+)$/.test(sides))
    throw new UsageError(`--sides: ${sides} is not heading, file, folder or column:NAME`)
  return { sides }
}

export function readThreads({ threads }: OptionValues): { readonly threads?: number } {
  if (threads === undefined) return {}
  if (!/^[1-9]\d{0,2}$/.test(threads)) throw new UsageError(`--threads: ${threads} is not a number from 1 to 999`)
  return { threads: Number(threads) }
}

export function readGeometry({ stripe }: OptionValues): { readonly geometry?: Geometry } {
  if (stripe === undefined) return {}
  const geometry = parseGeometry(stripe)
  const problem = geometryProblem(stripe)
  if (problem !== undefined || geometry === undefined)
    throw new UsageError(`--stripe: ${problem ?? 'invalid geometry'}`)
  return { geometry }
}

/** ns; an open end is absent. */
export interface TimeLimits {
  readonly t0?: number
  readonly t1?: number
}

export function readRange({ range }: OptionValues): { readonly range?: TimeLimits } {
  if (range === undefined) return {}
  const match = /^(\d+(?:\.\d+)?)?:(\d+(?:\.\d+)?)?$/.exec(range)
  if (!match) throw new UsageError(`--range: ${range} is not T0:T1 in seconds`)
  const ns = (text: string | undefined) => (text === undefined ? undefined : Math.round(Number(text) * 1e9))
  const [t0, t1] = [ns(match[1]), ns(match[2])]
  if (t0 !== undefined && t1 !== undefined && t1 <= t0) throw new UsageError(`--range: ${range} is empty`)
  return { range: { ...(t0 !== undefined && { t0 }), ...(t1 !== undefined && { t1 }) } }
}

/** The same command for a shell, with this `--range`. */
function commandWithRange(argv: readonly string[], range: string): string {
  const [command = '', ...rest] = argv.filter((arg, i) => !arg.startsWith('--range') && argv[i - 1] !== '--range')
  return [NAME, command, '--range', range, ...rest.map(shellQuoted)].join(' ')
}

/** How runs are compared. */
export interface RunArrangement {
  readonly labels: readonly string[]
  readonly groups: readonly string[]
  /** No groups, neither noted ones nor those that names show. */
  readonly ungrouped: boolean
  /** From 0. */
  readonly baseline: number
  /** Whether the baseline was named, and is not the first run because none was. */
  readonly isBaselineChosen?: true
  readonly device?: string
  readonly geometry?: Geometry
}

export function readArrangement(values: OptionValues): RunArrangement {
  const { baseline = '1', device, label, group, ungrouped = false } = values
  if (!/^[1-9]\d*$/.test(baseline))
    throw new UsageError(`--baseline: ${baseline} is not the number of a run, 1 or more`)
  if (ungrouped && group) throw new UsageError('choose --group or --ungrouped')
  return {
    labels: label ?? [],
    groups: group ?? [],
    ungrouped,
    baseline: Number(baseline) - 1,
    ...(values.baseline !== undefined && { isBaselineChosen: true }),
    ...(device !== undefined && { device }),
    ...readGeometry(values),
  }
}

/** Throws unless the baseline is one of `runs` runs. */
export function checkBaseline({ baseline }: RunArrangement, runs: number): void {
  if (baseline >= runs) throw new UsageError(`--baseline: there is no run ${baseline + 1}, only ${runs}`)
}

/** A property, or none where the value is absent. */
export const put = <K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string }

/** Throws when two options contradict each other. */
export function exclude(values: OptionValues, first: keyof OptionValues, second: keyof OptionValues): void {
  if (values[first] && values[second]) throw new UsageError(`choose --${first} or --${second}`)
}

export function required(command: string, value: string | undefined, flag: string): string {
  if (value === undefined) throw new UsageError(`${command} needs ${flag}`)
  return value
}

const NOISE_FIGURES = v.record(v.string(), v.object({ pairs: v.number(), sd: v.number(), p95: v.number() }))
const NOISE_TABLE = v.object({ schema: v.literal(1), reads: NOISE_FIGURES, writes: NOISE_FIGURES })

/** Far more than a table of all figures has. */
const MAX_NOISE_BYTES = 16 << 20

/** The table that `seekscope noise --json` printed. */
export function readNoise({ noise }: OptionValues): { readonly noise?: NoiseTable } {
  if (noise === undefined) return {}
  try {
    const table = v.safeParse(NOISE_TABLE, JSON.parse(readPlainText(noise, MAX_NOISE_BYTES, 'larger than 16 MiB')))
    if (table.success) return { noise: table.output }
  } catch (error) {
    throw new UsageError(`--noise: ${noise}: ${systemWords(error)}`)
  }
  throw new UsageError(`--noise: ${noise} is not a table of 'seekscope noise --json'`)
}
