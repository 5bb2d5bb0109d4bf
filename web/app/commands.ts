/** The table of keyboard commands: the key handler runs them, and the `?` dialog lists them. */
import type { PageActions } from '../state/actions'
import type { Page } from '../state/page'
import { foldPanel, PANEL_TABS, panelStore, showPanel } from '../state/panel'
import { foldRail, railStore } from '../state/rail'

export interface CommandContext {
  readonly page: Page
  readonly actions: PageActions
  toggleTheme(): void
}

export interface Command {
  readonly group: 'Time' | 'Runs' | 'Page'
  readonly label: string
  /** As `keyOf` returns them: `KeyboardEvent.key` in lower case, with `shift+` where it is significant. */
  readonly keys: readonly string[]
  /** Keys as listed in the dialog; default: `keys`. Mouse gestures are listed here and handled by the charts. */
  readonly shown?: readonly string[]
  /** Absent for gestures, and for keys that the focused element handles. */
  readonly run?: (context: CommandContext, key: string) => void
  /** The command does nothing while no run is open. */
  readonly needsRuns?: true
}

/** The layout that follows each one when `L` is pressed. */
const NEXT_LAYOUT = {
  columns: 'overlay',
  overlay: 'difference',
  difference: 'columns',
  events: 'columns',
  matrix: 'columns',
} as const

const ZOOM = 0.7
const STEP = 0.2

