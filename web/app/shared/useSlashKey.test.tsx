// @vitest-environment happy-dom
import { act, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useSlashKey } from './useSlashKey'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

function Page() {
  const search = useRef<HTMLInputElement>(null)
  useSlashKey(search, true)
  return (
    <>
      <input ref={search} id="search" defaultValue="iops" />
      <input id="text" />
      <input id="checkbox" type="checkbox" />
      <p id="words">Words</p>
    </>
  )
}

const host = document.createElement('div')
const root = createRoot(host)
beforeEach(async () => {
  document.body.append(host)
  await act(async () => root.render(<Page />))
})
afterEach(() => act(async () => root.render(null)))

function press(id: string, init: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true, ...init })
  document.querySelector(`#${id}`)?.dispatchEvent(event)
  return event
}

it.each(['words', 'checkbox'])('focuses the field and selects its text, pressed in %s', id => {
  expect(press(id).defaultPrevented).toBe(true)
  const search = document.querySelector<HTMLInputElement>('#search')
  expect(document.activeElement).toBe(search)
  expect([search?.selectionStart, search?.selectionEnd]).toEqual([0, 4])
})

it('is typed in a text field, and left to the browser with a modifier', () => {
  expect(press('text').defaultPrevented).toBe(false)
  expect(press('words', { ctrlKey: true }).defaultPrevented).toBe(false)
  expect(document.activeElement?.id).not.toBe('search')
})
