/** The result of `seekscope builds`, for all its outputs. */
import type { BuildsCause } from '../../web/engine/protocol'
import type { BuildsReport, OverBuilds } from '../../web/fleet/changes/overBuilds'

export interface BuildsAnswer {
  readonly labelName: string
  readonly input: OverBuilds
  readonly report: BuildsReport
  /** Cause of each event, by its index. */
  readonly causes: readonly (BuildsCause | undefined)[]
  /** Number of runs without a build. */
  readonly unplaced: number
  /** Number of values that are unreliable because of lost events or the clock. */
  readonly unreliable: number
}
