import { sectorSize, share } from '../../lib/format'
import { describeStart, LEVEL_NAMES } from '../../lib/geometry'
import type { Suggestion } from './suggestion'

/** Where a suggestion comes from: `Seen in the trace`, `From mdstat.txt`. */
export const suggestedBy = ({ by }: Suggestion): string =>
  by.kind === 'trace' ? 'Seen in the trace' : `From ${by.file.slice(by.file.lastIndexOf('/') + 1)}`

/** What was seen or described, in a sentence or two. */
export function Suggested({ suggestion }: { suggestion: Suggestion }) {
  const { by, letter, unit, start, dataDisks, level } = suggestion
  if (by.kind === 'trace') {
    return (
      <p>
        In run {letter}, {share(by.agreement)} of the places where large writes are cut fit a unit of {sectorSize(unit)}
        {start > 0 &&
          `, ${describeStart(start)} past the start. Where that is where a partition begins, the offset is the fault: leave it 0 to see it`}
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
      {by.array ?? 'The array'} of run {letter}: {words.filter(Boolean).join(', ')}.
      {by.off &&
        ` ${by.off.name} begins at sector ${by.off.start.toLocaleString('en-US')}, which is not where a unit begins: leave the start 0 to see what that does.`}
    </p>
  )
}
