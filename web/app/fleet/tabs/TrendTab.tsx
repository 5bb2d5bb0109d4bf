/**
 * A figure over builds, one chart per word of another label: each run, the median of each build, and the builds at
 * which the level changed.
 */

import { useEffect, useMemo } from 'react'
import type { ChangePoint } from '../../../engine/protocol'
import { type BuildPoint, buildsOf, type FleetSeries, type FleetTrend, trendOf } from '../../../fleet/changes/trend'
import type { Column } from '../../../fleet/table/columns'
import { count, factor, share } from '../../../lib/format'
import { capitalized } from '../../../lib/text/capitalized'
import { columnFormat, differs, inUnit, UNKNOWN, type Written } from '../fields'
import type { OpenFleet } from '../useFleet'
import { Pick } from './Pick'
import { TrendChart } from './TrendChart'

const NO_SPLIT = '-'
/** Labels that can order runs, the best first. */
const ORDERS = ['build', 'version', 'kernel', 'release', 'date']
/** Maximum number of words of a label that splits a trend: more lines cannot be compared at a glance. */
const MAX_SPLIT_WORDS = 12

/** `between 41 and 42: ×6.1, 0.5 ms to 3.1 ms; ...`. */
function changeWords(builds: readonly string[], change: ChangePoint, title: string, written: Written): string {
  const { before, after, ratio, ci95, range, kind, p } = change
  const verb = after > before ? 'rose' : 'fell'
  const amount = ratio === undefined ? '' : ` by ${factor(ratio).replace(/^[+\u2212]/, '')}`
  const interval = ci95 ? ` (95% interval ${factor(ci95[0])} to ${factor(ci95[1])})` : ''
  const rangeSentence =
    kind === 'step' && range[0] !== range[1]
      ? ` The first build after it lies between ${builds[range[0]]} and ${builds[range[1]]}.`
      : ''
  const place = buildsOf(builds, change)
  const values = `from ${inUnit(written, before)} to ${inUnit(written, after)}`
  const chance = `p ${p < 1e-3 ? 'below 0.001' : p.toFixed(3)}`
  return `${capitalized(place)} ${title} ${verb}${amount}${interval}, ${values}; ${chance}.${rangeSentence}`
}

/** Whether rows can be ordered by the column. */
const hasSeveralWords = (column: Column | undefined): boolean => column?.type === 'text' && column.words.length > 1

/** Whether the column has so few words that each can be a series. */
const hasFewWords = (column: Column | undefined): boolean =>
  column?.type === 'text' && column.words.length <= MAX_SPLIT_WORDS

interface ChangesOfSeriesProps {
  readonly series: FleetSeries
  readonly trend: FleetTrend
  /** Title of the figure. */
  readonly title: string
  readonly written: Written
}

/** The changes of a series in words, or why there are none. */
function ChangesOfSeries({ series: { found }, trend, title, written }: ChangesOfSeriesProps) {
  if (!found) return <p className="caption">Change points need {trend.needed} builds with this figure.</p>
  if (found.changes.length === 0)
    return <p>No change: the builds differ by no more than their noise, {share(found.noise)} from build to build.</p>
  return (
    <ul className="fleet-changes">
      {found.changes.map(change => (
        <li key={`${change.kind} ${change.index}`}>{changeWords(trend.builds, change, title, written)}</li>
      ))}
    </ul>
  )
}

export function TrendTab({ open }: { readonly open: OpenFleet }) {
  const { view, set, fields, columns, rows, statistics, want } = open
  const labels = fields.labels.filter(({ name }) => differs(columns.get(name)) && name !== 'trace')
  // A label that most rows lack has no trend, although it differs.
  const [ordered = labels] = [labels.filter(({ name }) => hasSeveralWords(columns.get(name)))].filter(l => l.length > 0)
  const axis = view.by ?? ORDERS.find(name => ordered.some(label => label.name === name)) ?? ordered[0]?.name
  const usualSplit = labels.find(
    ({ name }) => ['device', 'scheduler', 'workload'].includes(name) && name !== axis && hasFewWords(columns.get(name)),
  )?.name
  const split = view.split === NO_SPLIT ? undefined : (view.split ?? usualSplit)
  const name =
    view.figure ?? fields.usual.find(candidate => fields.find(candidate)?.kind === 'figure') ?? fields.figures[0]?.name
  const field = name === undefined ? undefined : fields.find(name)
  useEffect(() => want([axis, split, name].flatMap(column => column ?? [])), [want, axis, split, name])
  const [figure, order, parts] = [columns.get(name ?? ''), columns.get(axis ?? ''), columns.get(split ?? '')]
  const unit = field?.unit ?? ''
  const trend = useMemo(
    () =>
      rows && statistics && figure?.type === 'number' && order?.type === 'text'
        ? trendOf(statistics, {
            shown: rows,
            figure,
            buildColumn: order,
            ...(parts?.type === 'text' && { split: parts }),
            unit,
          })
        : undefined,
    [rows, statistics, figure, order, parts, unit],
  )
  const written = field && columnFormat(field, figure)
  const show = ({ build }: BuildPoint, series: FleetSeries) => {
    const filters = {
      ...view.filters,
      ...(axis !== undefined && { [axis]: [build] }),
      ...(split !== undefined && { [split]: [series.name] }),
    }
    set({ tab: 'table', filters, top: 0 })
  }
  const titleOf = (label: string | undefined) => (label === undefined ? '' : (fields.find(label)?.title ?? label))
  return (
    <section className="fleet-trend" aria-label="Trend">
      <div className="fleet-picks">
        <Pick label="Figure" fields={fields.figures} value={name} change={figure => set({ figure })} />
        <Pick label="Over" fields={labels} value={axis} change={axis => set({ by: axis })} />
        <Pick
          label="One series per"
          fields={labels.filter(label => label.name !== axis)}
          value={split}
          emptyLabel="All rows in one"
          change={split => set({ split: split ?? NO_SPLIT })}
        />
      </div>
      {axis === undefined ? (
        <p>All rows have the same labels: there is nothing to order them by.</p>
      ) : !trend || !written || !field ? (
        !open.error && <p className="caption">Reading columns…</p>
      ) : trend.builds.length < 2 ? (
        <p>
          The shown rows have {trend.builds.length === 0 ? 'no value' : 'one value'} of {titleOf(axis)}: a trend needs
          several.
        </p>
      ) : (
        <>
          {trend.series.map(series => (
            <article key={series.name} className="fleet-series">
              <h2>
                {field.title}
                {split !== undefined && `, ${titleOf(split)} ${series.name || UNKNOWN}`}
              </h2>
              <TrendChart
                series={series}
                builds={trend.builds}
                written={written}
                title={`${field.title} over ${titleOf(axis)}`}
                onBuild={build => show(build, series)}
              />
              <ChangesOfSeries series={series} trend={trend} title={field.title} written={written} />
            </article>
          ))}
          <p className="caption">
            Dots are runs, the line is the median of each build. Builds are in the order of their names, numbers by
            value.
            {trend.cut[0] > 0 && ` ${count(trend.cut[0])} more series are left out: filter the rows.`}
            {trend.cut[1] > 0 && ` The first ${count(trend.cut[1])} builds are left out.`}
          </p>
        </>
      )}
    </section>
  )
}
