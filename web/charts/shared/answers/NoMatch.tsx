/** Takes the place of a picture of which the filters leave nothing. */
import { filterWords } from './filters'
import type { ChartFrame } from './shown'
import { CLEAR_FILTERS } from './words'

/** `No request matches: write is off.` */
export const noMatchWords = ({ view }: Pick<ChartFrame, 'view'>): string => `No request matches: ${filterWords(view)}.`

export function NoMatch({ frame }: { readonly frame: Pick<ChartFrame, 'view' | 'actions'> }) {
  return (
    <p className="chart-sentence" data-no-match="">
      {noMatchWords(frame)}{' '}
      <button type="button" className="link" onClick={frame.actions.clearFilters}>
        {CLEAR_FILTERS}
      </button>
    </p>
  )
}
