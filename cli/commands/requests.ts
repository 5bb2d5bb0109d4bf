import { type ExportFormat, FORMATS } from '../../web/export/file'
import type { OptionValues } from '../program/options'
import { UsageError } from '../program/usage'
import { put, readGeometry, readInputs, readRange } from '../program/values'
import type { CommandDefinition } from './shared/definition'
import { RANGE_OF_FIGURES, READING_COMPLETE } from './shared/options'

export const requests: CommandDefinition = {
  group: 'Figures',
  summary: 'Export requests as CSV or Parquet',
  about: ['Writes one row per request, all traces in one table. Without -o, CSV goes to standard output.'],
  operands: 'paths',
  options: [['output', 'write FILE.csv or FILE.parquet'], 'raw', 'stripe', RANGE_OF_FIGURES, ...READING_COMPLETE],
  examples: ['requests before after -o requests.parquet'],
  async run(call) {
    const { values } = call
    const inputs = readInputs(call)
    const options = {
      format: readFormat(values),
      raw: values.raw ?? false,
      ...readGeometry(values),
      ...readRange(values),
      ...put('output', values.output),
    }
    await (await import('../output/requests/requests')).requests(inputs, options)
  },
}

export function readFormat({ output }: OptionValues): ExportFormat {
  const format = output === undefined ? 'csv' : FORMATS.find(name => output.toLowerCase().endsWith(`.${name}`))
  if (!format) throw new UsageError(`-o: ${output} must end in .csv or .parquet`)
  return format
}
