import type { ReplayOptions } from '../../output/requests/replay'
import type { OptionValues } from '../../program/options'
import { UsageError } from '../../program/usage'
import { exclude, put, readInputs } from '../../program/values'
import type { CommandDefinition } from '../shared/definition'
import { READING } from '../shared/options'

export const replay: CommandDefinition = {
  group: 'Native formats',
  summary: 'Write the requests of a trace for replay with fio',
  about: [
    'Writes a fio iolog (FILE.fio or standard output), or a dump of version 7 that blkparse, btt and fio read ' +
      '(FILE.bin), of all CPUs in one file. Requests are written as the driver got them, in the order of issue ' +
      '(D), or of queueing (Q) where no issues were recorded. fio replays them at their times with ' +
      '--read_iolog=FILE.fio; it overwrites the disk.',
    'An iolog of version 2 waits until times in ms, so that delays of fio do not add up. With --iolog 3, times ' +
      'have 1 us, but fio falls behind with each request.',
    'With --closed-loop, each process has a job of its own (-o FOLDER with replay.fio and an iolog per ' +
      'process): a request is issued when earlier ones of its process have completed, with the depth of the ' +
      'process and its mean think time. On a faster device such a replay is faster, as the program would be.',
    'With --check, the first PATH is the original and the second one the recording of its replay: the verdict ' +
      'says whether the replay repeated the same requests, at their times, in their order and at the same depth.',
    'An iolog has no FUA and no priorities: a write with FUA is a write. Commands passed through to the device ' +
      'are left out and counted on standard error.',
  ],
  operands: 'paths',
  options: [
    ['output', 'write FILE.fio or FILE.bin'],
    ['device', 'only device vda or 254,0 (default: all disks of the trace)'],
    'filename',
    'iolog',
    'check',
    'closed-loop',
    ['json', 'print the answer of --check as JSON'],
    ...READING,
  ],
  examples: [
    'replay before -o before.fio',
    'replay before --filename /dev/nullb0 -o before.fio',
    'replay before -o before.bin',
    'replay --closed-loop --filename /dev/nullb0 -o jobs before',
    'replay --check before replayed',
  ],
  async run(call) {
    const { values } = call
    if (values.check) {
      for (const option of ['output', 'filename', 'iolog', 'closed-loop'] as const) exclude(values, 'check', option)
      const { checkReplay } = await import('../../output/requests/replayCheck')
      return checkReplay(readInputs(call), values.device, values.json ?? false)
    }
    if (values.json) throw new UsageError('--json needs --check')
    const inputs = readInputs(call)
    await (await import('../../output/requests/replay')).replay(inputs, readReplayOptions(values))
  },
}

function readReplayOptions(values: OptionValues): ReplayOptions {
  const { output, device, filename, iolog } = values
  const closed = values['closed-loop'] ?? false
  if (closed && output === undefined) throw new UsageError('--closed-loop needs -o FOLDER, a new folder')
  const dump = output !== undefined && /\.bin$/i.test(output)
  if (!closed && output !== undefined && !dump && !/\.fio$/i.test(output))
    throw new UsageError(`-o: ${output} must end in .fio or .bin`)
  if (filename !== undefined && /\s/.test(filename))
    throw new UsageError('--filename: fio cannot read a path with blanks from an iolog')
  if (iolog !== undefined && iolog !== '2' && iolog !== '3') throw new UsageError(`--iolog: ${iolog} is not 2 or 3`)
  if (iolog !== undefined && (closed || dump)) throw new UsageError('--iolog is for an iolog with times (FILE.fio)')
  return {
    format: closed ? 'closed-loop' : dump ? 'dump' : 'fio',
    ...put('output', output),
    timing: iolog === '3' ? 'delays' : 'waits',
    ...put('device', device),
    ...put('filename', filename),
  }
}
