/** What this browser keeps of comparisons. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Keeper, KeeperState } from '../storage/keeper'
import { usePageContext } from './context'

/** Absent until its script was loaded. */
export const useKeeper = (): Keeper | undefined => useStore(usePageContext().keeper)

const NOTHING_KEPT = createStore<KeeperState>(() => ({ records: [], isLosing: false }))

export const useKept = (): KeeperState => useStore(useKeeper()?.state ?? NOTHING_KEPT)
