/** Digests: what a comparison takes of a run. */
import type { SummaryDevice } from '../summary'

/** 95 % interval of a figure within its run, in the figure's unit; `null`: open. */
export type FigureInterval = readonly [low: number, high: number | null]

/** All figures of a trace that a comparison needs. The page uses only these fields. */
export interface Digest {
  readonly name: string
  readonly devices: readonly DeviceDigest[]
}

export interface DeviceDigest {
  readonly dev: string
  readonly name: string
  readonly role: 'disk' | 'remapped' | 'stacked'
  /** The geometry that was given for it. */
  readonly array?: object
  readonly suggestion?: SummaryDevice['geometry_suggestion']
  /** The run in pieces, and the errors of figures estimated from them. */
  readonly bins: {
    readonly width: number
    readonly sums: object
    readonly errors?: object
    /** By key of the figure; in links of those that charts draw. */
    readonly intervals?: Readonly<Record<string, FigureInterval>>
  }
}

/** A figure that a digest may have. */
export interface DigestFigure {
  readonly key: string
  readonly label: string
  readonly unit: string
  /** Whether digests have its parts over time. */
  readonly sampled: boolean
  /** Whether a run can give it an interval. */
  readonly interval: boolean
}
