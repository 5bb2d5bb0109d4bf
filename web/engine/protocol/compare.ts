/** Comparisons of runs: their input, and the document of `compare --json`. */
import type { FindingCode, RunFindingCode } from '../../lib/docs'
import type { LaneUnit } from '../../lib/lanes'
import type { Digest, FigureInterval } from './digest'
import type { BenchFigure, Setting } from './notes'
import type { TimeWindow } from './trace'

export type { FindingCode, RunFindingCode }

export interface ComparedRun {
  readonly label: string
  /** Its release. */
  readonly kernel?: string
  /** Runs of one group are repeats. */
  readonly group?: string
  /** `vda` or `254,0`; absent: the array, else the disk with the most requested bytes. */
  readonly device?: string
  readonly trace: Digest
  readonly bench?: readonly BenchFigure[]
  readonly settings?: readonly Setting[]
}

/** What repeats differ by in a figure: in its logarithm, in shares by themselves. */
export interface FigureNoise {
  /** Pairs of repeats it was measured on. */
  readonly pairs: number
  readonly sd: number
  /** 95 % of the pairs differ by less. */
  readonly p95: number
}

/** Document of `seekscope noise --json`. By key of the figure. */
export interface NoiseTable {
  readonly schema: 1
  readonly reads: Readonly<Record<string, FigureNoise>>
  readonly writes: Readonly<Record<string, FigureNoise>>
}

export interface CompareQuery {
  readonly runs: readonly ComparedRun[]
  /** Index of the run with which the others are compared. */
  readonly baseline: number
  /** Absent: the table that comes with the engine. */
  readonly noise?: NoiseTable
}

/** Of runs in groups. */
export interface Spread {
  readonly n: number
  readonly mean: number
  readonly sd: number
}

/** 95 % interval of a ratio; `null`: open, beyond all that was measured. */
export type RatioInterval = readonly [least: number, most: number | null]

export interface ComparedFigure {
  readonly key: string
  readonly label: string
  /** `ns`, `share`, `bytes`, `bytes/s`, `count`, `number`, `1/s`, `sectors`, `requests`, `bios`. */
  readonly unit: string
  /** Absent: neither side is good. */
  readonly good?: 'less' | 'more'
  /** One per run; `null` where it does not apply. */
  readonly values: readonly (number | null)[]
  /** One per side, where runs are grouped; `null` for a side of one run. */
  readonly groups?: readonly (Spread | null)[]
  /** Side to baseline. */
  readonly ratio?: number
  readonly ci95?: RatioInterval
  /** More than noise, and than the threshold. */
  readonly real: boolean
  /** Of the side against the baseline; absent where one of them lacks the figure. */
  readonly verdict?: Verdict
  /** Indexes of runs in which lost events or the clock make it unreliable. */
  readonly unreliable?: readonly number[]
  /**
   * If all figures that are as certain or more were called different, this share of them would be so by chance. Absent
   * for totals.
   */
  readonly fdr?: number
  /** By run; `null` where it has none. Absent in links. */
  readonly intervals?: readonly (FigureInterval | null)[]
  /** By run: about how many requests an interval of this percentile needs; `null` where the run has enough. */
  readonly needs?: readonly (number | null)[]
  /** By run: why it lacks the figure, if that is because of what was recorded; `null` where it does not. */
  readonly absent?: readonly (string | null)[]
  /** Of what is not significant: what would be, as a share, of shares as a difference; absent in links. */
  readonly least_change?: number
  /** Measured by a benchmark, not in the trace. */
  readonly application?: boolean
}

/**
 * What a pair of figures amounts to. `changed`: significant, but neither direction is better; `noise`: too small to
 * tell from chance, or below the threshold; `unsure`: more runs would tell, as a large difference can be noise, or
 * repeats differ by as much as a certain one, or a total is not shown to be equal; `equal`: the same value, of a total
 * also one that is shown to be equal; `unreliable`: events of one of the two were lost, or its times cannot
 * be trusted.
 */
export type Verdict = 'better' | 'worse' | 'changed' | 'equal' | 'noise' | 'unsure' | 'unreliable'

/** A sentence, so that each output formats numbers in its own way. */
export type Sentence = readonly SentencePart[]
/** Text, a value, or the label of a side. */
export type SentencePart =
  | string
  /** `name` is stable. `unit`: as of a figure, or `factor`: a ratio to print as `×19` or `−48%`. */
  | { readonly name: string; readonly value: number; readonly unit: string }
  /** Index into `sides`. */
  | { readonly side: number }

/** Where a finding can be seen. */
export type EvidenceChart =
  | 'queue-depth'
  | 'seek-map'
  | 'stages'
  | 'latency'
  | 'request-sizes'
  | 'flushes'
  | 'alignment'
  | 'quality'
  | 'differences'
  | 'tail'

/** A setting with two values. */
export interface SettingChange {
  /** As in sysfs: `read_ahead_kb`. */
  readonly name: string
  /** Absent: of the compared device or of the machine. */
  readonly devices?: readonly string[]
  /** Of the baseline and of the other side; `null`: not set. */
  readonly values: readonly [string | null, string | null]
}

