/** How components reach the page's state and what can be done to it. */
import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import type { PageActions } from '../state/actions'
import type { Page, PageStore } from '../state/page'

export interface PageContext {
  readonly store: PageStore
  readonly actions: PageActions
}

export const PageProvider = createContext<PageContext | undefined>(undefined)

function usePageContext(): PageContext {
  const context = useContext(PageProvider)
  if (!context) throw new Error('a component of the page stands outside of it')
  return context
}

export const useActions = (): PageActions => usePageContext().actions

/** A part of the page's state; the component draws anew when that part changes. */
export const usePage = <T>(part: (page: Page) => T): T => useStore(usePageContext().store, part)
