/**
 * The life of one request: its stages as a bar and a table, what overtook it, its bios and events. Placed next to its
 * mark.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Life, RequestLayers } from '../../engine/protocol'
import { change, count, duration, seconds, share } from '../../lib/format'
import { type Ns, ns } from '../../lib/units'
import type { Actions, Run } from '../../state/types'
import { COPY_AS_TEXT } from '../shared/answers/words'
import { Badge } from '../shared/frame/Row'
import { CopyButton } from '../shared/menu/CopyButton'
import { causeToken } from '../tail/summary'
import { chainOf, fileOf, type RequestPart, unknownWords } from './chain'
import './life.css'
import { Layers } from './Layers'
import { deviceLinks, layerRows, layersPlace, layersTitle } from './layers'
import { medianOf, STAGE, life as spec, TIME } from './spec'
import { type LifeStep, lengthOf, placeLetters, SEGMENT_WORDS, stepsOf } from './steps'
import { asText, eventLine, joinedWords, place, standing, title } from './summary'
import { useAnchor } from './useAnchor'
import { useLayers } from './useLayers'
import { neighbour, type RequestCauses, useCauses, useLife } from './useLife'
import { useMoved } from './useMoved'
import { useParts } from './useParts'

interface RequestLifeProps {
  readonly run: Run
  readonly row: number
  readonly actions: Pick<Actions, 'select' | 'showEvents' | 'annotate'> & {
    /** Shows only the requests of a file, if it has a name of its own in the filters. */
    readonly onlyFile?: (name: string) => (() => void) | undefined
  }
}

const WIDTH = 434

