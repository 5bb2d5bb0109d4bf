import { counted } from '../../lib/format'
import type { NotRead } from '../../state/page'

/** `2 files and 1,230 traces skipped, 1 file read in part`: traces beyond the most runs are no files. */
export function skippedWords(notRead: readonly NotRead[]): string {
  const traces = notRead.filter(({ error }) => error?.code === 'too-many-runs').length
  const parts = notRead.filter(({ partly }) => partly).length
  const files = notRead.length - traces - parts
  const words = [...(files > 0 ? [counted(files, 'file')] : []), ...(traces > 0 ? [counted(traces, 'trace')] : [])]
  return [
    ...(words.length > 0 ? [`${words.join(' and ')} skipped`] : []),
    ...(parts > 0 ? [`${counted(parts, 'file')} read in part`] : []),
  ].join(', ')
}

/** Whether anything that is shown comes from the listed files. */
export function skippedLead(notRead: readonly NotRead[]): string {
  const parts = notRead.filter(({ partly }) => partly).length
  if (parts === 0) return 'Nothing that is shown comes from them.'
  const rest = parts < notRead.length ? ' Nothing that is shown comes from the other files.' : ''
  return `What could be read of ${parts === 1 ? 'a damaged file' : 'damaged files'} is shown.${rest}`
}
