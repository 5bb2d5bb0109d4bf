/** Which requests take part: stripe geometry, filter, range, and the parts of the LBA axis. */
import type { Geometry } from '../../lib/geometry'
import type { Ns, Sector } from '../../lib/units'

export type { Geometry }

export const OPS = ['read', 'write', 'discard', 'flush'] as const
export type Op = (typeof OPS)[number]
export const FLAGS = ['sync', 'fua', 'meta', 'ahead', 'preflush', 'passthrough'] as const
export type Flag = (typeof FLAGS)[number]
export const ALIGNMENT_CLASSES = ['full', 'unit', 'inside', 'straddles'] as const
export type AlignmentClass = (typeof ALIGNMENT_CLASSES)[number]
export const STAGES = ['q2c', 'd2c', 'q2d', 'q2g', 'g2i', 'i2d', 'g2d'] as const
export type Stage = (typeof STAGES)[number]

/** Which requests of one device take part. What is absent does not restrict. */
export interface Filter {
  /** `DeviceInfo.index`. */
  readonly device: number
  readonly hideOps?: readonly Op[]
  /** A request that carries one of these is left out. */
  readonly hideFlags?: readonly Flag[]
  /** `ProcessInfo.index` of those left out. */
  readonly hideProcesses?: readonly number[]
  readonly hideCpus?: readonly number[]
  /** Needs `geometry`. */
  readonly hideAlignment?: readonly AlignmentClass[]
  readonly geometry?: Geometry
  /** [from, to): requests that touch it; flushes have no place and are left out. */
  readonly lba?: readonly [Sector, Sector]
  /** Least and most length, both included. */
  readonly sectors?: readonly [number, number]
  /**
   * Least and most Q2C (D2C where no Q is known), ns, both included; leaves out what did not complete. Bios as queued
   * are not judged by it.
   */
  readonly latency?: readonly [Ns, Ns]
}

/**
 * [from, to) in ns; one that ends at `TraceInfo.span` includes the last event. A request belongs to the range in
 * which it starts (D of a disk's request, Q of a stacked device's bio), so counts of neighbouring ranges add up;
 * exceptions are documented at their query.
 */
export interface Range {
  readonly t0: Ns
  readonly t1: Ns
}

/** A part of the LBA axis and the pixel rows it is drawn on; y0 < y1 counted from the top; high LBA is on top. */
export interface Band {
  readonly lba0: Sector
  readonly lba1: Sector
  readonly y0: number
  readonly y1: number
}
