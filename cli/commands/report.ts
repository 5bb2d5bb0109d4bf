import { put, readInputs, required } from '../program/values'
import { readSharing } from './shared/contents'
import type { CommandDefinition } from './shared/definition'
import { COMPARING, READING } from './shared/options'

export const report: CommandDefinition = {
  group: 'Sharing',
  summary: 'Write a comparison as a single HTML file',
  about: [
    'The file contains the app, the aggregates of the traces and the findings as text. It opens in any browser ' +
      'without a network. A single trace works too.',
  ],
  operands: 'paths',
  options: [['output', 'write FILE.html'], 'title', 'names', 'files', 'annotate', ...COMPARING, ...READING],
  required: ['output'],
  examples: ["report before after -o comparison.html --title 'dd on four partitions'"],
  async run(call) {
    const { values } = call
    const inputs = readInputs(call)
    const output = required('report', values.output, '-o FILE.html')
    const options = { ...readSharing(values), output, ...put('title', values.title) }
    await (await import('../sharing/share')).report(inputs, options)
  },
}
