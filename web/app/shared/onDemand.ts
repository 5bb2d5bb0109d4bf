/** A script that is fetched ahead when the page is idle, or else when it is first needed. */
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'

/** State of a script; `idle` before it was first needed. */
export interface ScriptState<T> {
  readonly status: 'idle' | 'loading' | 'failed' | 'ready'
  /** Exports of the script, once it is ready. */
  readonly exports?: T
}

export interface OnDemand<T> {
  readonly store: StoreApi<ScriptState<T>>
  /** Fetches the script, again after a failure; does nothing while it is being fetched, and afterwards. */
  readonly load: () => void
}

export function onDemand<T>(fetchScript: () => Promise<T>): OnDemand<T> {
  const store = createStore<ScriptState<T>>(() => ({ status: 'idle' }))
  const load = () => {
    const { status } = store.getState()
    if (status === 'loading' || status === 'ready') return
    store.setState({ status: 'loading' })
    fetchScript().then(
      exports => store.setState({ status: 'ready', exports }),
      () => store.setState({ status: 'failed' }),
    )
  }
  return { store, load }
}

/** The state of a script, which is fetched as soon as it is `needed`. */
export function useOnDemand<T>({ store, load }: OnDemand<T>, needed: boolean): ScriptState<T> {
  useEffect(() => {
    if (needed) load()
  }, [needed, load])
  return useStore(store)
}
