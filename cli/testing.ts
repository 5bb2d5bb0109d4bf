/** For tests: runs the built command line. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect } from 'vitest'
import type { SummaryTrace } from '../web/engine/summary'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
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

const text = async (stream: NodeJS.ReadableStream): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

/**
 * Runs in the project's folder. Several may run at once. Each is a thread, in which all share the compiled engine: a process takes
 * three times as long. Only a process has a standard input of its own.
 */
export async function run(args: readonly string[], { input, env, bundle = BUNDLE }: RunOptions = {}): Promise<Finished> {
  if (input) return runProcess(args, { input, bundle, ...(env && { env }) })
  const thread = new Worker(bundle, { argv: [...args], env: { ...process.env, ...env }, stdout: true, stderr: true })
  const ended = new Promise<number>((resolve, reject) => thread.on('error', reject).on('exit', resolve))
  const [stdout, stderr, status] = await Promise.all([text(thread.stdout), text(thread.stderr), ended])
  return { status, stdout, stderr }
}

/** The same as a process. */
async function runProcess(args: readonly string[], { input, env, bundle = BUNDLE }: RunOptions): Promise<Finished> {
  const child = spawn(process.execPath, [bundle, ...args], { cwd: ROOT, env: { ...process.env, ...env } })
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

export const devices = async (args: readonly string[], options?: RunOptions) => (await traces(args, options)).flatMap(trace => trace.devices)
