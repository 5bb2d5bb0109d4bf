import type { OptionValues } from '../program/options'
import { UsageError } from '../program/usage'
import { readRange } from '../program/values'
import type { CommandDefinition } from './shared/definition'

export const open: CommandDefinition = {
  group: 'Sharing',
  summary: 'Open traces in the browser, served on 127.0.0.1',
  about: [
    'Serves the page and these traces to this machine only, until Ctrl-C. Each directory and base name is ' +
      'opened separately, in the order given; files that are named one by one are opened together. Tables of ' +
      'digests open as a fleet, and what bisect --report --json prints as its page.',
    'What blktrace writes to standard input or a FIFO is shown while it is written; with --follow, files in a ' +
      'directory too.',
  ],
  operands: 'paths',
  options: ['range', 'follow', 'port', 'no-browser'],
  examples: [
    'open before after',
    'open --range 10:20 before after',
    'open -',
    'open --follow recording/',
    'open bisection.json',
  ],
  async run({ operands, values }) {
    const options = {
      port: readPort(values),
      follow: values.follow ?? false,
      browser: !values['no-browser'],
      ...readRange(values),
    }
    await (await import('../sharing/open')).open(operands, options)
  },
}

/** Reads `--port`; 0: any free port. */
export function readPort({ port = '0' }: OptionValues): number {
  if (!/^\d+$/.test(port) || Number(port) > 65535)
    throw new UsageError(`--port: ${port} is not a port number, 0 to 65535`)
  return Number(port)
}
