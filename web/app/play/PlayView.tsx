/** Playback: the seek map and the queue of the visible runs in time. A dialog over the full page. */
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { factsOf, type PlayFacts } from '../../charts/playback/facts'
import { leastHeight, MAX_RUNS } from '../../charts/playback/layout'
import { createPlayer, type Player } from '../../charts/playback/player'
import { type Shown, type StableView, shownRuns } from '../../charts/shared/answers/shown'
import { readPalette, useDarkTheme } from '../../charts/shared/paint/theme'
import { asEngineError } from '../../engine/errors'
import type { EngineError } from '../../engine/protocol'
import { atTime } from '../../lib/format'
import { visible } from '../../state/filter'
import { titleOf } from '../../state/page'
import { objectColours } from '../../state/runs/objects'
import { processSlots } from '../../state/runs/processes'
import type { Run } from '../../state/types'
import { keyOf } from '../commands'
import { useActions, usePage } from '../context'
import { Controls } from './Controls'
import { PLAY_KEYS } from './keys'
import { PlayTable } from './PlayTable'
import { playbackProblem } from './playbackProblem'
import { SaveMovie } from './SaveMovie'
import './play.css'

export function PlayView() {
  const { close } = useActions()
  const runs = usePage(p => p.runs)
  const view = usePage(p => p.view)
  const title = usePage(titleOf)
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog?.open) dialog?.showModal()
  }, [])
  // The runs are those from when the view was opened: nothing behind the dialog can change meanwhile.
  const [opened] = useState(() => ({ shown: shownRuns(runs, view), view, refused: playbackProblem(runs), runs }))
  const shown = useMemo(() => opened.shown.slice(0, MAX_RUNS), [opened])
  const omitted = opened.shown.length - shown.length
  return (
    <dialog ref={ref} className="play" aria-labelledby={id} onClose={event => event.target === ref.current && close()}>
      <header className="play-head">
        <h2 id={id}>Playback</h2>
        <p className="caption">
          {`${title}, ${atTime(view.range.t0, 1e7)} to ${atTime(view.range.t1, 1e7)} s`}
          {omitted > 0 && `; the first ${MAX_RUNS} of ${opened.shown.length} runs, hide others to see the rest`}
        </p>
        <span id={`${id}-clock`} className="play-clock" />
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </header>
      {opened.refused === undefined ? (
        <Playing shown={shown} view={opened.view} runs={opened.runs} clockId={`${id}-clock`} />
      ) : (
        <p className="play-refused">{opened.refused}</p>
      )}
    </dialog>
  )
}

interface PlayingProps {
  readonly shown: readonly Shown[]
  readonly view: StableView
  readonly runs: readonly Run[]
  readonly clockId: string
}

function Playing({ shown, view, runs, clockId }: PlayingProps) {
  const [facts, setFacts] = useState<PlayFacts>()
  const [error, setError] = useState<EngineError>()
  useEffect(() => {
    let isCancelled = false
    factsOf(shown, view).then(
      found => !isCancelled && setFacts(found),
      (reason: unknown) => !isCancelled && setError(asEngineError(reason)),
    )
    return () => {
      isCancelled = true
    }
  }, [shown, view])
  if (error) return <p className="play-refused">{error.message}</p>
  if (!facts) return <p className="play-refused">Asking for the places on disk …</p>
  return <Stage shown={shown} view={view} runs={runs} facts={facts} clockId={clockId} />
}

function Stage({ shown, view, runs, facts, clockId }: PlayingProps & { readonly facts: PlayFacts }) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDarkTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the palette reads colours, which change with the theme
  const palette = useMemo(readPalette, [dark])
  const processes = useMemo(() => processSlots(visible(runs)), [runs])
  const objects = useMemo(() => objectColours(visible(runs)), [runs])
  const [player, setPlayer] = useState<Player>()
  const [saving, setSaving] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the palette reaches the player by `resize`
  useEffect(() => {
    if (!canvas.current) return
    const created = createPlayer(canvas.current, { shown, view, processes, objects, facts, palette, range: view.range })
    setPlayer(created)
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) created.play(true)
    return () => created.end()
  }, [shown, view, processes, objects, facts])

  useEffect(() => {
    const element = box.current
    if (!element || !player) return
    const measure = () => {
      const { width, height } = element.getBoundingClientRect()
      if (width < 1) return
      const wide = Math.floor(width)
      const tall = Math.floor(Math.max(height, leastHeight(wide, shown.length)))
      player.resize({ width: wide, height: tall, ratio: devicePixelRatio || 1, palette })
      if (canvas.current) Object.assign(canvas.current.style, { width: `${wide}px`, height: `${tall}px` })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [player, palette, shown.length])

  useEffect(() => {
    const dialog = box.current?.closest('dialog')
    if (!dialog || !player) return
    const onKey = (event: KeyboardEvent) => {
      // Keys in the form that saves a video bubble here, but it is a dialog of its own.
      if (event.target instanceof Element && event.target.closest('dialog') !== dialog) return
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target instanceof Element ? event.target : undefined
      const key = keyOf(event)
      if (target?.closest('select, input:not([type=range])')) return
      // A button takes the space bar itself.
      if (key === ' ' && target?.closest('button')) return
      const command = PLAY_KEYS.find(candidate => candidate.keys.includes(key))
      if (!command) return
      event.preventDefault()
      command.run(player)
    }
    dialog.addEventListener('keydown', onKey)
    return () => dialog.removeEventListener('keydown', onKey)
  }, [player])

  return (
    <>
      <div ref={box} className="play-stage">
        <canvas
          ref={canvas}
          role="img"
          aria-describedby={player ? 'play-table' : undefined}
          aria-label="Seek map in time, with what is in flight"
        />
      </div>
      {player && (
        <>
          <PlayTable player={player} />
          <Controls player={player} runs={shown} clockId={clockId} onSave={() => setSaving(true)} />
          {saving && (
            <SaveMovie
              film={{ shown, view, processes, objects, palette, facts, range: player.range }}
              onClose={() => setSaving(false)}
            />
          )}
        </>
      )}
    </>
  )
}
