/** Requests one by one: the life of one, and rows of their table. */
import type { Ns, Sector } from '../../lib/units'
import type { ZoneKind } from '../../lib/zones'
import type { AlignmentClass, Op } from './filter'

export interface LifeEvent {
  /** Action letter as blkparse prints it. */
  readonly action: string
  readonly rwbs: string
  readonly at: Ns
  readonly cpu: number
  readonly pid: number
  readonly process: string
  readonly sector: Sector
  readonly sectors: number
  /** What it does to a zone. */
  readonly zone?: ZoneKind
}

/** Of a request to a zoned disk. */
export interface LifeZone {
  readonly number: number
  readonly conventional: boolean
  /** What it did to the zone; absent for reads and writes in order. */
  readonly kind?: ZoneKind
  /** Write pointer before it, where it is known. */
  readonly pointer?: Sector
}

export interface LifeBio {
  readonly sector: Sector
  readonly sectors: number
  readonly queuedAt: Ns
  readonly pid: number
  readonly process: string
  /** How it joined the request. */
  readonly joined: 'first' | 'back-merge' | 'front-merge' | 'request-merge' | 'split'
}

/** The complete life of one request. */
export interface Life {
  readonly row: number
  readonly dev: string
  readonly op: Op
  readonly rwbs: string
  readonly sector: Sector
  readonly sectors: number
  readonly pid: number
  readonly process: string
  readonly via?: string
  readonly submitCpu?: number
  readonly completeCpu?: number
  /** errno (5 for EIO); absent when it succeeded. */
  readonly error?: number
  /** The same in words; absent in snapshots of older versions. */
  readonly errorWords?: string
  readonly queued?: Ns
  readonly allocated?: Ns
  readonly inserted?: Ns
  readonly issued?: Ns
  readonly completed?: Ns
  readonly alignment?: AlignmentClass
  readonly zone?: LifeZone
  readonly events: readonly LifeEvent[]
  readonly bios: readonly LifeBio[]
  /** Requests of the same device issued between this one's Q and D, by process, most first. */
  readonly overtaken: readonly { readonly process: string; readonly n: number }[]
  /** 1 = the longest Q2C (D2C without Q) of the device. */
  readonly rank: number
}

export interface RequestRow {
  readonly row: number
  readonly op: Op
  readonly rwbs: string
  readonly sector: Sector
  readonly sectors: number
  readonly process: string
  readonly queued?: Ns
  readonly issued?: Ns
  readonly completed?: Ns
}

/**
 * Complete rows as columns, in time order. ns and bytes; `NaN`: unknown or not applicable. Names are indices into
 * `names`.
 */
export interface RequestColumns {
  readonly n: number
  /** Where to go on; -1 behind the last row. */
  readonly next: number
  readonly names: Readonly<Record<'op' | 'rwbs' | 'flags' | 'alignment', readonly string[]>>
  readonly row: Uint32Array
  /** `DeviceInfo.index`. */
  readonly device: Uint32Array
  readonly op: Uint8Array
  readonly rwbs: Uint32Array
  /** One bit each. */
  readonly flags: Uint8Array
  readonly sector: Float64Array
  readonly bytes: Uint32Array
  /** `ProcessInfo.index`. */
  readonly process: Float64Array
  /** CPU of the first bio's Q, or of D without one. */
  readonly submitCpu: Float64Array
  readonly completeCpu: Float64Array
  readonly bios: Float64Array
  /** errno; 0: it succeeded. */
  readonly error: Float64Array
  readonly queued: Float64Array
  readonly allocated: Float64Array
  readonly inserted: Float64Array
  readonly issued: Float64Array
  readonly completed: Float64Array
  readonly q2c: Float64Array
  readonly d2c: Float64Array
  readonly q2d: Float64Array
  readonly q2g: Float64Array
  readonly g2i: Float64Array
  readonly i2d: Float64Array
  readonly g2d: Float64Array
  /** One more than the number of its name; 0: none. */
  readonly alignment: Uint8Array
}
