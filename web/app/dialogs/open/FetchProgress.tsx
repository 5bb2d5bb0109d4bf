import type { FetchProgresses } from '../../../ingest/fetchAll'
import { counted, megabytes } from '../../../lib/format'
import './addresses.css'

/** Progress of all downloads together; indeterminate where a host sends no file length. */
export function FetchProgress({ progress }: { readonly progress: FetchProgresses }) {
  const all = [...progress.values()]
  const bytes = all.reduce((sum, f) => sum + f.bytes, 0)
  const total = all.reduce((sum, f) => sum + (f.totalBytes ?? Number.NaN), 0)
  return (
    <div className="addresses-progress">
      <progress aria-label="Fetching" {...(total > 0 && { max: total, value: bytes })} />
      <p className="caption" aria-live="polite">
        {all.length === 0
          ? 'connecting'
          : `${megabytes(bytes)}${total > 0 ? ` of ${megabytes(total)}` : ''} MB${all.length > 1 ? ` of ${counted(all.length, 'file')}` : ''}`}
      </p>
    </div>
  )
}
