/** A surface that records draw calls, for tests. */
import type { Surface } from './surface'

interface SurfaceCall {
  readonly name: string
  readonly args: readonly number[]
  /** State at the time of the call. */
  readonly fill: string
  readonly stroke: string
  readonly alpha: number
  readonly dash: readonly number[]
}

export interface SurfaceRecorder extends Surface {
  readonly calls: readonly SurfaceCall[]
  /** Rectangles filled in one colour, [x, y, w, h]. */
  filled(colour: string): readonly (readonly number[])[]
}

export function createRecorder(): SurfaceRecorder {
  const calls: SurfaceCall[] = []
  let dash: readonly number[] = []
  const recorder = {
    fillStyle: '',
    strokeStyle: '',
    lineWidth: 1,
    globalAlpha: 1,
    imageSmoothingEnabled: true,
    calls,
    setLineDash: (segments: number[]) => {
      dash = segments
    },
    filled: (colour: string) => calls.filter(c => c.name === 'fillRect' && c.fill === colour).map(c => c.args),
  }
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push({
        name,
        args: args.filter(a => typeof a === 'number'),
        fill: String(recorder.fillStyle),
        stroke: String(recorder.strokeStyle),
        alpha: recorder.globalAlpha,
        dash,
      })
    }
  const names = [
    'beginPath',
    'moveTo',
    'lineTo',
    'rect',
    'closePath',
    'fill',
    'stroke',
    'clip',
    'save',
    'restore',
    'fillRect',
    'strokeRect',
    'drawImage',
  ] as const
  const methods = Object.fromEntries(names.map(name => [name, note(name)])) as Record<
    (typeof names)[number],
    (...args: unknown[]) => void
  >
  return Object.assign(recorder, methods)
}
