import { flushSync } from 'react-dom'
import { foldRail } from '../../../state/rail'

const ID = { folded: 'rail-unfold', open: 'rail-fold' } as const

/** « folds the rail, » brings it back. CSS shows the one that applies; the focus goes to the other one. */
export function RailFold({ folded }: { readonly folded: boolean }) {
  const words = folded ? 'Show the filters' : 'Fold the filters'
  const onClick = () => {
    flushSync(() => foldRail(!folded))
    document.getElementById(folded ? ID.open : ID.folded)?.focus()
  }
  return (
    <button
      id={folded ? ID.folded : ID.open}
      type="button"
      className="rail-fold"
      aria-label={words}
      aria-expanded={!folded}
      title={`${words} ([)`}
      onClick={onClick}
    >
      <span aria-hidden="true">{folded ? '»' : '«'}</span>
    </button>
  )
}
