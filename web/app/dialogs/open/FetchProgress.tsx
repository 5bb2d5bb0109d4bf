import type { FetchProgresses } from '../../../ingest/fetchAll'
import { counted, megabytes } from '../../../lib/format'
import './addresses.css'

/** Progress of all downloads together; indeterminate where a host sends no file length. */
export function FetchProgress({ progress }: { readonly progress: FetchProgresses }) {
  const downloads = [...progress.values()]
  const bytes = downloads.reduce((sum, f) => sum + f.bytes, 0)
  const total = downloads.reduce((sum, f) => sum + (f.totalBytes ?? Number.NaN), 0)
  const amount = total > 0 ? `${megabytes(bytes)} of ${megabytes(total)} MB` : `${megabytes(bytes)} MB`
  const files = downloads.length > 1 ? ` of ${counted(downloads.length, 'file')}` : ''
  return (
    <div className="addresses-progress">
      <progress aria-label="Fetching" {...(total > 0 && { max: total, value: bytes })} />
      <p className="caption" aria-live="polite">
        {downloads.length === 0 ? 'connecting' : amount + files}
      </p>
    </div>
  )
}
