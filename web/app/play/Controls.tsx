/** Buttons, the time slider, and a message about the last step. */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { speedWords } from '../../charts/playback/clock'
import type { Player, PlayState } from '../../charts/playback/player'
import { clockWords } from '../../charts/playback/stage'
import type { Shown } from '../../charts/shared/answers/shown'
import { duration, runLength } from '../../lib/format'

export interface ControlsProps {
  readonly player: Player
  readonly runs: readonly Shown[]
  readonly clockId: string
  onSave(): void
}

export function Controls({ player, runs, clockId, onSave }: ControlsProps) {
  const state = useSyncExternalStore(player.watch, player.state)
  return (
    <footer className="play-controls">
      <TimeSlider player={player} runs={runs} clockId={clockId} />
      <div className="play-buttons">
        <PlayButtons player={player} state={state} />
        <p className="play-said" role="status">
          {state.error ? state.error.message : state.waiting ? 'Waiting for the engine …' : (state.stepped ?? '')}
        </p>
        <button
          type="button"
          className="button play-save"
          onClick={() => {
            player.play(false)
            onSave()
          }}
        >
          Save video
        </button>
      </div>
    </footer>
  )
}

/** The slider of time with the ends of runs; it and the clock follow the frames without React. */
function TimeSlider({ player, runs, clockId }: Omit<ControlsProps, 'onSave'>) {
  const slider = useRef<HTMLInputElement>(null)
  const { range } = player
  const length = range.t1 - range.t0
  useEffect(
    () =>
      player.watchFrames(({ t, timing }) => {
        const clock = document.getElementById(clockId)
        const words = clockWords(t, timing)
        if (clock) clock.textContent = words
        const input = slider.current
        if (!input) return
        input.value = String(t)
        input.style.setProperty('--at', `${((t - range.t0) / (range.t1 - range.t0)) * 100}%`)
        input.setAttribute('aria-valuetext', `${words} of ${runLength(range.t1)}`)
      }),
    [player, clockId, range],
  )
  const shareOf = (t: number) => ((t - range.t0) / length) * 100
  // Ends within 1/500 of the range's end are left out: they would look like that end.
  const ends = runs.filter(run => run.end > range.t0 && run.end < range.t1 - length / 500)
  return (
    <div className="play-slider">
      <input
        ref={slider}
        type="range"
        aria-label="Time"
        min={range.t0}
        max={range.t1}
        step={1}
        defaultValue={range.t0}
        onInput={event => player.seek(Number(event.currentTarget.value))}
      />
      {ends.map(run => (
        <span
          key={run.id}
          className="play-end"
          data-late={shareOf(run.end) > 75}
          style={shareOf(run.end) > 75 ? { right: `${100 - shareOf(run.end)}%` } : { left: `${shareOf(run.end)}%` }}
        >
          {`${run.letter} done`}
        </span>
      ))}
    </div>
  )
}

function PlayButtons({ player, state }: { readonly player: Player; readonly state: PlayState }) {
  const start = useRef<HTMLButtonElement>(null)
  useEffect(() => start.current?.focus({ preventScroll: true }), [])
  const takes = duration((player.range.t1 - player.range.t0) / state.speed)
  return (
    <>
      <button ref={start} type="button" className="button primary" onClick={() => player.play(!state.playing)}>
        {state.playing ? 'Pause' : 'Play'}
      </button>
      <span className="play-group">
        <button
          type="button"
          className="button"
          aria-label="Previous event"
          title="Previous event (←)"
          onClick={() => void player.step(-1)}
        >
          ‹ Event
        </button>
        <button
          type="button"
          className="button"
          aria-label="Next event"
          title="Next event (→)"
          onClick={() => void player.step(1)}
        >
          Event ›
        </button>
      </span>
      <span className="play-group">
        <button type="button" className="button" title="Slower ([)" onClick={() => player.faster(-1)}>
          Slower
        </button>
        <span className="play-speed" title={`The range takes ${takes} to play`}>
          <b>{speedWords(state.speed)}</b> <span>{takes}</span>
        </span>
        <button type="button" className="button" title="Faster (])" onClick={() => player.faster(1)}>
          Faster
        </button>
      </span>
      <button
        type="button"
        className="button"
        aria-pressed={state.loop}
        title="Begin again at the end (L)"
        onClick={() => player.setLoop(!state.loop)}
      >
        Repeat
      </button>
    </>
  )
}
