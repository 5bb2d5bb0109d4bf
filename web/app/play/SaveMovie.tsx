/** Saves playback as a video file or an animated GIF. */
import { useEffect, useRef, useState } from 'react'
import { speedWords } from '../../charts/playback/clock'
import { type FilmGiven, renderFilm } from '../../charts/playback/film'
import {
  FILM_KINDS,
  FILM_NAMES,
  FILM_SIZES,
  type FilmKind,
  FRAME_RATES,
  framesOf,
  LONGEST_FILM,
  SHORTEST_FILM,
} from '../../charts/playback/filmWriter'
import { whyNoVideo } from '../../charts/playback/video'
import { saveFile } from '../../charts/shared/files'
import { fileName } from '../../lib/fileName'
import { count, duration, size } from '../../lib/format'
import { titleOf } from '../../state/page'
import { usePage } from '../context'
import { Dialog } from '../dialogs/Dialog'
import '../dialogs/dialogs.css'

export interface SaveMovieProps {
  readonly given: Omit<FilmGiven, 'title'>
  onClose(): void
}

const DEFAULT_SECONDS = 25

export function SaveMovie({ given, onClose }: SaveMovieProps) {
  const title = usePage(titleOf)
  const missing = whyNoVideo()
  const [kind, setKind] = useState<FilmKind>(missing === undefined ? 'webm' : 'gif')
  const [which, setWhich] = useState(0)
  const [rate, setRate] = useState<number>(FRAME_RATES[kind][0])
  const [seconds, setSeconds] = useState(String(DEFAULT_SECONDS))
  const [done, setDone] = useState<readonly [frames: number, of: number]>()
  const [said, say] = useState('')
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const length = Number(seconds)
  const [sizes, rates, longest] = [FILM_SIZES[kind], FRAME_RATES[kind], LONGEST_FILM[kind]]
  const wrong = !(length >= SHORTEST_FILM && length <= longest)
  const busy = done !== undefined
  const format = { kind, ...(sizes[which] ?? sizes[0]), framesPerSecond: rate, seconds: length }
  const span = given.range.t1 - given.range.t0

  const save = async () => {
    const controller = new AbortController()
    stop.current = controller
    setDone([0, framesOf(format)])
    say('')
    const begin = performance.now()
    try {
      const blob = await renderFilm(
        { ...given, title },
        format,
        (frames, of) => setDone([frames, of]),
        controller.signal,
      )
      saveFile(`${fileName(title, 'playback') || 'playback'}.${kind}`, blob)
      say(
        `Saved: ${count(framesOf(format))} frames, ${size(blob.size)}, in ${duration((performance.now() - begin) * 1e6)}.`,
      )
    } catch (thrown) {
      say(
        controller.signal.aborted
          ? 'Cancelled, nothing saved.'
          : `Not saved: ${(thrown as { message?: string }).message ?? String(thrown)}`,
      )
    }
    setDone(undefined)
  }
  return (
    <Dialog
      title="Save video"
      lead="Drawn frame by frame from the traces on this machine; nothing is uploaded."
      onClose={onClose}
    >
      <form
        id="save-movie"
        onSubmit={event => {
          event.preventDefault()
          if (!wrong && !busy) void save()
        }}
      >
        <div className="form-row">
          <label htmlFor="movie-kind">Format</label>
          <select
            id="movie-kind"
            className="field"
            value={kind}
            disabled={busy || missing !== undefined}
            onChange={event => {
              const chosen = FILM_KINDS.find(each => each === event.target.value) ?? 'webm'
              setKind(chosen)
              setWhich(0)
              setRate(FRAME_RATES[chosen][0])
            }}
          >
            {FILM_KINDS.map(each => (
              <option key={each} value={each}>
                {FILM_NAMES[each]}
              </option>
            ))}
          </select>
          <p className="caption">
            {missing ??
              (kind === 'gif' ? 'repeats; for mails and trackers that show no video' : 'for players and browsers')}
          </p>
        </div>
        <div className="form-row">
          <label htmlFor="movie-size">Size</label>
          <select
            id="movie-size"
            className="field"
            value={which}
            disabled={busy}
            onChange={event => setWhich(Number(event.target.value))}
          >
            {sizes.map(({ width, height }, i) => (
              <option key={height} value={i}>{`${width} × ${height}`}</option>
            ))}
          </select>
          <p className="caption">pixels, in the colours of the page</p>
        </div>
        <div className="form-row">
          <label htmlFor="movie-rate">Frames</label>
          <select
            id="movie-rate"
            className="field"
            value={rate}
            disabled={busy}
            onChange={event => setRate(Number(event.target.value))}
          >
            {rates.map(each => (
              <option key={each} value={each}>{`${each} per second`}</option>
            ))}
          </select>
          <p className="caption">{wrong ? '' : `${count(framesOf(format))} frames`}</p>
        </div>
        <div className="form-row">
          <label htmlFor="movie-length">Length, s</label>
          <input
            id="movie-length"
            className="field"
            inputMode="decimal"
            value={seconds}
            disabled={busy}
            aria-invalid={wrong}
            onChange={event => setSeconds(event.target.value)}
          />
          {wrong ? (
            <p className="form-wrong">{`A number from ${SHORTEST_FILM} to ${longest}.`}</p>
          ) : (
            <p className="caption">{`${duration(span)} of the trace at ${speedWords(span / 1e9 / length)}`}</p>
          )}
        </div>
      </form>
      {done && <progress className="movie-progress" aria-label="Frames drawn" value={done[0]} max={done[1]} />}
      <p role="status">{done ? `Frame ${count(done[0])} of ${count(done[1])} …` : said}</p>
      <footer className="dialog-foot">
        {busy ? (
          <button type="button" className="button large" onClick={() => stop.current?.abort()}>
            Cancel
          </button>
        ) : (
          <button type="submit" form="save-movie" className="button primary large" data-first disabled={wrong}>
            Save {FILM_NAMES[kind]}
          </button>
        )}
        <button type="button" className="button large" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}
