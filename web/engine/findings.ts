/** Where the documents explain findings. */
import { FINDINGS } from '../lib/docs'
import type { FindingCode, RunFindingCode } from './generated/protocol'

/** Where `docs/findings.md` explains a finding, or how noise is judged. */
export const explained = (place: FindingCode | RunFindingCode | 'how-noise-is-judged'): string => `${FINDINGS}#${place}`
