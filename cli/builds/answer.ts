/** What `seekscope builds` found, as its outputs take it. */
import type { BuildsReport, OverBuilds } from '../../web/fleet/changes/overBuilds'
import type { BuildsCause } from './causes'

/** All that is printed. */
export interface BuildsAnswer {
  readonly by: string
  readonly input: OverBuilds
  readonly report: BuildsReport
  /** By event. */
  readonly causes: readonly (BuildsCause | undefined)[]
  /** Runs without a build. */
  readonly unplaced: number
  /** Values that lost events or the clock make unreliable. */
  readonly unreliable: number
}
