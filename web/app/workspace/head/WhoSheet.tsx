/** Whose requests the shown finding concerns, and when. */
import { SortedColumn, useSorted } from '../../../charts/shared/table/SortedColumn'
import type { Finding, FindingShare } from '../../../engine/protocol'
import { share } from '../../../lib/format'
import type { CurrentComparison } from '../../../state/comparing/comparing'
import { sentenceText } from '../findings/findingWords'

const KINDS: Readonly<Record<FindingShare['kind'], string>> = {
  process: 'Process',
  cgroup: 'Control group',
  partition: 'Partition',
  object: 'File or structure',
}

/** What the shares of a finding are parts of, in words for a heading. */
const WHOLES: Readonly<Record<FindingShare['of'], string>> = {
  requests: 'share of the requests',
  bytes: 'share of the bytes',
  waiting: 'share of the time from Q to D',
  starved: 'share of the starved time',
  device: 'share of the time in the device',
  flushes: 'share of the flushes',
  throttled: 'share of the bios held back',
  failed: 'share of the failed requests',
  objects: 'share of the time in the device',
  writers: 'share of the bytes, also where a kernel thread wrote them back',
}

interface WhoSheetProps {
  readonly current: CurrentComparison
  readonly finding: Finding
}

export function WhoSheet({ current: { document }, finding: { who = [], focus } }: WhoSheetProps) {
  const groups = [...new Set(who.map(({ kind, of: whole }) => `${kind} ${whole}`))].map(name =>
    who.filter(({ kind, of: whole }) => `${kind} ${whole}` === name),
  )
  if (groups.length === 0)
    return <p className="panel-words">The shown finding concerns no process more than another.</p>
  return (
    <div className="who">
      {groups.map(group => (
        <WhoTable key={`${group[0]?.kind} ${group[0]?.of}`} group={group} />
      ))}
      {focus && <p className="who-when">{sentenceText(focus, '', document)}</p>}
    </div>
  )
}

type Who = NonNullable<Finding['who']>[number]

const rankOf = ({ name, share: part }: Who, column: number) => (column === 0 ? name : part)

/** The parts of one whole: they all have its kind. */
function WhoTable({ group }: { readonly group: readonly Who[] }) {
  const [rows, sorting] = useSorted(group, rankOf)
  const [first] = group
  if (!first) return undefined
  return (
    <table>
      <thead>
        <tr>
          <SortedColumn column={0} sorting={sorting} isText>
            {KINDS[first.kind]}
          </SortedColumn>
          <SortedColumn column={1} sorting={sorting}>
            {WHOLES[first.of]}
          </SortedColumn>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, share: part, of: whole }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <span className="who-bar" data-starved={whole === 'starved'} aria-hidden="true">
                <span style={{ width: `${Math.min(1, part) * 100}%` }} />
              </span>
              {share(part)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
