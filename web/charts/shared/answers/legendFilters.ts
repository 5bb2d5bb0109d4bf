/** What a click on an entry of a legend changes; `undefined` where the filters are fixed, as in a snapshot. */
import { createContext } from 'react'
import type { Actions, View } from '../../../state/types'

export interface LegendFilters {
  readonly hidden: View['hidden']
  readonly leaveOut: Actions['leaveOut']
}

/** Names a filter that leaves one kind of requests. */
export const showOnlyWords = (label: string): string => `Show only ${label}`

export const LegendFiltersContext = createContext<LegendFilters | undefined>(undefined)
