/** For tests: runs the built command line. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

/** Runs in the project's folder. Several may run at once. */
export function run(args: readonly string[], { input, env, bundle = BUNDLE }: RunOptions = {}): Promise<Finished> {
  const child = spawn(process.execPath, [bundle, ...args], { cwd: ROOT, env: { ...process.env, ...env } })
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', piece => out.push(piece))
  child.stderr.on('data', piece => err.push(piece))
  // A program that ends before it has read everything is no failure of the test.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', status => resolve({ status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }))
  })
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
