// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import type { PageActions } from '../state/actions'
import { EMPTY_PAGE, type Page } from '../state/page'
import { panelStore } from '../state/panel'
import { railStore } from '../state/rail'
import { placeRuns } from '../state/runs/runs'
import type { Run } from '../state/types'
import { COMMANDS, keyOf, runCommand } from './commands'

const names = [
  'zoom',
  'pan',
  'whole',
  'commit',
  'back',
  'forward',
  'toggle',
  'setLayout',
  'editGeometry',
  'clearFilters',
  'pickFiles',
  'show',
  'select',
  'preview',
] as const
const spies = () =>
  Object.fromEntries(names.map(n => [n, vi.fn()])) as unknown as PageActions &
    Record<(typeof names)[number], ReturnType<typeof vi.fn>>
const run = (id: string): Run => ({
  id,
  letter: 'A',
  linkLetter: 'A',
  label: id,
  baseline: false,
  hidden: false,
  status: { kind: 'ready' },
  trace: 1,
  client: { query: () => new Promise(() => undefined) },
  device: 0,
})
const open: Page = { ...EMPTY_PAGE, runs: placeRuns([run('one'), run('two')]) }

function press(key: string, page: Page = open, init: KeyboardEventInit = {}, target: Element = document.body) {
  const actions = spies()
  const toggleTheme = vi.fn()
  const event = new KeyboardEvent('keydown', { key, cancelable: true, ...init })
  Object.defineProperty(event, 'target', { value: target })
  const isHandled = runCommand(event, { page, actions, toggleTheme })
  return { actions, done: isHandled, toggleTheme, event }
}

describe('keys', () => {
  it('zoom, pan and go back', () => {
    expect(press('w').actions.zoom).toHaveBeenCalledWith(0.7)
    expect(press('-').actions.zoom).toHaveBeenCalledWith(1 / 0.7)
    expect(press('+', open, { shiftKey: true }).actions.zoom).toHaveBeenCalledOnce()
    expect(press('a').actions.pan).toHaveBeenCalledWith(-0.2)
    expect(press('ArrowRight').actions.pan).toHaveBeenCalledWith(0.2)
    expect(press('0').actions.whole).toHaveBeenCalledOnce()
    expect(press('Enter').actions.commit).toHaveBeenCalledOnce()
    expect(press('Backspace').actions.back).toHaveBeenCalledOnce()
    expect(press('Backspace', open, { shiftKey: true }).actions.forward).toHaveBeenCalledOnce()
  })
  it('toggle runs by their place', () => {
    const digit = (code: string) => press('"', open, { shiftKey: true, code }).actions.toggle
    expect(digit('Digit2')).toHaveBeenCalledWith('two')
    expect(digit('Digit9')).not.toHaveBeenCalled()
  })
  it('open and fold the tabs of the panel', () => {
    press('2')
    expect(panelStore.getState()).toEqual({ tab: 'figures', folded: false })
    press('p')
    expect(panelStore.getState().folded).toBe(true)
    press('1')
    expect(panelStore.getState()).toEqual({ tab: 'findings', folded: false })
  })
  it('fold the filters and bring them back', () => {
    press('[')
    expect(railStore.getState().folded).toBe(true)
    press('[')
    expect(railStore.getState().folded).toBe(false)
  })
  it('open files and folders, also with nothing open', () => {
    expect(press('o', EMPTY_PAGE).actions.pickFiles).toHaveBeenCalledWith('files')
    expect(press('O', EMPTY_PAGE, { shiftKey: true }).actions.pickFiles).toHaveBeenCalledWith('folder')
    expect(press('?', EMPTY_PAGE, { shiftKey: true }).actions.show).toHaveBeenCalledWith({ kind: 'shortcuts' })
    expect(press('w', EMPTY_PAGE).done).toBe(false)
  })
  it('leave the browser, fields, sliders and buttons what is theirs', () => {
    expect(press('w', open, { ctrlKey: true }).done).toBe(false)
    expect(press('o', open, { metaKey: true }).done).toBe(false)
    expect(press('w', open, {}, document.createElement('input')).done).toBe(false)
    expect(press('Enter', open, {}, document.createElement('button')).done).toBe(false)
    const slider = document.createElement('div')
    slider.setAttribute('role', 'slider')
    expect(press('ArrowLeft', open, {}, slider).done).toBe(false)
    expect(press('w', open, {}, slider).done).toBe(true)
    const box = Object.assign(document.createElement('input'), { type: 'checkbox' })
    expect(press('w', open, {}, box).done).toBe(true)
  })
  it('do nothing below an open dialog', () => {
    expect(press('w', { ...open, dialog: { kind: 'shortcuts' } }).done).toBe(false)
  })
  it('mean one thing each', () => {
    const keys = COMMANDS.flatMap(c => c.keys)
    expect(new Set(keys).size).toBe(keys.length)
  })
  it('are named as the table names them', () => {
    expect(keyOf({ key: '?', shiftKey: true })).toBe('?')
    expect(keyOf({ key: 'O', shiftKey: true })).toBe('shift+o')
    expect(keyOf({ key: 'Backspace', shiftKey: true })).toBe('shift+backspace')
    expect(keyOf({ key: 'W', shiftKey: false })).toBe('w')
  })
})
