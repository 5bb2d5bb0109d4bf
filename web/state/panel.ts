/**
 * Which tab of the panel below the verdict is open. The choice belongs to the reader, not to the page.
 */
import { createStore } from 'zustand/vanilla'
import { storeChoice, storedChoice } from './choice'

export const PANEL_TABS = ['findings', 'figures', 'time', 'settings', 'who', 'moments'] as const
export type PanelTab = (typeof PANEL_TABS)[number]

export interface PanelChoice {
  readonly tab: PanelTab
  readonly folded: boolean
}

const KEY = 'seekscope.panel'
const DEFAULT: PanelChoice = { tab: 'findings', folded: false }

/** `figures` and `figures folded`. */
function choiceOf(text: string | undefined): PanelChoice {
  const [word, fold] = (text ?? '').split(' ')
  const tab = PANEL_TABS.find(name => name === word)
  return tab ? { tab, folded: fold === 'folded' } : DEFAULT
}

const choiceText = ({ tab, folded }: PanelChoice): string => (folded ? `${tab} folded` : tab)

/** One for the browser window: embedded pages and reports share the choice. */
export const panelStore = createStore<PanelChoice>(() => choiceOf(storedChoice(KEY)))

/** Opens a tab, and the panel if it is folded. */
export function showPanel(tab: PanelTab): void {
  panelStore.setState({ tab, folded: false })
  storeChoice(KEY, choiceText(panelStore.getState()))
}

export function foldPanel(folded: boolean): void {
  panelStore.setState({ folded })
  storeChoice(KEY, choiceText(panelStore.getState()))
}
