import type { OptionValues } from '../program/options'
import { UsageError } from '../program/usage'
import { readInputs } from '../program/values'
import type { CommandDefinition } from './shared/definition'

export const top: CommandDefinition = {
  group: 'Figures',
  summary: 'Show figures of the last second while blktrace is running',
  about: [
    'Follows a stream of blktrace (-, a FIFO, or a directory in which it writes) and shows per device and ' +
      'process what was completed in the last interval: IOPS, MB/s, requests in flight, starved time, latency and ' +
      'sizes. Keys: q quits, space pauses, i r w f l n sort.',
    'Where standard output is not a terminal, prints a line per device and interval. An interval is printed ' +
      'when its requests are completed, 2 s after its end at the latest; the column open counts those that are ' +
      'not.',
    'Of a recording that is complete, all intervals are printed.',
  ],
  operands: 'paths',
  options: [
    'interval',
    ['json', 'print a JSON document per device and interval, with its processes'],
    ['follow', 'wait for more in a directory, also if nothing was written in the last 10 s'],
  ],
  examples: ['top - < fifo', 'top --interval 5 --json /var/log/blktrace'],
  async run(call) {
    const { values } = call
    const inputs = readInputs(call)
    await (await import('../live/top')).top(inputs, readTopOptions(values))
  },
}

/** Reads the options of `top`. */
function readTopOptions({ interval = '1', json, follow }: OptionValues): {
  readonly intervalNs: number
  readonly json: boolean
  readonly follow: boolean
} {
  const seconds = /^\d+(\.\d+)?$/.test(interval) ? Number(interval) : Number.NaN
  if (!(seconds >= 0.1 && seconds <= 3600))
    throw new UsageError(`--interval: ${interval} is not a number of seconds, 0.1 to 3600`)
  return { intervalNs: Math.round(seconds * 1e9), json: json ?? false, follow: follow ?? false }
}
