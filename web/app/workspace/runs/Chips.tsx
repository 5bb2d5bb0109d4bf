import { MAX_COLUMNS } from '../../../charts/shared/answers/shown'
import { runToken } from '../../../charts/shared/paint/palette'
import type { Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { Chip } from './Chip'
import { shortNames } from './shortNames'
import { useChipDrag } from './useChipDrag'

/** Whether the charts have a column for a run: hidden runs and failed runs without data have none. */
const hasColumn = (run: Run): boolean => !run.hidden && (run.status.kind !== 'failed' || run.info !== undefined)

/** The runs as column heads, always visible. Those that do not fit side by side wrap to more rows. */
export function Chips() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const drag = useChipDrag(actions.move)
  const heads = runs.filter(hasColumn)
  const columns = Math.max(1, heads.length)
  const sides = sidesOf(heads)
  const names = shortNames(heads.map(({ label }) => label))
  return (
    <nav className="chips-bar" aria-label="Runs" data-dragging={drag.dragged !== undefined}>
      <ul
        className="chips"
        data-columns={columns}
        data-many={heads.length > MAX_COLUMNS}
        {...(sides && { 'data-sides': sides.length })}
        style={{ '--columns': columns, '--sides': sides?.length } as React.CSSProperties}
      >
        {heads.map((run, i) => (
          <Chip
            key={run.id}
            run={run}
            place={runs.indexOf(run)}
            runs={runs.length}
            drag={drag}
            name={names?.[i]}
            group={groupOf(runs, run, heads[i - 1])}
            side={sides?.indexOf(sideOf(run))}
          />
        ))}
      </ul>
      <RunsAside />
    </nav>
  )
}

const sideOf = ({ group, id }: Run): string => group ?? id

/** The sides of groups, each of which has a column as in the charts; `undefined` where runs have one each. */
function sidesOf(heads: readonly Run[]): readonly string[] | undefined {
  const sides = [...new Set(heads.map(sideOf))]
  return sides.length > 1 && sides.length < heads.length && sides.length <= MAX_COLUMNS ? sides : undefined
}

/** The colour of a group is that of its first run. */
function groupOf(runs: readonly Run[], run: Run, before: Run | undefined) {
  const first = run.group === undefined ? undefined : runs.find(r => r.group === run.group)
  return first && { colour: `var(--${runToken(first.letter)})`, goesOn: before?.group === run.group }
}

/** Hidden and failed runs: a badge to show the run again, or its error. */
export function RunsAside() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const aside = runs.filter(r => !hasColumn(r))
  if (aside.length === 0) return undefined
  return (
    <ul className="runs-aside" aria-label="Hidden and failed runs">
      {aside.map(({ id, letter, label, status, hidden }) => (
        <li key={id} data-run={letter}>
          {status.kind === 'failed' ? (
            <button
              type="button"
              className="badge failed"
              aria-label={`${letter}: show why ${label} failed`}
              title={`Cannot read ${label}`}
              onClick={() =>
                actions.show({ kind: 'errors', title: `Cannot read ${label}`, errors: [status.error], run: id })
              }
            >
              {letter}!
            </button>
          ) : (
            <button
              type="button"
              className="badge off"
              aria-pressed={!hidden}
              aria-label={`${letter}: show ${label}`}
              title={`Show ${label}`}
              onClick={() => actions.toggle(id)}
            >
              {letter}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
