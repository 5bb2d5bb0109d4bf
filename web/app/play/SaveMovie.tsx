/** Saves playback as a video file or an animated GIF. */
import { useEffect, useRef, useState } from 'react'
import { speedWords } from '../../charts/playback/clock'
import { type FilmInput, renderFilm } from '../../charts/playback/film/film'
import {
  FILM_KINDS,
  FILM_NAMES,
  FILM_SIZES,
  type FilmFormat,
  type FilmKind,
  FRAME_RATES,
  framesOf,
  LONGEST_FILM,
  SHORTEST_FILM,
} from '../../charts/playback/film/filmWriter'
import { whyNoVideo } from '../../charts/playback/film/video'
import { saveFile } from '../../charts/shared/menu/files'
import { count, duration, size } from '../../lib/format'
import { fileName } from '../../lib/text/fileName'
import { titleOf } from '../../state/page'
import { usePage } from '../context'
import { Dialog } from '../dialogs/Dialog'
import '../dialogs/dialogs.css'

export interface SaveMovieProps {
  readonly film: Omit<FilmInput, 'title'>
  onClose(): void
}

const DEFAULT_SECONDS = 25

/** Renders the film and saves it; `cancel` stops that, as closing the dialog does. */
function useRendering(film: SaveMovieProps['film'], title: string) {
  const [progress, setProgress] = useState<readonly [frames: number, total: number]>()
  const [message, setMessage] = useState('')
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const save = async (format: FilmFormat) => {
    const controller = new AbortController()
    stop.current = controller
    setProgress([0, framesOf(format)])
    setMessage('')
    const begin = performance.now()
    try {
      const blob = await renderFilm(
        { ...film, title },
        format,
        (frames, total) => setProgress([frames, total]),
        controller.signal,
      )
      saveFile(`${fileName(title, 'playback') || 'playback'}.${format.kind}`, blob)
      const took = duration((performance.now() - begin) * 1e6)
      setMessage(`Saved: ${count(framesOf(format))} frames, ${size(blob.size)}, in ${took}.`)
    } catch (thrown) {
      setMessage(
        controller.signal.aborted
          ? 'Cancelled, nothing saved.'
          : `Not saved: ${(thrown as { message?: string }).message ?? String(thrown)}`,
      )
    }
    setProgress(undefined)
  }
  return { done: progress, message, save, cancel: () => stop.current?.abort() }
}

export function SaveMovie({ film, onClose }: SaveMovieProps) {
  const title = usePage(titleOf)
  const missing = whyNoVideo()
  const [kind, setKind] = useState<FilmKind>(missing === undefined ? 'webm' : 'gif')
  const [sizeIndex, setSizeIndex] = useState(0)
  const [rate, setRate] = useState<number>(FRAME_RATES[kind][0])
  const [seconds, setSeconds] = useState(String(DEFAULT_SECONDS))
  const { done: progress, message, save, cancel } = useRendering(film, title)
  const length = Number(seconds)
  const sizes = FILM_SIZES[kind]
  const wrong = !(length >= SHORTEST_FILM && length <= LONGEST_FILM[kind])
  const busy = progress !== undefined
  const format = { kind, ...(sizes[sizeIndex] ?? sizes[0]), framesPerSecond: rate, seconds: length }
  const choose = (chosen: FilmKind) => {
    setKind(chosen)
    setSizeIndex(0)
    setRate(FRAME_RATES[chosen][0])
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
          if (!wrong && !busy) void save(format)
        }}
      >
        <KindRow kind={kind} disabled={busy || missing !== undefined} missing={missing} choose={choose} />
        <ChoiceRow
          id="movie-size"
          label="Size"
          value={sizeIndex}
          options={sizes.map(({ width, height }, i) => [i, `${width} × ${height}`])}
          disabled={busy}
          choose={setSizeIndex}
          caption="pixels, in the colours of the page"
        />
        <ChoiceRow
          id="movie-rate"
          label="Frames"
          value={rate}
          options={FRAME_RATES[kind].map(rate => [rate, `${rate} per second`])}
          disabled={busy}
          choose={setRate}
          caption={wrong ? '' : `${count(framesOf(format))} frames`}
        />
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
            <p className="form-wrong">{`A number from ${SHORTEST_FILM} to ${LONGEST_FILM[kind]}.`}</p>
          ) : (
            <p className="caption">{speedCaption(film.range.t1 - film.range.t0, length)}</p>
          )}
        </div>
      </form>
      {progress && (
        <progress className="movie-progress" aria-label="Frames drawn" value={progress[0]} max={progress[1]} />
      )}
      <p role="status">{progress ? `Frame ${count(progress[0])} of ${count(progress[1])} …` : message}</p>
      <footer className="dialog-foot">
        {busy ? (
          <button type="button" className="button large" onClick={cancel}>
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

const speedCaption = (span: number, seconds: number): string =>
  `${duration(span)} of the trace at ${speedWords(span / 1e9 / seconds)}`

interface KindRowProps {
  readonly kind: FilmKind
  readonly disabled: boolean
  /** Why this browser cannot encode video; `undefined` if it can. */
  readonly missing: string | undefined
  choose(kind: FilmKind): void
}

function KindRow({ kind, disabled, missing, choose }: KindRowProps) {
  return (
    <div className="form-row">
      <label htmlFor="movie-kind">Format</label>
      <select
        id="movie-kind"
        className="field"
        value={kind}
        disabled={disabled}
        onChange={event => choose(FILM_KINDS.find(kind => kind === event.target.value) ?? 'webm')}
      >
        {FILM_KINDS.map(kind => (
          <option key={kind} value={kind}>
            {FILM_NAMES[kind]}
          </option>
        ))}
      </select>
      <p className="caption">
        {missing ??
          (kind === 'gif' ? 'repeats; for mails and trackers that show no video' : 'for players and browsers')}
      </p>
    </div>
  )
}

interface ChoiceRowProps {
  readonly id: string
  readonly label: string
  readonly value: number
  readonly options: readonly (readonly [value: number, text: string])[]
  readonly disabled: boolean
  readonly caption: string
  choose(value: number): void
}

function ChoiceRow({ id, label, value, options, disabled, caption, choose }: ChoiceRowProps) {
  return (
    <div className="form-row">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="field"
        value={value}
        disabled={disabled}
        onChange={event => choose(Number(event.target.value))}
      >
        {options.map(([value, text]) => (
          <option key={text} value={value}>
            {text}
          </option>
        ))}
      </select>
      <p className="caption">{caption}</p>
    </div>
  )
}
