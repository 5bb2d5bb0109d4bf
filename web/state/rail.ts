/** Whether the rail of filters is folded, which gives the charts its width. */
import { createStore } from 'zustand/vanilla'
import { storeChoice, storedChoice } from './choice'

const KEY = 'seekscope.rail'

/** One for the browser window: embedded pages and reports share the choice. */
export const railStore = createStore<{ readonly folded: boolean }>(() => ({ folded: storedChoice(KEY) === 'folded' }))

export function foldRail(folded: boolean): void {
  railStore.setState({ folded })
  storeChoice(KEY, folded ? 'folded' : 'open')
}