/** A value of what held requests back, from its own tracepoints, while requests waited. */
export interface LimiterReason {
  readonly by: 'wbt' | 'kyber' | 'iocost' | 'tags'
  /** Of its lane: `background`, `throttled`. */
  readonly name: string
  readonly unit: string
  /** Of the baseline and of the other side; `null`: no such limit. */
  readonly values: readonly [number | null, number | null]
}

/** A share of what a finding concerns. */
export interface FindingShare {
  readonly kind: 'process' | 'cgroup' | 'partition'
  /** `dd [101]`; a path, or `cgroup` and its id; `vda1`. */
  readonly name: string
  readonly share: number
  readonly of: 'requests' | 'bytes' | 'waiting' | 'starved' | 'device' | 'flushes' | 'throttled' | 'failed'
}

/** Where the effect of a finding is concentrated in the run of its evidence. */
export interface FindingTime {
  /** ns since the run's first event, the strongest first; empty if it is spread over the run. */
  readonly intervals: readonly (readonly [number, number])[]
  /** Share of the effect in them. */
  readonly share: number
  /** Their share of the run; 1 if it is spread. */
  readonly of_run: number
}

export interface Finding {
  readonly code: FindingCode
  /** From 1 on. */
  readonly rank: number
  /** In ASCII. */
  readonly sentence: string
  /** The same in parts; absent in snapshots made before it existed. */
  readonly parts?: Sentence
  /** Of the baseline and the other side, by key. */
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
  /**
   * Upper bound of its share of the lost time: above 0, up to 1. Absent where no time is lost, where that is unsure, or
   * where the trace gives none for it.
   */
  readonly accounts_for?: number
  /** Whose requests it concerns, the largest shares first; at most three of a kind. */
  readonly who?: readonly FindingShare[]
  readonly when?: FindingTime
  /** `who` and `when` in words. */
  readonly focus?: Sentence
  /** What held requests back on the worse side, and less on the other one. */
  readonly held?: readonly LimiterReason[]
  /** Changed settings that can explain it; of `setting-changed` all that differ. */
  readonly settings?: readonly SettingChange[]
}

/** The baseline and one other side. */
export interface Comparison {
  /** Index of the other side. */
  readonly side: number
  readonly work: { readonly same: boolean; readonly why: string; readonly parts?: Sentence }
  /** `unsure`: more runs would tell. The findings then say what behaves differently. */
  readonly outcome: 'slower' | 'faster' | 'unsure' | 'equal'
  /** The same in words, ASCII. */
  readonly verdict: string
  readonly verdict_parts?: Sentence
  /** Minimum significant change of throughput, or of run time where nothing is read or written: 0.25 is 25%. */
  readonly threshold: number
  /** Largest change of it that does not matter: 0.05 is 5%. Absent in snapshots made before it existed, as the next. */
  readonly margin?: number
  /** 90% interval of its ratio, with what repeats differ by: the sides are equal if it is within the margin. */
  readonly ci90?: readonly [number, number]
  /** About how many more runs of each side would settle an unsure outcome; absent for more than 100. */
  readonly more_runs?: number
  /** Time that the side needs more than the baseline for the same work, ns; the parts add up to the total. */
  readonly lost_ns?: Readonly<Record<'total' | 'starved' | 'busy_waiting' | 'busy' | 'nobody', number>>
  readonly figures: readonly ComparedFigure[]
  readonly findings: readonly Finding[]
}

/** A counter of other tools: context of a comparison. */
export interface ContextRow {
  /** `iostat -x`. */
  readonly tool: string
  /** `vda`, `machine`. */
  readonly of: string
  readonly name: string
  readonly unit: LaneUnit
  readonly values: readonly (number | null)[]
}

/** A finding about one run, by what it shows itself. */
export interface RunFinding {
  readonly code: RunFindingCode
  /** From 1 on. */
  readonly rank: number
  /** In ASCII. */
  readonly sentence: string
  readonly parts: Sentence
  /** By key. */
  readonly figures: Readonly<Record<string, number>>
  readonly evidence: Finding['evidence']
  /** Intervals in which it is concentrated. */
  readonly when?: FindingTime
  /** With its thresholds. */
  readonly rule: string
  /** Share of the run's time that it concerns; absent for what is no time of the device. */
  readonly share?: number
}

/** What the time of the slowest requests of a run went to. */
export interface TailOutline {
  readonly stage: 'q2c' | 'd2c'
  readonly threshold_ns: number
  /** Above it. */
  readonly requests: number
  /** The largest first. */
  readonly causes: readonly { readonly cause: string; readonly label: string; readonly share: number }[]
}

