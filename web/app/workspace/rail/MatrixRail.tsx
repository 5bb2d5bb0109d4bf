/** Choices of a matrix: label dimensions of rows and columns, and the base of changes. */
import { BaseChoice, Dimensions } from '../../../compare/matrix/Axes'
import { useArrangement } from '../../../compare/matrix/useMatrix'
import { useActions, usePage } from '../../context'

const NOTHING = {}

export function MatrixRail() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const labels = usePage(p => p.labels)
  const layout = usePage(p => p.view.matrix) ?? NOTHING
  const { axes, arrangement, base, readable: read } = useArrangement({ runs, labels, layout })
  const labelAxes = [...axes.rows, ...axes.columns, ...axes.averaged].filter(axis => axis.key === 'label')
  return (
    <div className="rail-inside matrix-rail">
      <Dimensions
        legend="Label dimensions"
        dimensions={[...labels.parts, ...labelAxes]}
        axes={axes}
        setAxes={actions.setMatrix}
      >
        <button type="button" className="button" onClick={() => actions.show({ kind: 'labels' })}>
          Edit labels
        </button>
      </Dimensions>
      <BaseChoice lines={arrangement} axes={axes} base={base} setBase={base => actions.setMatrix({ base })} />
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
