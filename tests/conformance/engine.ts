/** What the command line prints for a folder of tests/fixtures. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SummaryDevice, SummaryTrace } from '../../web/engine/summary'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Of small recordings most of the time would go into optimising the WASM module, once per call. */
const QUICK = ['--liftoff-only']
export const FIXTURES = join(ROOT, 'tests/fixtures')

export const seekscope = (args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...QUICK, join(ROOT, 'cli/seekscope.mjs'), ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (status !== 0) throw new Error(`seekscope ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** All devices of all traces in a folder, by `major,minor`. */
export const devicesOf = (folder: string): ReadonlyMap<string, SummaryDevice> => {
  const { traces } = JSON.parse(seekscope(['summary', '--json', folder])) as { traces: SummaryTrace[] }
  return new Map(traces.flatMap(trace => trace.devices.map(device => [device.dev, device] as const)))
}
