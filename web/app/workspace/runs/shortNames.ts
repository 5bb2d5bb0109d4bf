import { type DifferingName, splitByDifference } from '../../../lib/text/differing'

/** A label of this many characters fits beside its badge. */
const MAX_LABEL = 24

/** What tells labels apart, if one of them is too long to be shown whole. */
export const shortNames = (labels: readonly string[]): readonly DifferingName[] | undefined =>
  labels.some(label => label.length > MAX_LABEL) ? splitByDifference(labels) : undefined
