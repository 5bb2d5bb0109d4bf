/** The requests above and below one; asked where devices are stacked. */
import { useEffect, useState } from 'react'
import type { Life, RequestLayers } from '../../engine/protocol'
import type { Run } from '../../state/types'

export function useLayers({ client, info }: Run, life: Life | undefined): RequestLayers | undefined {
  const [found, setFound] = useState<{ readonly row: number; readonly layers: RequestLayers }>()
  const row = life?.row
  const isStacked = info?.devices.some(({ below }) => below !== undefined) ?? false
  useEffect(() => {
    if (row === undefined || !isStacked) return
    client.query('requestLayers', { row }, 'life-layers').then(
      layers => setFound({ row, layers }),
      () => undefined,
    )
  }, [client, row, isStacked])
  return found?.row === row && found?.layers.requests.length ? found.layers : undefined
}
