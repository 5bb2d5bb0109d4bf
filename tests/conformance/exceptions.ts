/** Where figures may differ from the native tools. Each reason is a heading in docs/measures.md. */
import type { SummaryStage } from '../../web/engine/summary'

type Reason = 'split'

export interface Exception {
  /** Name of the recording's folder in tests/fixtures. */
  readonly fixture: string
  /** Base name of the files of one device, when it does not concern the others. */
  readonly base?: string
  readonly stages: readonly SummaryStage[]
  readonly reason: Reason
}

/** Tables of btt whose rows are computed from the excepted stages. */
export const AFFECTED_TABLES: readonly string[] = ['Device Overhead', 'I/O Active Period Information', 'Q2D Histogram']

const AFTER_SPLIT = ['g2i', 'i2d', 'd2c', 'q2c'] as const

export const EXCEPTIONS: readonly Exception[] = [
  { fixture: 'discard', stages: AFTER_SPLIT, reason: 'split' },
  { fixture: 'dm-remap', base: 'dm-1', stages: ['q2c'], reason: 'split' },
  { fixture: 'ext4-buffered-6.1', stages: AFTER_SPLIT, reason: 'split' },
  { fixture: 'ext4-buffered-6.12', stages: AFTER_SPLIT, reason: 'split' },
]
