/**
 * Call stacks: per run the functions of the kernel by which requests were submitted, each below its caller and as wide
 * as its share. With two runs, the colour is the difference of the shares. A click shows a function alone.
 */
import { useContext, useMemo, useState } from 'react'
import { counted, share } from '../../lib/format'
import { comparedRuns, comparedWords } from '../difference/pair'
import { LegendFiltersContext } from '../shared/answers/legendFilters'
import { type ChartFrame, scopeWords } from '../shared/answers/shown'
import { Panel } from '../shared/frame/Panel'
import { Badge } from '../shared/frame/Row'
import { Choice } from '../shared/menu/Choice'
import { STACK_MEASURES, type StackMeasure, stacks } from './spec'
import { stacksNotes, stacksTable, stacksWords } from './summary'
import {
  changeOf,
  functionAt,
  type PlacedFunction,
  placedFunctions,
  type StackFunction,
  type StacksOfRun,
  shareOf,
  stackTree,
} from './tree'
import './stacks.css'

/** Height of a row, px. */
const ROW = 19
/** Functions narrower than this share have their name in the tip only: a letter of it tells nothing. */
const MIN_NAMED = 0.03

export function Stacks({ frame }: { readonly frame: ChartFrame }) {
  const columns = comparedRuns(frame)
  const runs = useMemo(
    () => columns.map(({ letter, figures }): StacksOfRun => ({ letter, used: figures?.stacks })),
    [columns],
  )
  const root = useMemo(() => stackTree(runs), [runs])
  const [measure, setMeasure] = useState<StackMeasure>('requests')
  const [path, setPath] = useState('')
  const top = functionAt(root, path)
  const filters = useContext(LegendFiltersContext)
  const isAlone = frame.view.functions?.join() === top.functions.join()
  const showAlone = () => frame.actions.setFunctions(isAlone ? undefined : top.functions)
  const lacking = runs.filter(({ used }) => used === undefined)
  const caption = [
    columns[0] && scopeWords(frame, columns[0]).replace(/^, /, ''),
    comparedWords(frame, columns),
    ...lacking.map(({ letter }) => `${letter} has no call stacks`),
    'each function is below its caller; a click shows it alone',
  ]
  return (
    <Panel
      title={stacks.title}
      what={caption.filter(Boolean).join('; ')}
      words={stacksWords(runs)}
      measured={stacks.measured}
      table={() => stacksTable(runs, root)}
      shown={columns}
      controls={<Choice label="Width of a function" value={measure} options={STACK_MEASURES} onChange={setMeasure} />}
      legend={runs.length > 1 && <ChangeLegend runs={runs} />}
    >
      {top !== root && (
        <p className="stacks-path">
          <button type="button" className="link" onClick={() => setPath('')}>
            All functions
          </button>
          {filters && (
            <button type="button" className="link" aria-pressed={isAlone} onClick={showAlone}>
              Only requests of this path
            </button>
          )}
          <span>{top.path}</span>
        </p>
      )}
      <div className="stacks" data-runs={runs.length}>
        {runs.map((run, i) => (
          <RunStacks key={run.letter} runs={runs} run={i} top={top} measure={measure} onChoose={setPath} />
        ))}
      </div>
      {runs.flatMap(stacksNotes).map(note => (
        <p key={note} className="chart-sentence">{`${note}.`}</p>
      ))}
    </Panel>
  )
}

/** What the colours of two runs stand for. */
function ChangeLegend({ runs }: { readonly runs: readonly StacksOfRun[] }) {
  const [first, last] = [runs[0]?.letter, runs.at(-1)?.letter]
  return (
    <span className="stacks-legend">
      <i data-change="less" /> {`less in ${last}`}
      <i data-change="none" /> {`as in ${first}`}
      <i data-change="more" /> {`more in ${last}`}
    </span>
  )
}

interface RunStacksProps {
  readonly runs: readonly StacksOfRun[]
  readonly run: number
  readonly top: StackFunction
  readonly measure: StackMeasure
  readonly onChoose: (path: string) => void
}

function RunStacks({ runs, run, top, measure, onChoose }: RunStacksProps) {
  const letter = runs[run]?.letter ?? ''
  const placed = placedFunctions(top, run, measure)
  const rows = Math.max(0, ...placed.map(({ row }) => row + 1))
  return (
    <div className="stacks-run">
      {runs.length > 1 && <Badge letter={letter} />}
      {placed.length === 0 && <p className="chart-sentence">{`No request of ${letter} came this way.`}</p>}
      <ol className="stacks-rows" style={{ height: rows * ROW }} aria-label={`${stacks.title} of ${letter}`}>
        {placed.map(place => (
          <FunctionBox key={place.subject.path} runs={runs} place={place} measure={measure} onChoose={onChoose} />
        ))}
      </ol>
    </div>
  )
}

interface FunctionBoxProps extends Pick<RunStacksProps, 'runs' | 'measure' | 'onChoose'> {
  readonly place: PlacedFunction
}

/** `ext4_lookup: A 61%, 310 requests; B 4%, 12 requests`. */
function boxWords(runs: readonly StacksOfRun[], found: StackFunction, measure: StackMeasure): string {
  const each = runs.map(({ letter }, run) => {
    const part = shareOf(runs, found, run, measure)
    const requests = counted(found.sums[run]?.requests ?? 0, 'request')
    return part === undefined ? `${letter} unknown` : `${letter} ${share(part)}, ${requests}`
  })
  return `${found.name}: ${each.join('; ')}`
}

function FunctionBox({ runs, place, measure, onChoose }: FunctionBoxProps) {
  const { subject: found, row, left, width } = place
  const change = changeOf(runs, found, measure)
  const words = boxWords(runs, found, measure)
  return (
    <li style={{ left: `${left * 100}%`, width: `${width * 100}%`, top: row * ROW, height: ROW }}>
      <button
        type="button"
        title={words}
        aria-label={words}
        data-change={change === undefined ? undefined : change < 0 ? 'less' : 'more'}
        style={
          change === undefined ? undefined : { ['--strength' as string]: `${Math.round(Math.abs(change) * 100)}%` }
        }
        onClick={() => onChoose(found.path)}
      >
        {width >= MIN_NAMED && found.name}
      </button>
    </li>
  )
}
