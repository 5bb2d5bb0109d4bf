/** Runs beside each other: what a comparison takes, and the document of `compare --json`. */
import type { FindingCode } from '../../lib/docs'
import type { SummaryDevice } from '../summary'
import type { BenchFigure } from './notes'

export type { FindingCode }

/** What a trace takes to a comparison. Its inside is the engine's own. */
export interface Digest {
  readonly name: string
  readonly devices: readonly {
    readonly dev: string
    readonly name: string
    readonly role: 'disk' | 'remapped' | 'stacked'
    /** The geometry that was given for it. */
    readonly array?: object
    readonly suggestion?: SummaryDevice['geometry_suggestion']
  }[]
}

export interface ComparedRun {
  readonly label: string
  /** Its release. */
  readonly kernel?: string
  /** Runs of one group are repeats of one thing. */
  readonly group?: string
  /** `vda` or `254,0`; absent: the array, else the disk that was asked for most. */
  readonly device?: string
  readonly trace: Digest
  readonly bench?: readonly BenchFigure[]
}

export interface CompareQuery {
  readonly runs: readonly ComparedRun[]
  /** Index of the run with which the others are compared. */
  readonly baseline: number
}

/** Of runs in groups. */
export interface Spread {
  readonly n: number
  readonly mean: number
  readonly sd: number
}

export interface ComparedFigure {
  readonly key: string
  readonly label: string
  /** `ns`, `share`, `bytes`, `bytes/s`, `count`, `number`, `1/s`, `sectors`, `requests`, `bios`. */
  readonly unit: string
  /** Absent: neither side is good. */
  readonly good?: 'less' | 'more'
  /** One a run; `null` where it does not apply. */
  readonly values: readonly (number | null)[]
  /** One a side, where runs are grouped; `null` for a side of one run. */
  readonly groups?: readonly (Spread | null)[]
  /** Side to baseline. */
  readonly ratio?: number
  /** Of the ratio. */
  readonly ci95?: readonly [number, number]
  /** More than noise, and than the threshold. */
  readonly real: boolean
}

/** Where a finding can be seen. */
export type EvidenceChart = 'queue-depth' | 'seek-map' | 'stages' | 'latency' | 'request-sizes' | 'flushes' | 'alignment' | 'quality' | 'differences'

export interface Finding {
  readonly code: FindingCode
  /** From 1 on. */
  readonly rank: number
  readonly sentence: string
  /** Of the baseline and of the other side, by key. */
  readonly figures: Readonly<Record<string, readonly [number | null, number | null]>>
  readonly evidence: {
    readonly chart: EvidenceChart
    /** Index of the run to look at. */
    readonly run: number
    /** ns since the run's first event. */
    readonly range?: readonly [number, number]
  }
  /** With its thresholds. */
  readonly rule: string
  /** Part of the lost time, at most: above 0, up to 1. Absent where no time is lost, or the trace gives none for it. */
  readonly accounts_for?: number
}

/** The baseline and one other side. */
export interface Comparison {
  /** Index of the other side. */
  readonly side: number
  readonly work: { readonly same: boolean; readonly why: string }
  readonly outcome: 'slower' | 'faster' | 'equal'
  /** The same in words. */
  readonly verdict: string
  /** Least change that is called real: 0.25 is a quarter. */
  readonly threshold: number
  /** Time that the side needs more than the baseline for the same work, ns; the parts add up to the total. */
  readonly lost_ns?: Readonly<Record<'total' | 'starved' | 'busy_waiting' | 'busy' | 'nobody', number>>
  readonly figures: readonly ComparedFigure[]
  readonly findings: readonly Finding[]
}

/** The fields of a comparison are absent when there is only one side. */
export interface CompareDocument extends Partial<Comparison> {
  readonly schema: 1
  readonly runs: readonly {
    readonly label: string
    readonly group?: string
    /** Its name. */
    readonly trace: string
    readonly device?: string
    readonly events: number
  }[]
  readonly sides: readonly { readonly label: string; readonly runs: readonly number[] }[]
  readonly baseline: number
  /** With the sides after the first other one. */
  readonly more?: readonly Comparison[]
}
