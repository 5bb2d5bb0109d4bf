import { readGeometry, readInputs, readRange } from '../program/values'
import type { CommandDefinition } from './shared/definition'
import { RANGE_OF_FIGURES, READING_COMPLETE } from './shared/options'

export const summary: CommandDefinition = {
  group: 'Figures',
  summary: 'Print figures per trace and device',
  about: [
    'Prints queue depth, starved time, latency per stage, request sizes, seeks, merges, flushes, alignment and ' +
      'the quality of each trace. Text rounds to three digits; --json has full precision.',
  ],
  operands: 'paths',
  options: ['json', 'together', 'stripe', RANGE_OF_FIGURES, 'sides', ...READING_COMPLETE],
  examples: [
    'summary before after',
    'summary --json --range 2:5 before',
    'summary --together host1 host2 host3',
    'summary --stripe unit=256KiB,disks=4,start=63s,level=raid5 before',
  ],
  async run(call) {
    const { values } = call
    const inputs = readInputs(call)
    const { json = false, together = false } = values
    const options = { json, together, ...readGeometry(values), ...readRange(values) }
    await (await import('../output/figures/figures')).summary(inputs, options)
  },
}
