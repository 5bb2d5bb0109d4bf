/** Queries one request's life and the run's median stages; finds the next request of the same device. */
import { useEffect, useState } from 'react'
import { asEngineError } from '../../engine/errors'
import type { Life, QueryAnswer } from '../../engine/protocol'
import type { SlowRequest } from '../../engine/summary'
import { ns } from '../../lib/units'
import type { Run } from '../../state/types'
import { isAbort } from '../shared/answers/isAbort'
import { labelsOf } from '../tail/summary'

export interface LifeState {
  readonly life?: Life
  readonly medians?: QueryAnswer<'stages'>['stages']
  readonly error?: string
}

export function useLife(run: Run, row: number): LifeState {
  const { client, device, geometry, info } = run
  const [state, setState] = useState<LifeState>({})
  const span = info?.span ?? ns(0)
  useEffect(() => {
    client.query('life', { row, ...(geometry && { geometry }) }, 'life').then(
      life => setState(old => ({ ...(old.medians && { medians: old.medians }), life })),
      reason => !isAbort(reason) && setState({ error: asEngineError(reason).message }),
    )
  }, [client, row, geometry])
  useEffect(() => {
    client.query('stages', { filter: { device }, range: { t0: ns(0), t1: ns(span + 1) } }, 'life-medians').then(
      answer => setState(old => ({ ...old, medians: answer.stages })),
      () => undefined,
    )
  }, [client, device, span])
  return state
}

/** What the time of a request went to, with the causes in words; absent where its stages were not recorded. */
export interface RequestCauses {
  readonly slow: SlowRequest
  readonly labels: ReadonlyMap<string, string>
}

export function useCauses({ client, info }: Run, life: Life | undefined): RequestCauses | undefined {
  const [causes, setCauses] = useState<RequestCauses>()
  const device = info?.devices.find(d => d.dev === life?.dev)?.index
  const [row, span] = [life?.row, info?.span ?? ns(0)]
  useEffect(() => {
    if (row === undefined || device === undefined) return
    client.query('tail', { filter: { device }, range: { t0: ns(0), t1: ns(span + 1) }, row }, 'life-causes').then(
      ({ tail }) => {
        const slow = tail?.slowest[0]
        setCauses(tail && slow && { slow, labels: labelsOf([tail]) })
      },
      () => undefined,
    )
  }, [client, device, row, span])
  return causes?.slow.row === row ? causes : undefined
}

/** Most rows of other devices to skip. */
const FAR = 400

/** Row of the next (`direction` 1) or previous (-1) request of the same device; `undefined` at the end. */
export async function neighbour(run: Run, life: Life, direction: 1 | -1): Promise<number | undefined> {
  for (let row = life.row + direction, tries = 0; row >= 0 && tries < FAR; row += direction, tries += 1) {
    try {
      const next = await run.client.query('life', { row }, 'life-next')
      if (next.dev === life.dev) return row
    } catch {
      return undefined
    }
  }
  return undefined
}
