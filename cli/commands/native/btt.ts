import { readInputs } from '../../program/values'
import type { CommandDefinition } from '../shared/definition'
import { READING } from '../shared/options'

export const btt: CommandDefinition = {
  group: 'Native formats',
  summary: 'Print the tables of btt',
  about: [],
  operands: 'paths',
  options: ['all', ...READING],
  examples: ['btt before', 'btt -A before'],
  async run(call) {
    await (await import('../../output/figures/figures')).btt(readInputs(call), call.values.all ?? false)
  },
}
