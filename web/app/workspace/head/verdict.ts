/** The mark and the word of the verdict's second line. */
import type { ComparisonOutcome, Verdict } from '../../../engine/protocol'
import { OUTCOME_WORDS } from '../../../state/comparing/outcome'

/** The verdict whose mark and colour an outcome has, and its word. */
export const OUTCOMES: Readonly<Record<ComparisonOutcome, readonly [Verdict, string]>> = {
  slower: ['worse', OUTCOME_WORDS.slower],
  faster: ['better', OUTCOME_WORDS.faster],
  equal: ['equal', OUTCOME_WORDS.equal],
  unsure: ['unsure', OUTCOME_WORDS.unsure],
}
