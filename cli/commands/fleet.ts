import { UsageError } from '../program/usage'
import { readGeometry, readThreads, required } from '../program/values'
import type { CommandDefinition } from './shared/definition'

export const fleet: CommandDefinition = {
  group: 'Figures',
  summary: 'Write the digests of a folder of recordings, several at once',
  about: [
    'Each archive below FOLDER, and each folder with traces in it, is read by itself, with the texts in it. ' +
      'What could not be read is in FILE.errors.parquet, with its reason. With -o FOLDER/ there is a file per ' +
      'kernel and device, FOLDER/kernel=6.12/device=sda/part.parquet, which engines of tables read as one. A ' +
      'command that was stopped resumes where it was; recordings that have not changed since FILE was written (by ' +
      'their SHA-256) are not read again, and those that are gone leave it.',
  ],
  operands: 'folder',
  options: [
    ['output', 'write FILE.parquet, or FOLDER/ with a file per kernel and device'],
    'stripe',
    'no-limits',
    ['threads', 'read N recordings at once (default: the number of cores)'],
  ],
  required: ['output'],
  examples: ['fleet /srv/recordings -o fleet.parquet', 'fleet /srv/recordings -o fleet/'],
  async run({ operands, values }) {
    const { isFolderOutput } = await import('../fleet/results')
    const output = readTable(required('fleet', values.output, '-o FILE.parquet'), isFolderOutput)
    const options = { limited: !values['no-limits'], ...readGeometry(values), ...readThreads(values), output }
    await (await import('../fleet/fleet')).fleet(operands[0] ?? '', options)
  },
}

/** A table, or a folder: by its name, or because there is one. */
function readTable(output: string, isFolder: (path: string) => boolean): string {
  if (!/\.parquet$/i.test(output) && !isFolder(output))
    throw new UsageError(`-o: ${output} must end in .parquet, or in / for a folder of tables`)
  return output
}
