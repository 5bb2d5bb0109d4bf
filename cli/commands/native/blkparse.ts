import { exclude, readInputs } from '../../program/values'
import type { CommandDefinition } from '../shared/definition'
import { READING } from '../shared/options'

export const blkparse: CommandDefinition = {
  group: 'Native formats',
  summary: 'Print events as blkparse -i does',
  about: [],
  operands: 'paths',
  options: ['summary-only', 'messages', ...READING],
  examples: ['blkparse before | less', 'blkparse --summary-only before'],
  async run(call) {
    const { values } = call
    const inputs = readInputs(call)
    exclude(values, 'summary-only', 'messages')
    const options = { summaryOnly: values['summary-only'] ?? false, messages: values.messages ?? false }
    await (await import('../../output/figures/figures')).blkparse(inputs, options)
  },
}
