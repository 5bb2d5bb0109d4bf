/** Offers a reload when the host has a newer version of the app. */
import { useEffect, useState } from 'react'
import { compiledEngine } from '../engine/module'
import { keepOffline } from '../offline/updates'
import { usePage } from './context'

export function Update() {
  const [update, setUpdate] = useState<() => void>()
  const loses = usePage(p => p.runs.length > 0 && p.sample === undefined)
  useEffect(() => {
    // Without storage the page still works while there is a network.
    const engine = compiledEngine().catch(() => undefined)
    keepOffline(newer => setUpdate(() => newer), engine).catch(() => undefined)
  }, [])
  return (
    <div role="status">
      {update && (
        <div className="update">
          <p>
            A new version is available.{loses && <span className="caption"> Dropped files must be dropped again.</span>}
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
