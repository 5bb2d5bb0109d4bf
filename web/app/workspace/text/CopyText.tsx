import type { ComparedRuns } from '../../../state/types'
import { useComparisonText } from './useComparisonText'

interface CopyTextProps {
  readonly compared: ComparedRuns
  /** Class of the button; the default is a link. */
  readonly className?: string
}

/** Copies the comparison, or what held a run back, for a mail. */
export function CopyText({ compared, className = 'link' }: CopyTextProps) {
  const { copy, notice, isPossible } = useComparisonText(compared)
  if (!isPossible) return undefined
  return (
    <button type="button" className={className} onClick={copy}>
      <span aria-live="polite">{notice ?? 'Copy as plain text'}</span>
    </button>
  )
}
