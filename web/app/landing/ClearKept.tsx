import { megabytes } from '../../lib/format'
import { useKeeper, useKept } from '../useKeeper'

/** Removes everything that this browser keeps of comparisons. */
export function ClearKept() {
  const keeper = useKeeper()
  const { records } = useKept()
  if (!keeper || records.length === 0) return undefined
  const bytes = records.reduce((sum, record) => sum + record.bytes, 0)
  return (
    <button type="button" className="link" onClick={() => void keeper.clear()}>
      Clear what is kept in this browser ({megabytes(bytes)} MB)
    </button>
  )
}
