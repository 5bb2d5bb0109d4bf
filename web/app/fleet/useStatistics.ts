/** The module of statistics, which is fetched with the first fleet. */
import { useEffect, useState } from 'react'
import { asEngineError } from '../../engine/errors'
import { compiledStatistics } from '../../engine/module'
import type { EngineError } from '../../engine/protocol'
import { loadStatistics, type Statistics } from '../../engine/statistics'

interface LoadedStatistics {
  /** Undefined until the module is loaded. */
  readonly statistics?: Statistics
  /** Why it could not be loaded. */
  readonly error?: EngineError
}

export function useStatistics(): LoadedStatistics {
  const [loaded, setLoaded] = useState<LoadedStatistics>({})
  useEffect(() => {
    let isMounted = true
    const set = (next: LoadedStatistics) => {
      if (isMounted) setLoaded(next)
    }
    compiledStatistics()
      .then(loadStatistics)
      .then(
        statistics => set({ statistics }),
        reason => set({ error: asEngineError(reason) }),
      )
    return () => {
      isMounted = false
    }
  }, [])
  return loaded
}
