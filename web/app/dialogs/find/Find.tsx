/** `Ctrl K`: finds what the page has by its name, and goes there or does it. */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { deviceName } from '../../../charts/shared/answers/names'
import { TERMS } from '../../../charts/shared/term/terms'
import { rowsOf } from '../../../compare/rows'
import { FINDING_TITLES } from '../../../engine/protocol'
import type { PageActions } from '../../../state/actions'
import { comparisonsOf, currentComparison } from '../../../state/comparing/comparing'
import { shownFigures } from '../../../state/comparing/ranged'
import type { Page } from '../../../state/page'
import { processGroups } from '../../../state/runs/processes'
import { COMMANDS, type Command } from '../../commands'
import { useActions, usePage } from '../../context'
import { sentenceText } from '../../workspace/findings/findingWords'
import { withUnit } from '../../workspace/findings/mainFigures'
import { Dialog } from '../Dialog'
import { type FindItem, findItems } from './findItems'
import './find.css'
import { FIND_LABEL, type FindEntry } from './findEntry'

/** Presses the key of a command, so that the one handler of keys runs it. */
function pressKey(key: string): void {
  const shiftKey = key.startsWith('shift+')
  const name = key.replace('shift+', '')
  const code = /^[1-9]$/.test(name) ? `Digit${name}` : ''
  window.dispatchEvent(
    new KeyboardEvent('keydown', { key: shiftKey && name.length === 1 ? name.toUpperCase() : name, shiftKey, code }),
  )
}

const commandItems = (hasRuns: boolean): readonly FindItem[] =>
  COMMANDS.filter((command: Command) => command.run && (hasRuns || !command.needsRuns)).map(
    ({ label, keys, shown = keys }) => ({
      group: 'Commands',
      label,
      keys: shown,
      run: () => pressKey(keys[0] ?? ''),
    }),
  )

const termItems: readonly FindItem[] = TERMS.map(({ name, meaning }) => ({
  group: 'Terms',
  label: name,
  detail: meaning,
  run: () => void open('docs/terms.html', '_blank', 'noopener'),
}))

/** Scrolls the row of the table of differences into view, and moves the focus there. */
function showFigure(actions: PageActions, key: string): void {
  actions.setLayout('columns')
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`.differences tr[data-key="${CSS.escape(key)}"]`)
    row?.scrollIntoView({ block: 'center' })
    if (row) row.tabIndex = -1
    row?.focus({ preventScroll: true })
  })
}

function comparisonItems(page: Page, actions: PageActions): readonly FindItem[] {
  const current = currentComparison(shownFigures(page))
  if (!current) return []
  const { document, comparison } = current
  return [
    ...comparison.findings.map(
      ({ code, rank, parts, sentence }): FindItem => ({
        group: 'Findings',
        label: FINDING_TITLES[code],
        detail: sentenceText(parts, sentence, document),
        run: () => actions.showFinding(rank),
      }),
    ),
    ...rowsOf(document, comparisonsOf(document)).map(
      (row): FindItem => ({
        group: 'Figures',
        label: row.label,
        detail: [document.baseline, comparison.side].map(side => withUnit(row, row.values[side])).join(' \u2192 '),
        run: () => showFigure(actions, row.key),
      }),
    ),
  ]
}

function runItems({ runs }: Page, actions: PageActions): readonly FindItem[] {
  const groups = processGroups(runs)
  // The name of a device, where a run has one.
  const nameOf = (via: string) => runs.map(run => deviceName(via, run)).find(name => name !== via) ?? via
  const processes = groups.map(
    ({ keys, name, via }): FindItem => ({
      group: 'Processes',
      label: `Only ${name}${via === undefined ? '' : ` on ${nameOf(via)}`}`,
      detail: 'hides the requests of all other processes',
      run: () => {
        for (const group of groups) for (const key of group.keys) actions.hide('processes', key, !keys.includes(key))
      },
    }),
  )
  return [
    ...runs.map(
      ({ id, letter, label, hidden }): FindItem => ({
        group: 'Runs',
        label: `${letter} ${label}`,
        detail: hidden ? 'show' : 'hide',
        run: () => actions.toggle(id),
      }),
    ),
    ...(groups.length > 1 ? processes : []),
  ]
}

export interface FindProps {
  /** What was typed before this dialog was there. */
  readonly entry: FindEntry
  onClose(): void
}

export function Find({ entry, onClose }: FindProps) {
  const actions = useActions()
  const page = usePage(p => p)
  const [query, setQuery] = useState(entry.query)
  const [active, setActive] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const items = useMemo(
    () => [
      ...commandItems(page.runs.length > 0),
      ...comparisonItems(page, actions),
      ...runItems(page, actions),
      ...termItems,
    ],
    [page, actions],
  )
  const found = findItems(items, query)
  // Braces: newer browsers return a promise, which is no clean-up.
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  const choose = (item: FindItem | undefined) => {
    if (!item) return
    onClose()
    item.run()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was submitted before the dialog was there
  useEffect(() => {
    // The page listens for the key of a command again after the effects of this render.
    if (entry.isSubmitted) queueMicrotask(() => choose(found[0]))
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setActive((active + step + found.length) % found.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      choose(found[active])
    }
  }
  return (
    <Dialog title="Find" onClose={onClose}>
      <input
        className="field find-field"
        data-first
        type="text"
        role="combobox"
        aria-label={FIND_LABEL}
        aria-expanded={found.length > 0}
        aria-controls={`${id}list`}
        aria-activedescendant={found[active] && `${id}${active}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="depth, q2c, evidence, dd"
        value={query}
        onChange={event => {
          setQuery(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div className="find-list" id={`${id}list`} role="listbox" aria-label="Found" ref={list}>
        {found.map((item, i) => (
          <div
            key={`${item.group} ${item.label} ${item.detail}`}
            id={`${id}${i}`}
            className="find-item"
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            onPointerMove={() => setActive(i)}
            onClick={() => choose(item)}
            onKeyDown={onKeyDown}
          >
            <span className="find-group">{item.group}</span>
            <span className="find-label">{item.label}</span>
            <span className="find-detail">{item.detail}</span>
            <span>
              {item.keys?.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
          </div>
        ))}
      </div>
      <p className="caption" role="status">
        {found.length === 0 ? `Nothing matches “${query}”.` : '↑ ↓ to choose, Enter to go there, Esc to close'}
      </p>
    </Dialog>
  )
}
