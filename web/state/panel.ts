/**
 * Which tab of the panel below the verdict is open. The choice belongs to the reader, not to the page: it is kept in
 * this browser where that is allowed, and no link has it.
 */
import { createStore } from 'zustand/vanilla'

export const PANEL_TABS = ['findings', 'figures', 'time', 'settings', 'who'] as const
export type PanelTab = (typeof PANEL_TABS)[number]

export interface PanelChoice {
  readonly tab: PanelTab
  readonly folded: boolean
}

const KEY = 'seekscope.panel'
const DEFAULT: PanelChoice = { tab: 'findings', folded: false }

/** `figures` and `figures folded`. */
function choiceOf(text: string | null): PanelChoice {
  const [word, fold] = (text ?? '').split(' ')
  const tab = PANEL_TABS.find(name => name === word)
  return tab ? { tab, folded: fold === 'folded' } : DEFAULT
}

function storedChoice(): PanelChoice {
  try {
    return choiceOf(localStorage.getItem(KEY))
  } catch {
    return DEFAULT // storage is blocked, or there is none
  }
}

function storeChoice({ tab, folded }: PanelChoice): void {
  try {
    localStorage.setItem(KEY, folded ? `${tab} folded` : tab)
  } catch {
    return // storage is blocked: the choice lasts until the page is closed
  }
}

/** One for the browser window: embedded pages and reports share the choice. */
export const panelStore = createStore<PanelChoice>(storedChoice)

/** Opens a tab, and the panel if it is folded. */
export function showPanel(tab: PanelTab): void {
  panelStore.setState({ tab, folded: false })
  storeChoice(panelStore.getState())
}

export function foldPanel(folded: boolean): void {
  panelStore.setState({ folded })
  storeChoice(panelStore.getState())
}
