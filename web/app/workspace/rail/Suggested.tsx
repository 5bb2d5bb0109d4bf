import { count, sectorSize, share } from '../../../lib/format'
import { describeStart, LEVEL_NAMES } from '../../../lib/geometry'
import type { Suggestion } from './suggestion'

/** Where a suggestion comes from: `Detected in the trace`, `From mdstat.txt`. */
export const sourceWords = ({ source }: Suggestion): string =>
  source.kind === 'trace' ? 'Detected in the trace' : `From ${source.file.slice(source.file.lastIndexOf('/') + 1)}`

/** The suggestion in one or two sentences. */
export function Suggested({ suggestion }: { suggestion: Suggestion }) {
  const { source, letter, unit, start, dataDisks, level } = suggestion
  if (source.kind === 'trace') {
    return (
      <p>
        Run {letter}: {share(source.agreement)} of the split points of large writes fit a stripe unit of{' '}
        {sectorSize(unit)}
        {start > 0 &&
          `, offset ${describeStart(start)}. If a partition starts there, the offset is the misalignment: keep Start at 0 to see it`}
        .
      </p>
    )
  }
  const words = [
    level && LEVEL_NAMES[level],
    `unit ${sectorSize(unit)}`,
    dataDisks !== undefined && `${dataDisks} data ${dataDisks === 1 ? 'disk' : 'disks'}`,
  ]
  return (
    <p>
      {source.array ?? 'The array'} of run {letter}: {words.filter(Boolean).join(', ')}.
      {source.unalignedPart &&
        ` ${source.unalignedPart.name} starts at sector ${count(source.unalignedPart.start)}, not on a stripe-unit boundary. Keep Start at 0 to see the effect.`}
    </p>
  )
}
