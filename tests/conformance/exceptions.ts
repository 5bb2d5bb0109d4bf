/** Where figures may differ from the native tools. Each reason is a heading in docs/measures.md. */
import type { SummaryStage } from '../../web/engine/summary'

export type Reason = 'split'

export interface Exception {
  /** Folder of tests/fixtures. */
  readonly fixture: string
  readonly stages: readonly SummaryStage[]
  readonly reason: Reason
}

const AFTER_SPLIT = ['g2i', 'i2d', 'd2c', 'q2c'] as const

export const EXCEPTIONS: readonly Exception[] = [
  { fixture: 'discard', stages: AFTER_SPLIT, reason: 'split' },
  { fixture: 'ext4-buffered-6.1', stages: AFTER_SPLIT, reason: 'split' },
  { fixture: 'ext4-buffered-6.12', stages: AFTER_SPLIT, reason: 'split' },
]
