/** Sentences about what is kept. */
import { counted, megabytes } from '../lib/format'
import { MAX_FILE_BYTES, MAX_TOTAL_BYTES, type NotKept } from './limits'
import { missingFiles, type StoredComparison } from './record'

const REASONS: Readonly<Record<NotKept, string>> = {
  'file-too-large': `only files of up to ${megabytes(MAX_FILE_BYTES)} MB are`,
  'together-too-large': `at most ${megabytes(MAX_TOTAL_BYTES)} MB are`,
  'too-many-files': 'there are too many files',
  'no-copies': 'this browser does not allow it',
  'no-room': 'the browser has no room for it',
}

/** Says which files a reload will not open again, and why. */
export function notKeptWords(record: Pick<StoredComparison, 'batches'>): string | undefined {
  const missing = missingFiles(record)
  const [first] = missing
  if (!first?.notKept) return undefined
  const what = missing.length === 1 ? `${first.name} is` : `${first.name} and ${missing.length - 1} more are`
  return `${what} not kept in this browser: ${REASONS[first.notKept]}. After a reload, open the files again.`
}

/** What opening a kept comparison again did not find as it was. */
export function reopenedWords(missing: readonly string[], changed: readonly string[]): string | undefined {
  if (missing.length > 0)
    return missing.length === 1
      ? `${missing[0]} is no longer available. Open it again.`
      : `${counted(missing.length, 'file')} are no longer available, ${missing[0]} among them. Open them again.`
  if (changed.length === 0) return undefined
  const what = changed.length === 1 ? `${changed[0]} has` : `${counted(changed.length, 'file')} have`
  return `${what} changed on the disk since this comparison was opened.`
}

/** Where the traces of a kept comparison are. */
export function placeWords({ from, batches, bytes }: StoredComparison): string {
  if (from === 'sample') return 'a sample of this page'
  if (from === 'urls') return 'fetched from its URLs again'
  if (from === 'snapshot') return 'a link with a snapshot'
  const files = batches.flatMap(batch => batch.files)
  const onDisk = files.filter(file => file.handle).length
  const copies = files.filter(file => file.copy).length
  const parts = [
    copies > 0 && `kept in this browser: ${counted(copies, 'file')}, ${megabytes(bytes)} MB`,
    onDisk > 0 && `on your disk: ${counted(onDisk, 'file')}`,
  ]
  return parts.filter(part => part !== false).join('; ')
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `2 min ago`; a date after a week. */
export function agoWords(when: number, now: number): string {
  const age = Math.max(0, now - when)
  if (age < MINUTE) return 'just now'
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`
  const days = Math.floor(age / DAY)
  if (days === 1) return 'yesterday'
  return days < 7 ? `${days} days ago` : new Date(when).toISOString().slice(0, 10)
}