/** What a run shows by itself. */
export interface RunExplanation {
  /** Index into `runs`. */
  readonly run: number
  /** The most important first; at least one. */
  readonly findings: readonly RunFinding[]
  /** Absent without requests. */
  readonly tail?: TailOutline
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
    /** The part of its recording that was read, if not all. */
    readonly window?: TimeWindow
  }[]
  readonly sides: readonly { readonly label: string; readonly runs: readonly number[] }[]
  readonly baseline: number
  /** With the sides after the first other one. */
  readonly more?: readonly Comparison[]
  /** Where there is only one side: what each run shows by itself. */
  readonly alone?: readonly RunExplanation[]
  /** Figures left out of `figures` because they are 0 in all runs that have them. */
  readonly zero?: readonly { readonly key: string; readonly label: string }[]
  /** Of a snapshot of size XS: figures and findings that it leaves out. */
  readonly left_out?: readonly [number, number]
  /** Means of counters of other tools, without ratio and verdict; one value per run. */
  readonly context?: readonly ContextRow[]
}

/** All figures of runs in the cells of a matrix. */
export interface MatrixQuery {
  /** Groups are ignored: cells take their place. */
  readonly runs: readonly ComparedRun[]
  /** Indexes of the runs of each cell; may be empty. */
  readonly cells: readonly (readonly number[])[]
  /** Indexes of cells to compare: base, other. */
  readonly pairs: readonly (readonly [base: number, other: number])[]
  /** Indexes of the cells of each column, whose extremes are marked. */
  readonly columns: readonly (readonly number[])[]
  /** Indexes of pairs that belong together: the matched cells of two lines. */
  readonly sweeps?: readonly (readonly number[])[]
  /** Comparisons that a snapshot holds: its digests may lack the errors of figures. */
  readonly known?: readonly KnownComparison[]
}

/** Runs are indexes into those of the query. */
export interface KnownComparison {
  readonly base: readonly number[]
  readonly other: readonly number[]
  readonly figures: readonly ComparedFigure[]
}

export interface MatrixAnswer {
  /** All that at least one run has; those of benchmarks first. */
  readonly figures: readonly MatrixFigure[]
}

export interface MatrixFigure {
  readonly key: string
  readonly label: string
  /** As of a compared figure. */
  readonly unit: string
  readonly good?: 'less' | 'more'
  /** Measured by a benchmark, not in the trace. */
  readonly application: boolean
  /** Of a figure of a benchmark: where it stands in a table of all of them. */
  readonly section?: FigureSection
  /** Of a mean: the figures with its spread within a run. */
  readonly beside?: SpreadKeys
  /** How its cells are written. */
  readonly notation: Notation
  /** By run; `null` where it does not apply. */
  readonly values: readonly (number | null)[]
  /** Indexes of runs in which lost events or the clock make it unreliable. */
  readonly unreliable: readonly number[]
  /** By run: why it lacks the figure, if that is because of what was recorded. */
  readonly absent?: readonly (string | null)[]
  /** By cell. */
  readonly cells: readonly CellFigure[]
  /** By pair; `null` where one of the cells lacks the figure. */
  readonly changes: readonly (CellChange | null)[]
  /** By pair: minimum significant change, a share of the value; of the unit `share` a difference. */
  readonly thresholds: readonly number[]
  /** By sweep of the query; `null` where fewer than two of its pairs have the figure. */
  readonly sweeps?: readonly (SweepTest | null)[]
}

/** What the matched cells of two lines show together. */
export interface SweepTest {
  /** Cells that both lines have. */
  readonly cells: number
  /** Of these, cells with a larger value than the base. */
  readonly more: number
  readonly less: number
  /** The smallest and the largest ratio of a cell to the base. */
  readonly lowest: number
  readonly highest: number
  /** The ratios as changes, in ASCII: `-50% to +12%`. */
  readonly changes: string
  /** Absent for too few cells. */
  readonly p?: number
  readonly verdict: Verdict
}

/** In the order in which a reader looks at them. */
export const FIGURE_SECTIONS = ['throughput', 'rate', 'latency', 'percentile', 'other'] as const
export type FigureSection = (typeof FIGURE_SECTIONS)[number]

/** Keys of figures. */
export interface SpreadKeys {
  /** Of the unit `share` a part of the mean. */
  readonly sd?: string
  readonly least?: string
  readonly most?: string
}

/** One unit and as many decimals for all cells of a figure. */
export interface Notation {
  /** A value is divided by this. */
  readonly per: number
  /** In ASCII; empty for none. */
  readonly unit: string
  readonly decimals: number
}

export interface CellFigure {
  /** Runs that have it. */
  readonly n: number
  readonly mean?: number
  /** Between the runs, from two on. */
  readonly spread?: { readonly least: number; readonly most: number; readonly sd: number }
  /** Of a single run: the standard deviation that its text prints, of an unknown number of values. */
  readonly printed_sd?: number
  readonly unreliable: boolean
  /** At which end of its column, if the two ends differ significantly. */
  readonly mark?: 'best' | 'worst' | 'most' | 'least'
}

export interface CellChange {
  readonly verdict: Verdict
  readonly ratio?: number
  readonly ci95?: RatioInterval
}