export function RequestLife({ run, row, actions }: RequestLifeProps) {
  const { life, medians, error } = useLife(run, row)
  const causes = useCauses(run, life)
  const parts = useParts(run, life)
  const layers = useLayers(run, life)
  const box = useRef<HTMLElement>(null)
  const line = useRef<SVGLineElement>(null)
  const { moved, putBack, head, onMoveKey } = useMoved(box)
  useAnchor(box, line, moved)
  useEffect(() => {
    const before = document.activeElement
    box.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])

  const step = async (direction: 1 | -1) => {
    if (life === undefined) return
    const next = await neighbour(run, life, direction)
    if (next !== undefined) actions.select(run.id, next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = { Escape: () => actions.select(undefined), ArrowLeft: () => step(-1), ArrowRight: () => step(1) }[
      event.key
    ]
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const steps = life === undefined ? [] : stepsOf(life, medians)
  const heading = (layers && layersTitle(layers, run)) ?? (life === undefined ? spec.title : title(life, steps))
  return (
    <>
      <svg className="life-connector" aria-hidden="true">
        <line ref={line} />
      </svg>
      <section
        ref={box}
        className="life"
        data-layers={layers !== undefined}
        role="dialog"
        aria-label={heading}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <div {...head} className="life-head">
          <Badge letter={run.letter} />
          <h2>{heading}</h2>
          <button
            type="button"
            className="life-button life-move"
            title={moved ? 'Put back beside its mark; arrow keys move it' : 'Drag the head, or press arrow keys here'}
            onClick={putBack}
            onKeyDown={onMoveKey}
          >
            {moved ? 'Put back' : 'Move'}
          </button>
          <button
            type="button"
            className="life-button"
            onClick={() => actions.select(undefined)}
            aria-label="Esc, close"
          >
            <kbd>Esc</kbd>
          </button>
        </div>
        {error !== undefined && <p className="life-place">{error}</p>}
        {life !== undefined && <LifeBody {...{ run, life, steps, causes, parts, layers, actions, step }} />}
      </section>
    </>
  )
}

interface LifeBodyProps extends Pick<RequestLifeProps, 'run' | 'actions'> {
  readonly life: Life
  readonly steps: readonly LifeStep[]
  readonly causes: RequestCauses | undefined
  /** What its sectors belong to; absent without a map of the disk. */
  readonly parts: readonly RequestPart[] | undefined
  /** What is above and below it; absent where no devices are stacked. */
  readonly layers: RequestLayers | undefined
  step(direction: 1 | -1): void
}

function LifeBody({ run, life, steps, causes, parts, layers, actions, step }: LifeBodyProps) {
  const [events, setEvents] = useState(false)
  const file = parts?.length === 1 && parts[0] ? fileOf(parts[0]) : undefined
  const onlyFile = file === undefined ? undefined : actions.onlyFile?.(file)
  return (
    <>
      <p className="life-place">{layers ? layersPlace(layers, run, life) : place(life, run)}</p>
      {(layers || (parts && parts.length > 0)) && <Chain life={life} parts={parts ?? []} run={run} layers={layers} />}
      {layers && <Layers rows={layerRows(layers, run, life)} />}
      {layers === undefined && <Bar steps={steps} />}
      {layers === undefined && <Stages steps={steps} letter={run.letter} />}
      {causes && <Causes causes={causes} />}
      <p className="life-standing">{standing(life, run)}</p>
      {life.bios.length > 1 && <Bios life={life} />}
      {events && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <pre className="life-events" tabIndex={0}>
          {life.events.map(eventLine).join('\n')}
        </pre>
      )}
      <footer>
        <button type="button" className="life-button" aria-pressed={events} onClick={() => setEvents(!events)}>
          Events
        </button>
        <button
          type="button"
          className="life-button"
          title="Show in the event list"
          onClick={() => actions.showEvents(firstOf(life))}
        >
          Show in events
        </button>
        <button
          type="button"
          className="life-button"
          onClick={() => actions.annotate({ run: run.id, at: life.issued ?? life.queued ?? ns(0), lba: life.sector })}
        >
          Annotate
        </button>
        {onlyFile && (
          <button type="button" className="life-button" onClick={onlyFile}>
            Only this file
          </button>
        )}
        <CopyButton
          className="life-button"
          label={COPY_AS_TEXT}
          text={() => asText(life, steps, run, causes, parts, layers)}
        />
        <span className="life-next">
          <button type="button" className="life-button" aria-label="Previous request" onClick={() => step(-1)}>
            ←
          </button>
          <button type="button" className="life-button" aria-label="Next request" onClick={() => step(1)}>
            →
          </button>
          next
        </span>
      </footer>
    </>
  )
}

/** Time of the first event of a request. */
const firstOf = (life: Life): Ns | undefined => life.events[0]?.at ?? life.queued ?? life.issued

interface ChainProps extends Pick<RequestLifeProps, 'run'> {
  readonly life: Life
  readonly parts: readonly RequestPart[]
  readonly layers: RequestLayers | undefined
}

/** From the task to the completion, and what is not known of it. */
function Chain({ life, parts, run, layers }: ChainProps) {
  const unknown = unknownWords(life, parts)
  return (
    <>
      <ol className="life-chain" aria-label="What it belongs to">
        {chainOf(life, parts, run, layers && deviceLinks(layers, run)).map(({ role, words }) => (
          <li key={`${role} ${words}`}>
            {role !== '' && <span>{role} </span>}
            {words}
          </li>
        ))}
      </ol>
      {unknown && <p className="life-unknown">{unknown}</p>}
    </>
  )
}

const CHAR = 7

function Bar({ steps }: { readonly steps: readonly LifeStep[] }) {
  const whole = lengthOf(steps)
  const [first, last] = [steps[0], steps.at(-1)]
  if (whole === undefined || first === undefined || last === undefined) return undefined
  const letters = placeLetters(steps, WIDTH - 8, 12)
  return (
    <svg className="life-bar" viewBox={`0 0 ${WIDTH} 52`} role="img" aria-label="Stages of the request's life">
      {steps.map((step, i) => {
        const before = steps[i - 1]
        if (before === undefined || step.took === undefined) return undefined
        const x = ((before.time - first.time) / whole) * WIDTH
        const w = Math.max(1, (step.took / whole) * WIDTH)
        const text = `${before.letter}2${step.letter} ${duration(step.took)}: ${SEGMENT_WORDS[step.letter] ?? ''}`
        return (
          <g key={step.letter}>
            <rect
              className="life-step"
              x={x}
              y={16.5}
              width={Math.max(0.5, w - 0.5)}
              height={15}
              style={{ fill: `var(--${step.token})` }}
            />
            {text.length * CHAR < w && (
              <text className="life-in" data-stage={step.token} x={x + 8} y={28}>
                {text}
              </text>
            )}
          </g>
        )
      })}
      {steps.map((step, i) => (
        <text key={step.letter} className="life-letter" x={letters[i]} y={11}>
          {step.letter}
        </text>
      ))}
      <text className="life-letter" x={0} y={46}>{`${seconds(first.time, 4)} s`}</text>
      <text className="life-letter" x={WIDTH} y={46} textAnchor="end">{`${seconds(last.time, 4)} s`}</text>
    </svg>
  )
}

/** Times are red from this multiple of the median on. */
const FAR_OFF = 10

function Stages({ steps, letter }: { readonly steps: readonly LifeStep[]; readonly letter: string }) {
  return (
    <table className="life-stages">
      <thead>
        <tr>
          <th scope="col">{STAGE}</th>
          <th scope="col">{TIME}</th>
          <th scope="col">took</th>
          <th scope="col">{medianOf(letter)}</th>
          <th scope="col">
            <span className="visually-hidden">change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {steps.map(step => {
          const compared = step.took !== undefined && step.median !== undefined && step.median > 0
          return (
            <tr key={step.letter}>
              <td>
                <b>{step.letter}</b> {step.name}
              </td>
              <td>{seconds(step.time, 6)}</td>
              <td>{step.took === undefined ? '' : <b>{duration(step.took)}</b>}</td>
              <td>{step.median === undefined ? '' : duration(step.median)}</td>
              <td data-far={compared && step.took / step.median >= FAR_OFF}>
                {compared ? change(step.median, step.took) : ''}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** What its time went to, in the order of its life. */
function Causes({ causes: { slow, labels } }: { readonly causes: RequestCauses }) {
  return (
    <section className="life-causes" aria-label="Why it took so long">
      <div className="life-causes-bar" aria-hidden="true">
        {slow.parts.map(part => (
          <i key={part.cause} style={{ flexGrow: part.ns, background: `var(--${causeToken(part.cause)})` }} />
        ))}
      </div>
      <ul>
        {slow.parts.map(part => (
          <li key={part.cause}>
            <i style={{ background: `var(--${causeToken(part.cause)})` }} aria-hidden="true" />
            <span>{labels.get(part.cause) ?? part.cause}</span>
            <span>{duration(part.ns)}</span>
            <span>{share(part.ns / slow.ns)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Bios({ life }: { readonly life: Life }) {
  return (
    <section className="life-bios" aria-label="Bios">
      <table className="life-stages">
        <thead>
          <tr>
            <th scope="col">bio, sector</th>
            <th scope="col">sectors</th>
            <th scope="col">queued, s</th>
            <th scope="col">process</th>
            <th scope="col">merge</th>
          </tr>
        </thead>
        <tbody>
          {life.bios.slice(0, 64).map(bio => (
            <tr key={`${bio.sector} ${bio.queuedAt}`}>
              <td>{count(bio.sector)}</td>
              <td>{bio.sectors}</td>
              <td>{seconds(bio.queuedAt, 6)}</td>
              <td>{bio.process}</td>
              <td>{joinedWords(bio.joined)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {life.bios.length > 64 && <p>{`and ${count(life.bios.length - 64)} more`}</p>}
    </section>
  )
}
