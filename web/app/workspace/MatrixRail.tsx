/** Which label dimensions are rows and columns, and the base of changes. */
import { type MatrixAxes, type MatrixAxis, withAxis } from '../../compare/layout'
import { nameOf } from '../../compare/matrixText'
import { useArrangement } from '../../compare/useMatrix'
import { useActions, usePage } from '../context'

const PLACES = [
  ['rows', 'rows'],
  ['columns', 'columns'],
  ['averaged', 'averaged'],
] as const satisfies readonly (readonly [keyof MatrixAxes, string])[]

const NOTHING = {}
const NONE = 'none'

export function MatrixRail() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const labels = usePage(p => p.labels)
  const layout = usePage(p => p.view.matrix) ?? NOTHING
  const { axes, arrangement, base, read } = useArrangement({ runs, labels, layout })
  const lines = [
    ['row', 'rows', arrangement.rows, axes.rows],
    ['column', 'columns', arrangement.columns, axes.columns],
  ] as const
  const place = (axis: MatrixAxis) => PLACES.find(([key]) => axes[key].includes(axis))?.[0] ?? 'averaged'
  const all = [...axes.rows, ...axes.columns, ...axes.averaged]
  const chosen = base ? `${base.axis}:${base.key}` : NONE
  return (
    <div className="rail-inside matrix-rail">
      <fieldset>
        <legend>Label dimensions</legend>
        {[...labels.parts, ...all.filter(axis => axis.key === 'label')].map(axis => (
          <label key={axis.key} className="matrix-part">
            <span>{axis.name}</span>
            <select
              className="field"
              value={place(all.find(other => other.key === axis.key) ?? axis)}
              onChange={event => actions.setMatrix(withAxis(axes, axis.key, event.target.value as keyof MatrixAxes))}
            >
              {PLACES.map(([key, name]) => (
                <option key={key} value={key}>
                  {axis.key === 'label' && key === 'averaged' ? 'left out' : name}
                </option>
              ))}
            </select>
          </label>
        ))}
        <p className="caption">Runs that differ only in averaged dimensions share a cell.</p>
        <button type="button" className="button" onClick={() => actions.show({ kind: 'labels' })}>
          Edit labels
        </button>
      </fieldset>
      <fieldset>
        <legend>Base</legend>
        <select
          className="field"
          aria-label="Base of changes"
          value={chosen}
          onChange={event => {
            const value = event.target.value
            const [axis, ...key] = value.split(':')
            actions.setMatrix({ base: value === NONE ? NONE : { axis: axis === 'row' ? 'row' : 'column', key: key.join(':') } })
          }}
        >
          <option value={NONE}>no base</option>
          {lines.map(
            ([axis, name, all, parts]) =>
              all.length > 1 && (
                <optgroup key={axis} label={name}>
                  {all.map(line => (
                    <option key={line.key} value={`${axis}:${line.key}`}>
                      {nameOf(line, parts)}
                    </option>
                  ))}
                </optgroup>
              ),
          )}
        </select>
      </fieldset>
      <section aria-label="Runs of the matrix">
        <h2>
          Runs <span className="caption">{read.length}</span>
        </h2>
        <ul className="matrix-runs">
          {read.map(run => (
            <li key={run.id} data-run={run.letter}>
              <span className="badge" aria-hidden="true">
                {run.letter}
              </span>
              <span title={run.label}>{run.label}</span>
            </li>
          ))}
        </ul>
        <p className="caption">All runs, including those hidden in the charts.</p>
      </section>
    </div>
  )
}
