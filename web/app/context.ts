/** Gives components the page's state and its actions. */
import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { PageActions } from '../state/actions'
import type { Page, PageStore } from '../state/page'
import type { Keeper } from '../storage/keeper'

export interface PageContext {
  readonly store: PageStore
  readonly actions: PageActions
  /** Absent until its script was loaded. */
  readonly keeper: StoreApi<Keeper | undefined>
}

export const PageProvider = createContext<PageContext | undefined>(undefined)

export function usePageContext(): PageContext {
  const context = useContext(PageProvider)
  if (!context) throw new Error('this component must be inside <PageProvider>')
  return context
}

export const useActions = (): PageActions => usePageContext().actions

/**
 * A value selected from the page's state. The component renders again when `Object.is` finds it changed, so `select`
 * must not build a new object.
 */
export const usePage = <T>(select: (page: Page) => T): T => useStore(usePageContext().store, select)
