import { encodeLink } from '../../web/link/link'
import { LETTERS } from '../../web/link/view'
import type { OptionValues } from '../program/options'
import { UsageError } from '../program/usage'
import { readGeometry, readRange, required } from '../program/values'
import type { FilmOptions } from '../sharing/movie'
import type { CommandDefinition } from './shared/definition'

export const movie: CommandDefinition = {
  group: 'Sharing',
  summary: 'Write playback of the seek map and the queue as a video or GIF',
  about: [
    'Draws up to four runs on one clock, as Playback on the page does: what is in flight, what was completed, ' +
      'and counters per run. The video is WebM (VP9, or VP8 where the browser has no VP9); FILE.gif is an ' +
      'animated GIF that repeats.',
    'A browser draws it, without a window and with a profile of its own that is removed afterwards: Chromium, ' +
      'Chrome, Edge, Brave or Firefox. It gets the traces as from open, on 127.0.0.1 only.',
  ],
  operands: 'paths',
  options: [
    ['output', 'write FILE.webm or FILE.gif'],
    'resolution',
    'fps',
    'duration',
    'range',
    ['title', 'title of the video (default: the labels)'],
    ['label', 'label of a run; repeat it, in the order of the paths'],
    ['device', 'show device vda, md0 or 254,0 (default: the array, else the busiest disk)'],
    'stripe',
    ['dark', 'light text on a dark background'],
    'browser',
  ],
  required: ['output'],
  examples: [
    'movie before after -o comparison.webm',
    'movie --duration 10 before after -o comparison.gif',
    'movie --range 10:12 --resolution 1920x1080 --duration 20 before after -o burst.webm',
  ],
  async run({ operands, values }) {
    const output = required('movie', values.output, '-o FILE.webm')
    await (await import('../sharing/movie')).movie(operands, {
      output,
      ...readFilm(values),
      ...readRange(values),
    })
  },
}

const listOf = (numbers: readonly number[]): string => `${numbers.slice(0, -1).join(', ')} or ${numbers.at(-1)}`

const readNumber = (option: string, text: string, min: number, max: number): number => {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value < min || value > max)
    throw new UsageError(`--${option}: ${text} is not a number from ${min} to ${max}`)
  return value
}

/** Defaults and bounds of `--fps` and `--duration` by kind of film. Frames of a GIF last a multiple of 10 ms. */
const FILMS = {
  webm: { resolution: '1280x720', fps: '30', widest: 3840, highest: 2160, longest: 300 },
  gif: { resolution: '960x540', fps: '10', widest: 1920, highest: 1080, longest: 60 },
} as const
const GIF_RATES = [1, 2, 4, 5, 10, 20, 25, 50]

export function readFilm(values: OptionValues): FilmOptions {
  const kind = (['webm', 'gif'] as const).find(name => values.output?.toLowerCase().endsWith(`.${name}`))
  if (!kind) throw new UsageError(`-o: ${values.output ?? ''} must end in .webm or .gif`)
  const film = FILMS[kind]
  const {
    resolution = film.resolution,
    fps = film.fps,
    duration = '25',
    browser,
    title,
    label = [],
    device,
    dark,
  } = values
  const sizes = /^(\d{3,4})x(\d{3,4})$/.exec(resolution)
  const [width, height] = [Number(sizes?.[1]), Number(sizes?.[2])]
  const fits = (px: number, min: number, max: number) => px >= min && px <= max && px % 2 === 0
  if (!fits(width, 640, film.widest) || !fits(height, 360, film.highest)) {
    throw new UsageError(
      `--resolution: ${resolution} is not WIDTHxHEIGHT with even numbers, 640x360 to ${film.widest}x${film.highest}`,
    )
  }
  const framesPerSecond = readNumber('fps', fps, 1, 60)
  if (kind === 'gif' && !GIF_RATES.includes(framesPerSecond))
    throw new UsageError(`--fps: a GIF has ${listOf(GIF_RATES)} frames per second, not ${fps}`)
  const link = encodeLink({
    ...(title !== undefined && { title }),
    ...(label.length > 0 && { labels: Object.fromEntries(label.map((text, i) => [LETTERS[i] ?? '', text])) }),
    ...(device !== undefined && { device }),
    ...readGeometry(values),
  })
  return {
    format: {
      kind,
      width,
      height,
      framesPerSecond,
      seconds: readNumber('duration', duration, 1, film.longest),
      theme: dark ? 'dark' : 'light',
    },
    ...(browser !== undefined && { browser }),
    view: link.replace(/^v=\d+/, ''),
  }
}