export const COMMANDS: readonly Command[] = [
  {
    group: 'Time',
    label: 'Zoom in at the time cursor',
    keys: ['w', '+', '='],
    shown: ['W', '+'],
    needsRuns: true,
    run: ({ actions }) => actions.zoom(ZOOM),
  },
  {
    group: 'Time',
    label: 'Zoom out',
    keys: ['s', '-'],
    shown: ['S', '-'],
    needsRuns: true,
    run: ({ actions }) => actions.zoom(1 / ZOOM),
  },
  {
    group: 'Time',
    label: 'Earlier',
    keys: ['a', 'arrowleft'],
    shown: ['A', '←'],
    needsRuns: true,
    run: ({ actions }) => actions.pan(-STEP),
  },
  {
    group: 'Time',
    label: 'Later',
    keys: ['d', 'arrowright'],
    shown: ['D', '→'],
    needsRuns: true,
    run: ({ actions }) => actions.pan(STEP),
  },
  {
    group: 'Time',
    label: 'Menu of the chart that has the focus; elsewhere a right click, with Shift that of the browser',
    keys: [],
    shown: ['Shift', 'F10'],
  },
  { group: 'Time', label: 'Full run', keys: ['0'], needsRuns: true, run: ({ actions }) => actions.whole() },
  {
    group: 'Time',
    label: 'Zoom to the selected range',
    keys: ['enter'],
    shown: ['Enter'],
    needsRuns: true,
    run: ({ actions }) => actions.commit(),
  },
  {
    group: 'Time',
    label: 'Previous range',
    keys: ['backspace'],
    shown: ['Backspace'],
    needsRuns: true,
    run: ({ actions }) => actions.back(),
  },
  {
    group: 'Time',
    label: 'Next range',
    keys: ['shift+backspace'],
    shown: ['Shift', 'Backspace'],
    needsRuns: true,
    run: ({ actions }) => actions.forward(),
  },
  {
    group: 'Time',
    label: 'Play the seek map in time',
    keys: ['k'],
    shown: ['K'],
    needsRuns: true,
    run: ({ actions }) => actions.playBack(),
  },
  {
    group: 'Time',
    label: 'Follow a stream, or pause',
    keys: ['f'],
    shown: ['F'],
    needsRuns: true,
    run: ({ page, actions }) => {
      if (page.runs.some(run => run.stream)) actions.follow(!page.following)
    },
  },
  { group: 'Time', label: 'Zoom at the pointer', keys: [], shown: ['Ctrl', 'wheel'] },
  { group: 'Time', label: 'Select a range', keys: [], shown: ['drag'] },
  { group: 'Time', label: 'Pan', keys: [], shown: ['Shift', 'drag'] },
  {
    group: 'Runs',
    label: 'Hide or show a run',
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digit => `shift+${digit}`),
    shown: ['Shift', '1', '…', '9'],
    needsRuns: true,
    run: ({ page, actions }, key) => {
      const run = page.runs[Number(key.at(-1)) - 1]
      if (run) actions.toggle(run.id)
    },
  },
  { group: 'Runs', label: 'Move a run (focus its letter first)', keys: [], shown: ['Shift', '←', '→'] },
  {
    group: 'Runs',
    label: 'Columns, overlay, difference',
    keys: ['l'],
    shown: ['L'],
    needsRuns: true,
    run: ({ page, actions }) => actions.setLayout(NEXT_LAYOUT[page.view.layout]),
  },
  {
    group: 'Runs',
    label: 'Event list at the time cursor; again: charts',
    keys: ['v'],
    shown: ['V'],
    needsRuns: true,
    run: ({ page, actions }) =>
      page.view.layout === 'events' ? actions.setLayout('columns') : actions.showEvents(page.view.cursor),
  },
  {
    group: 'Runs',
    label: 'Matrix; again: charts',
    keys: ['m'],
    shown: ['M'],
    needsRuns: true,
    run: ({ page, actions }) => {
      if (page.view.layout === 'matrix') actions.setLayout('columns')
      else if (page.runs.length > 1) actions.setLayout('matrix')
    },
  },
  {
    group: 'Runs',
    label: 'Show evidence of the finding; again: its next interval',
    keys: ['e'],
    shown: ['E'],
    needsRuns: true,
    run: ({ actions }) => actions.showEvidence(),
  },
  {
    group: 'Runs',
    label: 'Previous interval of the evidence',
    keys: ['shift+e'],
    shown: ['Shift', 'E'],
    needsRuns: true,
    run: ({ actions }) => actions.showEvidence(-1),
  },
  {
    group: 'Runs',
    label: 'Next finding',
    keys: ['n'],
    shown: ['N'],
    needsRuns: true,
    run: ({ actions }) => actions.nextFinding(1),
  },
  {
    group: 'Runs',
    label: 'Previous finding',
    keys: ['shift+n'],
    shown: ['Shift', 'N'],
    needsRuns: true,
    run: ({ actions }) => actions.nextFinding(-1),
  },
  { group: 'Runs', label: 'Next moment; with Shift the previous one', keys: [], shown: ['J'] },
  {
    group: 'Runs',
    label: 'Findings, figures, time, settings, who',
    keys: ['1', '2', '3', '4', '5'],
    shown: ['1', '…', '5'],
    needsRuns: true,
    run: (_, key) => showPanel(PANEL_TABS[Number(key) - 1] ?? 'findings'),
  },
  {
    group: 'Runs',
    label: 'Fold or unfold the findings and figures',
    keys: ['p'],
    shown: ['P'],
    needsRuns: true,
    run: () => foldPanel(!panelStore.getState().folded),
  },
  {
    group: 'Runs',
    label: 'Fold or unfold the filters',
    keys: ['['],
    needsRuns: true,
    run: () => foldRail(!railStore.getState().folded),
  },
  {
    group: 'Runs',
    label: 'Annotate the selected range or the time cursor',
    keys: ['i'],
    shown: ['I'],
    needsRuns: true,
    run: ({ actions }) => actions.annotate(),
  },
  { group: 'Page', label: 'Focus the event filter, or Find in results without a trace', keys: [], shown: ['/'] },
  {
    group: 'Runs',
    label: 'Storage geometry',
    keys: ['g'],
    shown: ['G'],
    needsRuns: true,
    run: ({ actions }) => actions.editGeometry(),
  },
  {
    group: 'Runs',
    label: 'Clear filters',
    keys: ['c'],
    shown: ['C'],
    needsRuns: true,
    run: ({ actions }) => actions.clearFilters(),
  },
  { group: 'Page', label: 'Change how a text was read, in results without a trace', keys: [], shown: ['C'] },
  { group: 'Page', label: 'Open files', keys: ['o'], shown: ['O'], run: ({ actions }) => actions.pickFiles('files') },
  {
    group: 'Page',
    label: 'Open a folder',
    keys: ['shift+o'],
    shown: ['Shift', 'O'],
    run: ({ actions }) => actions.pickFiles('folder'),
  },
  {
    group: 'Page',
    label: 'Open URLs',
    keys: ['u'],
    shown: ['U'],
    run: ({ actions }) => actions.show({ kind: 'addresses' }),
  },
  { group: 'Page', label: 'Paste files, text or URLs', keys: [], shown: ['Ctrl', 'V'] },
  { group: 'Page', label: 'Continue the last comparison, on the first page', keys: [], shown: ['Enter'] },
  {
    group: 'Page',
    label: 'Undo: a removed or closed run comes back, labels and groups are as before',
    keys: ['ctrl+z'],
    shown: ['Ctrl', 'Z'],
    run: ({ actions }) => actions.undo(),
  },
  {
    group: 'Page',
    label: 'Export requests',
    keys: ['x'],
    shown: ['X'],
    needsRuns: true,
    run: ({ actions }) => actions.show({ kind: 'export-requests' }),
  },
  {
    group: 'Page',
    label: 'Switch between dark and light',
    keys: ['t'],
    shown: ['T'],
    run: ({ toggleTheme }) => toggleTheme(),
  },
  { group: 'Page', label: 'Find commands, runs, figures, processes and terms', keys: [], shown: ['Ctrl', 'K'] },
  { group: 'Page', label: 'Show this list', keys: ['?'], run: ({ actions }) => actions.show({ kind: 'shortcuts' }) },
  {
    group: 'Page',
    label: 'Close, clear the selection, leave the evidence, or step out of the range',
    keys: ['escape'],
    shown: ['Esc'],
    run: ({ page, actions }) => {
      if (page.view.selected) actions.select(undefined)
      else if (page.view.preview) actions.preview(undefined)
      else if (page.evidence) actions.leaveEvidence()
      else actions.stepOut()
    },
  },
]

