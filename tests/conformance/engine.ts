/** What the command line prints for a folder of tests/fixtures. */
import { run } from '../../cli/testing/run'
import type { SummaryDevice, SummaryTrace } from '../../web/engine/summary'

export { FIXTURES } from '../../cli/testing/run'

/** Runs the command and returns its output; throws its messages if it fails. */
export async function runSeekscope(args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(args)
  if (status !== 0) throw new Error(`seekscope ${args.join(' ')}: ${stderr}`)
  return stdout
}

export const summary = async (args: readonly string[]) =>
  (JSON.parse(await runSeekscope(['summary', '--json', ...args])) as { traces: SummaryTrace[] }).traces

/** All devices of all traces in a folder, by `major,minor`. */
export async function devicesOf(folder: string): Promise<ReadonlyMap<string, SummaryDevice>> {
  const traces = await summary([folder])
  return new Map(traces.flatMap(trace => trace.devices.map(device => [device.dev, device] as const)))
}
