/** Offers a reload when the host has a newer version of the app. */
import { useEffect, useState } from 'react'
import { compileAll } from '../engine/module'
import { keepOffline } from '../offline/updates'
import { useKept } from './useKeeper'

export function Update() {
  const [update, setUpdate] = useState<() => void>()
  const { isLosing } = useKept()
  useEffect(() => {
    // Without storage the page still works while there is a network.
    const engine = compileAll().catch(() => undefined)
    keepOffline(newer => setUpdate(() => newer), engine).catch(() => undefined)
  }, [])
  return (
    <div role="status">
      {update && (
        <div className="update">
          <p>
            A new version is available.
            {isLosing && <span className="caption"> The open files must be opened again.</span>}
          </p>
          <button type="button" className="button primary" onClick={update}>
            Reload
          </button>
          <button type="button" className="button" onClick={() => setUpdate(undefined)}>
            Later
          </button>
        </div>
      )}
    </div>
  )
}
