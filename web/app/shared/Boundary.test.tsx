// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Boundary } from './Boundary'

let broken = true
function Fragile() {
  if (broken) throw new Error('no such bin')
  return <p>drawn</p>
}

describe('a part of the page that fails', () => {
  beforeEach(() => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it('shows the error in its place, does not affect others, and can be retried', async () => {
    const host = document.createElement('div')
    const root = createRoot(host, { onCaughtError: () => undefined })
    await act(() =>
      root.render(
        <>
          <Boundary subject="The charts">
            <Fragile />
          </Boundary>
          <p>beside it</p>
        </>,
      ),
    )
    expect(host.querySelector('[role=alert]')?.textContent).toContain('The charts could not be drawn')
    expect(host.textContent).toContain('Error: no such bin')
    expect(host.textContent).toContain('beside it')
    broken = false
    await act(() => host.querySelector('button')?.click())
    expect(host.textContent).toBe('drawnbeside it')
    await act(() => root.unmount())
  })
})
