/** Values of options as the commands take them. All throw UsageError. */
import * as v from 'valibot'
import type { Geometry, NoiseTable, SnapshotSize } from '../../web/engine/protocol'
import { type ExportFormat, FORMATS } from '../../web/export/file'
import { FINDING_CODES } from '../../web/lib/docs'
import type { FilmOrder } from '../../web/lib/filmOrder'
import { geometryProblem, parseGeometry } from '../../web/lib/geometry'
import { shellQuoted } from '../../web/lib/shell'
import { encodeLink } from '../../web/link/link'
import { LETTERS } from '../../web/link/view'
import type { InputFile } from '../input/inputs'
import { readPlainText } from '../input/plainFile'
import { systemWords } from '../input/system'
import { type CommandName, NAME } from './commands'
import { optionSpec } from './options'
import type { OptionValues } from './program'
import { UsageError } from './usage'

/** Which files to read, and how. */
export interface TraceInputs {
  readonly paths: readonly string[]
  /** Inputs that are open already, in place of the paths. */
  readonly given?: readonly InputFile[]
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

/** @param argv the arguments of the program. */
export const inputsGiven = (
  paths: readonly string[],
  values: OptionValues,
  argv: readonly string[] = [],
): TraceInputs => ({
  paths,
  limited: !values['no-limits'],
  ...rangeGiven(values),
  withRange: range => commandWithRange(argv, range),
  ...(values['format-string'] !== undefined && { pattern: values['format-string'] }),
  ...threadsGiven(values),
  ...sidesGiven(values),
  ...put('output', values.output ?? values.junit),
})

function sidesGiven({ sides }: OptionValues): { readonly sides?: string } {
  if (sides === undefined) return {}
  if (!/^(heading|file|folder|column:.+)$/.test(sides))
    throw new UsageError(`--sides: ${sides} is not heading, file, folder or column:NAME`)
  return { sides }
}

function threadsGiven({ threads }: OptionValues): { readonly threads?: number } {
  if (threads === undefined) return {}
  if (!/^[1-9]\d{0,2}$/.test(threads)) throw new UsageError(`--threads: ${threads} is not a number from 1 to 999`)
  return { threads: Number(threads) }
}

export function geometryGiven({ stripe }: OptionValues): { readonly geometry?: Geometry } {
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

export function rangeGiven({ range }: OptionValues): { readonly range?: TimeLimits } {
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
  readonly device?: string
  readonly geometry?: Geometry
}

export function arrangementGiven(values: OptionValues): RunArrangement {
  const { baseline = '1', device, label, group, ungrouped = false } = values
  if (!/^[1-9]\d*$/.test(baseline))
    throw new UsageError(`--baseline: ${baseline} is not the number of a run, 1 or more`)
  if (ungrouped && group) throw new UsageError('choose --group or --ungrouped')
  return {
    labels: label ?? [],
    groups: group ?? [],
    ungrouped,
    baseline: Number(baseline) - 1,
    ...(device !== undefined && { device }),
    ...geometryGiven(values),
  }
}

/** Throws unless the baseline is one of `runs` runs. */
export function checkBaseline({ baseline }: RunArrangement, runs: number): void {
  if (baseline >= runs) throw new UsageError(`--baseline: there is no run ${baseline + 1}, only ${runs}`)
}

/** What `top` prints, and how often. */
export function topGiven({ interval = '1', json, follow }: OptionValues): {
  readonly intervalNs: number
  readonly json: boolean
  readonly follow: boolean
} {
  const seconds = /^\d+(\.\d+)?$/.test(interval) ? Number(interval) : Number.NaN
  if (!(seconds >= 0.1 && seconds <= 3600))
    throw new UsageError(`--interval: ${interval} is not a number of seconds, 0.1 to 3600`)
  return { intervalNs: Math.round(seconds * 1e9), json: json ?? false, follow: follow ?? false }
}

/** 0: any free port. */
export function portGiven({ port = '0' }: OptionValues): number {
  if (!/^\d+$/.test(port) || Number(port) > 65535)
    throw new UsageError(`--port: ${port} is not a port number, 0 to 65535`)
  return Number(port)
}

/** Without a fragment. */
export function baseGiven({ base = '' }: OptionValues): string {
  if (base !== '' && !/^(https?|file):$/.test(URL.canParse(base) ? new URL(base).protocol : '')) {
    throw new UsageError(`--base: ${base} is not a URL with http, https or file`)
  }
  return base.replace(/#.*$/s, '')
}

export function sizeGiven({ size = 'S' }: OptionValues): Exclude<SnapshotSize, 'File'> {
  const known = (['XS', 'S', 'M', 'L'] as const).find(name => name === size)
  if (!known) throw new UsageError(`--size: ${size} is not one of ${optionSpec('size').choices?.join(', ')}`)
  return known
}

/** How a film is made. */
export interface MovieGiven {
  readonly format: Omit<FilmOrder, 'path'>
  readonly browser?: string
  /** More fields of the address, each after `&`. */
  readonly view: string
}

const listOf = (numbers: readonly number[]): string => `${numbers.slice(0, -1).join(', ')} or ${numbers.at(-1)}`

const within = (option: string, text: string, least: number, most: number): number => {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value < least || value > most)
    throw new UsageError(`--${option}: ${text} is not a number from ${least} to ${most}`)
  return value
}

/**
 * What a film has by its kind: the defaults, and the bounds of `--fps` and `--duration`. A GIF's frames last hundredths
 * of a second.
 */
const FILMS = {
  webm: { resolution: '1280x720', fps: '30', widest: 3840, highest: 2160, longest: 300 },
  gif: { resolution: '960x540', fps: '10', widest: 1920, highest: 1080, longest: 60 },
} as const
const GIF_RATES = [1, 2, 4, 5, 10, 20, 25, 50]

export function movieGiven(values: OptionValues): MovieGiven {
  const kind = (['webm', 'gif'] as const).find(name => values.output?.toLowerCase().endsWith(`.${name}`))
  if (!kind) throw new UsageError(`-o: ${values.output ?? ''} must end in .webm or .gif`)
  const film = FILMS[kind]
  const {
    resolution = film.resolution,
    fps = film.fps,
    duration = '25',
    browser,
    title,
    label = [],
    device,
    dark,
  } = values
  const sizes = /^(\d{3,4})x(\d{3,4})$/.exec(resolution)
  const [width, height] = [Number(sizes?.[1]), Number(sizes?.[2])]
  const fits = (px: number, least: number, most: number) => px >= least && px <= most && px % 2 === 0
  if (!fits(width, 640, film.widest) || !fits(height, 360, film.highest)) {
    throw new UsageError(
      `--resolution: ${resolution} is not WIDTHxHEIGHT with even numbers, 640x360 to ${film.widest}x${film.highest}`,
    )
  }
  const framesPerSecond = within('fps', fps, 1, 60)
  if (kind === 'gif' && !GIF_RATES.includes(framesPerSecond))
    throw new UsageError(`--fps: a GIF has ${listOf(GIF_RATES)} frames per second, not ${fps}`)
  const link = encodeLink({
    ...(title !== undefined && { title }),
    ...(label.length > 0 && { labels: Object.fromEntries(label.map((text, i) => [LETTERS[i] ?? '', text])) }),
    ...(device !== undefined && { device }),
    ...geometryGiven(values),
  })
  return {
    format: {
      kind,
      width,
      height,
      framesPerSecond,
      seconds: within('duration', duration, 1, film.longest),
      theme: dark ? 'dark' : 'light',
    },
    ...(browser !== undefined && { browser }),
    view: link.replace(/^v=\d+/, ''),
  }
}

export function requestFormat({ output }: OptionValues): ExportFormat {
  const format = output === undefined ? 'csv' : FORMATS.find(name => output.toLowerCase().endsWith(`.${name}`))
  if (!format) throw new UsageError(`-o: ${output} must end in .csv or .parquet`)
  return format
}

export function digestFormat({ output }: OptionValues): 'parquet' | 'jsonl' {
  const format =
    output === undefined
      ? 'jsonl'
      : (['parquet', 'jsonl'] as const).find(name => output.toLowerCase().endsWith(`.${name}`))
  if (!format) throw new UsageError(`-o: ${output} must end in .parquet or .jsonl`)
  return format
}

export const fleetGiven = (values: OptionValues) => ({
  limited: !values['no-limits'],
  ...geometryGiven(values),
  ...threadsGiven(values),
})

/** A table, or a folder: by its name, or because there is one. */
export function tableGiven(output: string, isFolder: (path: string) => boolean): string {
  if (!/\.parquet$/i.test(output) && !isFolder(output))
    throw new UsageError(`-o: ${output} must end in .parquet, or in / for a folder of tables`)
  return output
}

/** Files of digests to compare besides the paths. */
export function digestsGiven(
  paths: readonly string[],
  { digests, where }: OptionValues,
): { readonly digests?: { readonly files: readonly string[]; readonly where?: string } } {
  if (digests === undefined && paths.length === 0) throw new UsageError('missing PATH')
  if (digests === undefined && where !== undefined) throw new UsageError('--where needs --digests')
  return digests === undefined ? {} : { digests: { files: digests, ...put('where', where) } }
}

export interface ReplayOptions {
  readonly format: 'fio' | 'dump'
  readonly output?: string
  /** Name or number of the only device to write. */
  readonly device?: string
  /** Path of the device in the iolog. */
  readonly filename?: string
}

export function replayGiven({ output, device, filename }: OptionValues): ReplayOptions {
  const dump = output !== undefined && /\.bin$/i.test(output)
  if (output !== undefined && !dump && !/\.fio$/i.test(output))
    throw new UsageError(`-o: ${output} must end in .fio or .bin`)
  if (filename !== undefined && /\s/.test(filename))
    throw new UsageError('--filename: fio cannot read a path with blanks from an iolog')
  return {
    format: dump ? 'dump' : 'fio',
    ...put('output', output),
    ...put('device', device),
    ...put('filename', filename),
  }
}

const put = <K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string }

export interface ComparisonOutput {
  readonly format: 'text' | 'json' | 'markdown'
  /** Keys of the figures of the matrix, none: the main ones; absent: no matrix. */
  readonly matrix?: readonly string[]
  /** `slower` or codes of findings that make the comparison fail. */
  readonly failIf: readonly string[]
  /** File for JUnit XML. */
  readonly junit?: string
}

/** What `compare` prints and writes. */
export function comparingGiven(values: OptionValues): ComparisonOutput {
  exclude(values, 'text', 'json')
  exclude(values, 'text', 'markdown')
  exclude(values, 'json', 'markdown')
  const { json, markdown, matrix, figure, junit } = values
  if (figure && !matrix) throw new UsageError('--figure needs --matrix')
  if (matrix) for (const other of ['markdown', 'fail-if', 'junit'] as const) exclude(values, 'matrix', other)
  return {
    format: json ? 'json' : markdown ? 'markdown' : 'text',
    ...(matrix && { matrix: figure ?? [] }),
    failIf: failIfGiven(values),
    ...(junit !== undefined && { junit }),
  }
}

/** What makes a comparison fail. */
function failIfGiven({ 'fail-if': list }: OptionValues): readonly string[] {
  if (list === undefined) return []
  const names = list.split(',').map(name => name.trim())
  const known: readonly string[] = ['slower', ...FINDING_CODES]
  const odd = names.find(name => !known.includes(name))
  if (odd !== undefined) throw new UsageError(`--fail-if: unknown finding ${odd || "''"}; use ${known.join(', ')}`)
  return names
}

const NOISE_FIGURES = v.record(v.string(), v.object({ pairs: v.number(), sd: v.number(), p95: v.number() }))
const NOISE_TABLE = v.object({ schema: v.literal(1), reads: NOISE_FIGURES, writes: NOISE_FIGURES })

/** Far more than a table of all figures has. */
const MAX_NOISE_BYTES = 16 << 20

/** The table that `seekscope noise --json` printed. */
export function noiseGiven({ noise }: OptionValues): { readonly noise?: NoiseTable } {
  if (noise === undefined) return {}
  try {
    const table = v.safeParse(NOISE_TABLE, JSON.parse(readPlainText(noise, MAX_NOISE_BYTES, 'larger than 16 MiB')))
    if (table.success) return { noise: table.output }
  } catch (error) {
    throw new UsageError(`--noise: ${noise}: ${systemWords(error)}`)
  }
  throw new UsageError(`--noise: ${noise} is not a table of 'seekscope noise --json'`)
}

/** Throws when two options contradict each other. */
export function exclude(values: OptionValues, first: keyof OptionValues, second: keyof OptionValues): void {
  if (values[first] && values[second]) throw new UsageError(`choose --${first} or --${second}`)
}

export function required(command: CommandName, value: string | undefined, flag: string): string {
  if (value === undefined) throw new UsageError(`${command} needs ${flag}`)
  return value
}
