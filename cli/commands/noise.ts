import { readGeometry, readInputs } from '../program/values'
import type { CommandDefinition } from './shared/definition'
import { READING } from './shared/options'

export const noise: CommandDefinition = {
  group: 'Figures',
  summary: 'Measure what repeated runs differ by',
  about: [
    'Traces in directories that differ only in the number of a repeat (dd/r1, dd/r2; 6.1-run1, 6.1-run2; dd/1, ' +
      'dd/2) are repeated runs of one measurement. Prints for each figure, for runs that read and for runs that ' +
      'write, the standard deviation between repeats and the difference below which 95% of all pairs are. A ' +
      'figure needs 20 pairs: seven measurements with three repeats each, for example.',
    'compare --noise uses the document of --json in place of the table that comes with Seekscope.',
  ],
  operands: 'paths',
  options: ['json', 'stripe', ...READING],
  examples: ['noise repeats/', 'noise --json repeats/ > noise.json'],
  async run(call) {
    const { values } = call
    const inputs = readInputs(call)
    await (await import('../output/comparison/noise')).noise(inputs, {
      json: values.json ?? false,
      ...readGeometry(values),
    })
  },
}
