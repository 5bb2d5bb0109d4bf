import type { OptionValues } from '../program/options'
import { UsageError } from '../program/usage'
import { put, readGeometry, readInputs } from '../program/values'
import type { CommandDefinition } from './shared/definition'
import { READING } from './shared/options'

export const digest: CommandDefinition = {
  group: 'Figures',
  summary: 'Write all that a comparison needs of each run as a table',
  about: [
    'Writes one row per run and device: labels, settings, quality, all figures with intervals and over time, ' +
      'and the digest, from which compare --digests gives the same answer as from the traces. Without -o, JSON ' +
      'lines go to standard output.',
  ],
  operands: 'paths',
  options: [['output', 'write FILE.parquet or FILE.jsonl'], 'stripe', ...READING],
  examples: ['digest 6.1/ 6.12/ -o digests.parquet', 'digest - < run.tar.gz'],
  async run(call) {
    const { values } = call
    const inputs = readInputs(call)
    const options = { format: readFormat(values), ...readGeometry(values), ...put('output', values.output) }
    await (await import('../fleet/digest')).digest(inputs, options)
  },
}

function readFormat({ output }: OptionValues): 'parquet' | 'jsonl' {
  const format =
    output === undefined
      ? 'jsonl'
      : (['parquet', 'jsonl'] as const).find(name => output.toLowerCase().endsWith(`.${name}`))
  if (!format) throw new UsageError(`-o: ${output} must end in .parquet or .jsonl`)
  return format
}
