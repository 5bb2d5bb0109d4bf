/** Offers a reload when the host has a newer version of the app. */
import { useEffect, useState } from 'react'
import { compileAll } from '../engine/module'
import { untilRest } from '../engine/reading/rest'
import { isHostTemporary } from '../offline/temporary'
import { useKept } from './useKeeper'

/** `atRest` is called once nothing is read, or at once where the host may soon be gone. */
export function Update({ atRest }: { readonly atRest: () => void }) {
  const [update, setUpdate] = useState<() => void>()
  const { isLosing } = useKept()
  useEffect(() => {
    const isTemporary = isHostTemporary()
    const keep = async () => {
      if (!isTemporary) await untilRest()
      atRest()
      // Findings need the later parts of the engine for a comparison, so that they come before what is stored.
      await compileAll().catch(() => undefined)
      if (isTemporary) return
      const { keepOffline } = await import('../offline/updates')
      await keepOffline(newer => setUpdate(() => newer))
    }
    // Without storage the page still works while there is a network.
    keep().catch(() => undefined)
  }, [atRest])
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
