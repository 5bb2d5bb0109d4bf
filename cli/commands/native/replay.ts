import type { ReplayOptions } from '../../output/requests/replay'
import type { OptionValues } from '../../program/options'
import { UsageError } from '../../program/usage'
import { put, readInputs } from '../../program/values'
import type { CommandDefinition } from '../shared/definition'
import { READING } from '../shared/options'

export const replay: CommandDefinition = {
  group: 'Native formats',
  summary: 'Write the requests of a trace for replay with fio',
  about: [
    'Writes a fio iolog of version 3 (FILE.fio or standard output), or a dump of version 7 that blkparse, btt and fio read (FILE.bin), of all CPUs in one file. Requests are written as the driver got them, in the order of issue (D), or of queueing (Q) where no issues were recorded. fio replays them at their times with --read_iolog=FILE.fio; it overwrites the disk.',
    'An iolog has no FUA and no priorities: a write with FUA is a write. Commands passed through to the device are left out and counted on standard error.',
  ],
  operands: 'paths',
  options: [
    ['output', 'write FILE.fio or FILE.bin'],
    ['device', 'only device vda or 254,0 (default: all disks of the trace)'],
    'filename',
    ...READING,
  ],
  examples: [
    'replay before -o before.fio',
    'replay before --filename /dev/nullb0 -o before.fio',
    'replay before -o before.bin',
  ],
  async run(call) {
    const { values } = call
    const inputs = readInputs(call)
    await (await import('../../output/requests/replay')).replay(inputs, readReplayOptions(values))
  },
}

function readReplayOptions({ output, device, filename }: OptionValues): ReplayOptions {
  const dump = output !== undefined && /\.bin$/i.test(output)
  if (output !== undefined && !dump && !/\.fio$/i.test(output))
    throw new UsageError(`-o: ${output} must end in .fio or .bin`)
  if (filename !== undefined && /\s/.test(filename))
    throw new UsageError('--filename: fio cannot read a path with blanks from an iolog')
  return {
    format: dump ? 'dump' : 'fio',
    ...put('output', output),
    ...put('device', device),
    ...put('filename', filename),
  }
}
