/** Layers: one row per device of a stack, its members indented, with its times in each run side by side. */
import { useMemo } from 'react'
import { change, count, fixed, share } from '../../lib/format'
import { comparedRuns, comparedWords } from '../difference/pair'
import { type ChartFrame, scopeWords } from '../shared/answers/shown'
import { Panel } from '../shared/frame/Panel'
import { Badge } from '../shared/frame/Row'
import { type LayerDevice, type LayerInRun, type LayersOfRun, layerDevices } from './rows'
import { layers } from './spec'
import { layersTable, layersWords } from './summary'
import './layers.css'

const NONE = '\u2013'
/** Indent of a device below another one, px. */
const INDENT = 16

/** A figure that each run has. */
interface LayerFigure {
  readonly key: string
  readonly label: string
  words(use: LayerInRun): string | undefined
}

/** ns as \u00b5s with one decimal, in all rows: layers differ by factors of a thousand. */
const micro = (ns: number | undefined): string | undefined => (ns === undefined ? undefined : fixed(ns / 1000, 1))

const FIGURES: readonly LayerFigure[] = [
  { key: 'requests', label: 'requests', words: use => count(use.requests) },
  { key: 'kib', label: 'KiB', words: use => count(Math.round(use.bytes / 1024)) },
  { key: 'share', label: 'own share', words: ({ share: ratio }) => (ratio === undefined ? undefined : share(ratio)) },
  { key: 'itself', label: 'itself, median, \u00b5s', words: use => micro(use.itself?.p50) },
  { key: 'itself99', label: 'itself, p99, \u00b5s', words: use => micro(use.itself?.p99) },
  { key: 'below', label: 'below it, median, \u00b5s', words: use => micro(use.below?.p50) },
  { key: 'below99', label: 'below it, p99, \u00b5s', words: use => micro(use.below?.p99) },
]

export function Layers({ frame }: { readonly frame: ChartFrame }) {
  const columns = comparedRuns(frame)
  const rows = useMemo(() => layerDevices(columns), [columns])
  const caption = [
    columns[0] && scopeWords(frame, columns[0]).replace(/^, /, ''),
    comparedWords(frame, columns),
    'itself: Q to C without the time of the devices below; a device without any: all of Q to C',
  ]
  return (
    <Panel
      title={layers.title}
      what={caption.filter(Boolean).join('; ')}
      words={layersWords(columns, rows)}
      measured={layers.measured}
      table={() => layersTable(columns, rows)}
      shown={columns}
    >
      <div className="stack-scroll">
        <table className="stack-table" data-runs={columns.length}>
          <Heads runs={columns} />
          <tbody>
            {rows.map(row => (
              <DeviceRow key={row.name} runs={columns} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function Heads({ runs }: { readonly runs: readonly LayersOfRun[] }) {
  const isOne = runs.length === 1
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={isOne ? 1 : 2}>
          Device
        </th>
        {FIGURES.map(({ key, label }) => (
          <th key={key} scope="colgroup" colSpan={runs.length} data-figure={key}>
            {label}
          </th>
        ))}
        {!isOne && (
          <th scope="col" rowSpan={2} data-figure="change">
            {`itself, ${runs.at(-1)?.letter} against ${runs[0]?.letter}`}
          </th>
        )}
      </tr>
      {!isOne && (
        <tr>
          {FIGURES.flatMap(({ key, label }) =>
            runs.map(({ letter }) => (
              <th key={`${key} ${letter}`} scope="col" data-figure={key}>
                <span className="visually-hidden">{label} </span>
                <Badge letter={letter} />
              </th>
            )),
          )}
        </tr>
      )}
    </thead>
  )
}

/** How much longer the median request takes in the layer itself. */
function changeOf({ uses }: LayerDevice): string {
  const [before, now] = [uses[0]?.itself?.p50, uses.at(-1)?.itself?.p50]
  return before === undefined || now === undefined ? NONE : change(before, now)
}

function DeviceRow({ runs, row }: { readonly runs: readonly LayersOfRun[]; readonly row: LayerDevice }) {
  return (
    <tr>
      <th scope="row" style={{ paddingLeft: row.depth * INDENT }}>
        {row.name}
        {row.kind !== '' && <span className="stack-kind"> {row.kind}</span>}
      </th>
      {FIGURES.flatMap(({ key, words }) =>
        runs.map(({ letter }, i) => {
          const use = row.uses[i]
          return (
            <td key={`${key} ${letter}`} data-figure={key}>
              {(use && words(use)) ?? NONE}
            </td>
          )
        }),
      )}
      {runs.length > 1 && <td data-figure="change">{changeOf(row)}</td>}
    </tr>
  )
}
