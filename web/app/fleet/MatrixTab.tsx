/** One figure over two labels: the median of the rows in each cell, their number and their spread. */
import { useEffect, useMemo } from 'react'
import { gridOf } from '../../fleet/grid'
import { wordsIn } from '../../fleet/select'
import { count, counted } from '../../lib/format'
import { differs, inUnit, UNKNOWN, writtenAs } from './fields'
import { Pick } from './Pick'
import type { OpenFleet } from './useFleet'

/** Steps of the shading, from the least median to the largest. */
const STEPS = 5

/** No column: everything in one. */
const ONE = '-'

export function MatrixTab({ open }: { readonly open: OpenFleet }) {
  const { view, set, fields, columns, rows, want } = open
  const labels = fields.labels.filter(({ name }) => differs(columns.get(name)) && name !== 'run' && name !== 'trace')
  const down = view.rows ?? labels[0]?.name
  const across = view.across === ONE ? undefined : (view.across ?? labels.find(({ name }) => name !== down)?.name)
  const name = view.figure ?? fields.usual.find(one => fields.find(one)?.kind === 'figure') ?? fields.figures[0]?.name
  const field = name === undefined ? undefined : fields.find(name)
  useEffect(() => want([down, across, name].flatMap(one => one ?? [])), [want, down, across, name])
  const [figure, own, other] = [columns.get(name ?? ''), columns.get(down ?? ''), columns.get(across ?? '')]
  const grid = useMemo(
    () =>
      rows && figure?.type === 'number' && own?.type === 'text' && (other === undefined || other.type === 'text')
        ? gridOf(rows, figure, wordsIn(down ?? '', own), other ? wordsIn(across ?? '', other) : () => [''])
        : undefined,
    [rows, figure, own, other, down, across],
  )
  const written = field && writtenAs(field, figure)
  const medians = grid?.cells.flat().flatMap(cell => (cell ? [cell.median] : [])) ?? []
  const [least, most] = [Math.min(...medians), Math.max(...medians)]
  const step = (median: number) =>
    most > least ? Math.min(STEPS - 1, Math.floor(((median - least) / (most - least)) * STEPS)) : 0
  const titleOf = (label: string | undefined) => (label === undefined ? '' : (fields.find(label)?.title ?? label))
  const show = (r: string, c: string) => {
    const kept = {
      ...view.kept,
      ...(down !== undefined && { [down]: [r] }),
      ...(across !== undefined && { [across]: [c] }),
    }
    set({ tab: 'table', kept, top: 0 })
  }
  return (
    <section className="fleet-matrix" aria-label="Matrix">
      <div className="fleet-picks">
        <Pick
          label="Figure"
          fields={fields.figures}
          value={name}
          change={figure => set({ ...(figure && { figure }) })}
        />
        <Pick label="Rows" fields={labels} value={down} change={rows => set({ ...(rows && { rows }) })} />
        <Pick
          label="Columns"
          fields={labels.filter(({ name }) => name !== down)}
          value={across}
          none="None"
          change={across => set({ across: across ?? ONE })}
        />
      </div>
      {labels.length === 0 ? (
        <p>All rows have the same labels: there is nothing to lay out.</p>
      ) : !grid || !written || !field ? (
        <p className="caption">Reading columns…</p>
      ) : (
        <>
          <div className="fleet-matrix-box">
            <table>
              <caption>
                {field.title}
                {written.unit && `, ${written.unit}`}: median of the rows with both labels
              </caption>
              <thead>
                <tr>
                  <th scope="col">{titleOf(down)}</th>
                  {grid.columns.map(c => (
                    <th key={c} scope="col" className="fleet-across">
                      {across === undefined ? 'all' : c || UNKNOWN}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {grid.rows.map((r, i) => (
                  <tr key={r}>
                    <th scope="row">{r || UNKNOWN}</th>
                    {grid.columns.map((c, j) => {
                      const cell = grid.cells[i]?.[j]
                      if (!cell) return <td key={c} className="fleet-none" />
                      const [low, high] = cell.quartiles ?? []
                      const spread =
                        low === undefined || high === undefined
                          ? undefined
                          : `half of them from ${inUnit(written, low)} to ${inUnit(written, high)}`
                      return (
                        <td key={c} data-step={step(cell.median)}>
                          <button
                            type="button"
                            title={[`${counted(cell.n, 'row')}: show them`, spread].filter(Boolean).join('; ')}
                            onClick={() => show(r, c)}
                          >
                            <span className="fleet-median">{written.text(cell.median)}</span>
                            <span className="fleet-spread">
                              {low !== undefined &&
                                high !== undefined &&
                                `${written.text(low)}–${written.text(high)}, `}
                              n {count(cell.n)}
                            </span>
                          </button>
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className="caption">
            {medians.length > 1 &&
              `Shades from ${inUnit(written, least)} to ${inUnit(written, most)} in five equal steps. `}
            Under each median: its quartiles, from four rows on, and the number of rows.
            {grid.cut[0] + grid.cut[1] > 0 &&
              ` ${count(grid.cut[0] + grid.cut[1])} more values are left out: filter the rows.`}
          </p>
        </>
      )}
    </section>
  )
}
