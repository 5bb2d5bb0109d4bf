/** Requests one by one: the life of one, and rows of their table. */
import type { Ns, Sector } from '../../lib/units'
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

/** The whole life of one request. */
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
  readonly queued?: Ns
  readonly allocated?: Ns
  readonly inserted?: Ns
  readonly issued?: Ns
  readonly completed?: Ns
  readonly alignment?: AlignmentClass
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
