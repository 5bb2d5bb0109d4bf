/** For tests: runs the command line. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import type { SummaryTrace } from '../../web/engine/summary'
import { packageFile } from '../places'
import { execute } from '../program/execute'

export const ROOT = fileURLToPath(packageFile(''))
export const FIXTURES = join(ROOT, 'tests/fixtures')
export const BUNDLE = join(ROOT, 'dist-cli/seekscope.mjs')

export interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `bundle`: another copy of the program. */
export interface RunOptions {
  readonly input?: Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly bundle?: string
}

/** One command at a time has the streams and the exit status of this process. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs in the project's folder: in this process, where the engine is compiled once, or as a process of its own where
 * standard input, the environment or another copy of the program is asked for.
 */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  if (Object.keys(options).length > 0) return runProcess(args, options)
  const finished = last.then(() => runHere(args))
  last = finished.catch(() => undefined)
  return finished
}

async function runHere(args: readonly string[]): Promise<Finished> {
  const [out, err]: [Uint8Array[], Uint8Array[]] = [[], []]
  /** `write` of a stream that keeps what it is given. */
  const into =
    (pieces: Uint8Array[]) =>
    (piece: string | Uint8Array, ...[done]: unknown[]): boolean => {
      pieces.push(Buffer.from(piece))
      if (typeof done === 'function') done()
      return true
    }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into(out)),
    vi.spyOn(process.stderr, 'write').mockImplementation(into(err)),
  ]
  const before = process.exitCode
  process.exitCode = 0
  try {
    await execute(args)
    return {
      status: Number(process.exitCode),
      stdout: Buffer.concat(out).toString(),
      stderr: Buffer.concat(err).toString(),
    }
  } finally {
    process.exitCode = before
    for (const spy of spies) spy.mockRestore()
  }
}

/** Runs a command line of bash in which `seekscope` is the built program. */
export function shell(command: string, env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return finished(
    spawn('bash', ['-c', `seekscope() { "$NODE" "$BUNDLE" "$@"; }\n${command}`], {
      cwd: ROOT,
      env: { ...process.env, ...env, NODE: process.execPath, BUNDLE },
    }),
  )
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

export function runProcess(
  args: readonly string[],
  { input, env, bundle = BUNDLE }: RunOptions = {},
): Promise<Finished> {
  return finished(spawn(process.execPath, [bundle, ...args], { cwd: ROOT, env: { ...process.env, ...env } }), input)
}

async function finished(child: ChildProcessWithoutNullStreams, input?: Uint8Array): Promise<Finished> {
  // A program that ends before it has read everything is no failure of the test.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status, stdout, stderr }
}

/** Traces of `summary --json`, of which nothing is reported. */
export async function traces(args: readonly string[], options?: RunOptions): Promise<readonly SummaryTrace[]> {
  const { status, stdout, stderr } = await run(['summary', '--json', ...args], options)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const document = JSON.parse(stdout) as { readonly schema: number; readonly traces: readonly SummaryTrace[] }
  expect(document.schema).toBe(1)
  return document.traces
}

export const devices = async (args: readonly string[], options?: RunOptions) =>
  (await traces(args, options)).flatMap(trace => trace.devices)
