import type { OptionValues } from '../../program/options'
import { UsageError } from '../../program/usage'
import { readInputs } from '../../program/values'
import { readPort } from '../open'
import type { CommandDefinition } from '../shared/definition'
import { READING } from '../shared/options'

export const serve: CommandDefinition = {
  group: 'For scripts',
  summary: 'Read traces once and answer queries about them, on 127.0.0.1',
  about: [
    'Prints a line of JSON with the URL once it answers. The URL has a secret, and is for this machine only. ' +
      'GET lists the traces and the queries with their schemas; POST of {"trace": 0, "kind": "summary", "query": ' +
      '{}} answers one as JSON, and so does GET of KIND?trace=0&query={} below the URL. Queries are those of the ' +
      'page.',
    'Ends with Ctrl-C, or after --idle seconds without a request.',
  ],
  operands: 'paths',
  options: ['port', 'idle', ...READING],
  examples: ['serve before after', 'serve --idle 600 --port 8080 before'],
  async run(call) {
    const inputs = readInputs(call)
    const options = { port: readPort(call.values), idleMs: readIdle(call.values) }
    await (await import('../../serving/serve')).serveTraces(inputs, options)
  },
}

/** More than a timer can wait for would be none. */
const MAX_IDLE_SECONDS = 86_400 * 7

/** Reads `--idle`, as ms; absent: never. */
function readIdle({ idle = '3600' }: OptionValues): number | undefined {
  const seconds = /^\d+(\.\d+)?$/.test(idle) ? Number(idle) : Number.NaN
  if (!(seconds <= MAX_IDLE_SECONDS))
    throw new UsageError(`--idle: ${idle} is not a number of seconds, 0 to ${MAX_IDLE_SECONDS}`)
  return seconds === 0 ? undefined : Math.max(1, seconds * 1000)
}
