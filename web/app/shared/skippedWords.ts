import { counted } from '../../lib/format'
import type { NotRead } from '../../state/page'

/** `2 files and 1,230 traces skipped`: traces beyond the most runs are no files. */
export function skippedWords(notRead: readonly NotRead[]): string {
  const traces = notRead.filter(({ error }) => error?.code === 'too-many-runs').length
  const files = notRead.length - traces
  const words = [...(files > 0 ? [counted(files, 'file')] : []), ...(traces > 0 ? [counted(traces, 'trace')] : [])]
  return `${words.join(' and ')} skipped`
}
