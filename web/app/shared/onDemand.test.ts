import { expect, it, vi } from 'vitest'
import { onDemand } from './onDemand'

it('fetches a script once, and again only after a failure', async () => {
  const answers = [Promise.reject(new TypeError('offline')), Promise.resolve({ view: 1 })]
  const fetchScript = vi.fn(() => answers.shift() ?? Promise.reject(new Error('fetched again')))
  const { store, load } = onDemand(fetchScript)
  expect(store.getState()).toEqual({ status: 'idle' })
  load()
  load()
  await vi.waitFor(() => expect(store.getState().status).toBe('failed'))
  load()
  expect(store.getState().status).toBe('loading')
  await vi.waitFor(() => expect(store.getState()).toEqual({ status: 'ready', exports: { view: 1 } }))
  load()
  expect(fetchScript).toHaveBeenCalledTimes(2)
})
