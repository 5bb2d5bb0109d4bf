/** The rule that inputs of a door obey, and what is tried to break it. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { costOf, type Finished, sizesBelow } from './cost'

/** What a file counts at least, in bytes: it is opened, sorted, and perhaps a trace of its own. */
const MIN_FILE_BYTES = 16 << 10

/** What the yardstick takes of a processor on the machine that the seconds of the rules are for. */
export const YARDSTICK_SECONDS = 0.3

/**
 * N MB of input take at most `seconds + secondsPerMB * N` of a processor, and `mb + mbPerMB * N` of memory. A machine
 * that is slower than that of the rules, or slowed by other work, may take as many times as long.
 */
export interface Rule {
  readonly seconds: number
  readonly secondsPerMB: number
  readonly mb: number
  readonly mbPerMB: number
}

type WorstFiles = Iterable<readonly [path: string, content: Uint8Array | string]>

export interface WorstCase {
  readonly name: string
  /** Paths below a folder, and contents; `scale` times the least size. */
  files(scale: number): WorstFiles | Promise<WorstFiles>
  /** Sizes of the files in archives: they count as input, and the limits of archives bound them. */
  unpacked?(scale: number): readonly number[]
  /** `npm test` tries it, too: it once broke the rule, or is the heaviest of its door. */
  readonly always?: true
  /** The command that gets the folder; absent: `summary --json`. */
  readonly command?: readonly string[]
  /** A module of Node that gets it instead of the command line. */
  readonly module?: string
}

export const always = (worst: WorstCase): WorstCase => ({ ...worst, always: true })

/** A case that was measured. */
export interface Measured extends Finished {
  /** Input, MB. */
  readonly input: number
  /** Peak memory, MB. */
  readonly mb: number
  /** How many times as long as the machine of the rules this one takes just now; at least 1. */
  readonly slowness: number
}

const MB = 1e6

/** Runs a case as a process of its own. */
export async function measure(
  { files, unpacked, command = ['summary', '--json'], module = 'dist-cli/seekscope.mjs' }: WorstCase,
  scale: number,
  killAfterMs = 600_000,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-limits-'))
  try {
    for (const [path, content] of await files(scale)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
      // `top` follows what was written just now.
      utimesSync(join(folder, path), 0, 0)
    }
    const sizes = [...sizesBelow(folder), ...(unpacked?.(scale) ?? [])]
    const input = sizes.reduce((sum, size) => sum + Math.max(size, MIN_FILE_BYTES), 0) / MB
    const yardstick = await costOf('bench/limits/yardstick.mjs', [], killAfterMs)
    // Its cost would be infinite, and anything allowed.
    if (yardstick.status !== 0) throw new Error(`the yardstick failed: ${yardstick.stderr}`)
    const finished = await costOf(module, [...command, folder], killAfterMs)
    const slowness = Math.max(1, yardstick.seconds / YARDSTICK_SECONDS)
    return { ...finished, input, mb: finished.peak / MB, slowness }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What a rule allows to what was measured. */
export const allowed = (
  rule: Rule,
  { input, slowness }: Measured,
): { readonly seconds: number; readonly mb: number } => ({
  seconds: (rule.seconds + rule.secondsPerMB * input) * slowness,
  mb: rule.mb + rule.mbPerMB * input,
})