/** `Shift+` is significant for named keys and letters; for `?` and `+` it is part of typing the key. */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'shiftKey'> & { readonly code?: string }): string {
  // With Shift, the key of a digit types another character, which depends on the keyboard.
  const digit = event.shiftKey ? /^Digit([1-9])$/.exec(event.code ?? '')?.[1] : undefined
  if (digit !== undefined) return `shift+${digit}`
  const key = event.key.toLowerCase()
  const counts = event.shiftKey && (key.length > 1 || key !== event.key)
  return counts ? `shift+${key}` : key
}

/**
 * Whether the focused element handles the key itself: a text field takes every key; sliders, tabs, menus and tables
 * take arrows, Enter and Escape; buttons and links take Enter. A widget that handles arrow keys needs one of these
 * roles, or the page's command runs as well.
 */
function belongsToTarget(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]')) return true
  const widget = target.closest('[role=slider], [role=tab], [role=menuitem], [role=option], [role=grid], [role=dialog]')
  if (widget && (key.startsWith('arrow') || key === 'enter' || key === 'escape')) return true
  return key === 'enter' && target.closest('button, a, summary, [role=button]') !== null
}

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target' | 'defaultPrevented' | 'preventDefault'
>

/** `Ctrl K`, or `Cmd K`: the only command with a modifier, which fields let through, too. */
const isFindKey = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyPress): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !shiftKey && !altKey

/**
 * Runs the command of a key press on the window; true when there was one.
 *
 * The order of handlers decides who gets a key: an element's own listener comes first and stops the event, or calls
 * `preventDefault`; then this function sees it. An open dialog takes all keys (`context.page.dialog`), playback has
 * its own table (`play/keys.ts`). Ctrl, Alt and Meta belong to the browser, except Ctrl Z (on a Mac Cmd Z) outside of
 * text fields.
 */
export function runCommand(event: KeyPress, context: CommandContext): boolean {
  if (event.defaultPrevented || event.altKey || context.page.dialog) return false
  if (isFindKey(event)) {
    event.preventDefault()
    context.actions.show({ kind: 'find' })
    return true
  }
  const key = event.ctrlKey || event.metaKey ? `ctrl+${keyOf(event)}` : keyOf(event)
  if (belongsToTarget(event.target, key)) return false
  const hasRuns = context.page.runs.length > 0 && !context.page.home
  const command = COMMANDS.find(c => c.run && c.keys.includes(key) && (!c.needsRuns || hasRuns))
  if (!command?.run) return false
  event.preventDefault()
  command.run(context, key)
  return true
}
