/** What a menu offers at a place of a plot: filters and zooms for what is there. */
import type { Life } from '../../../engine/protocol'
import { ns } from '../../../lib/units'
import { type LeftOut, leavesOut, onlyAlignment, onlyObjects, onlyOp, onlyProcesses } from '../../../state/hidden'
import { shortPath } from '../../../state/runs/objects'
import { PROCESS_SLOTS, processKey } from '../../../state/runs/processes'
import { type LegendFilters, showOnlyWords } from '../answers/legendFilters'
import { ALIGNMENT_NAMES, processName } from '../answers/names'
import { showInTable } from '../answers/objectRow'
import { type ChartFrame, filtered, type Shown, zoomed } from '../answers/shown'
import { CLEAR_FILTERS } from '../answers/words'
import type { MenuItem } from './MenuList'

interface MenuPlot {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly request?: ((t: number, y?: number) => Promise<number | undefined>) | undefined
}

/** How long a menu waits for what is at its place, ms. */
const PATIENCE_MS = 1000
/** Least length of a request that is zoomed to, ns: a flush may take none. */
const MIN_LENGTH = 1000

const timeUp = (): Promise<undefined> => new Promise(resolve => setTimeout(() => resolve(undefined), PATIENCE_MS))

/** The request at a place; `undefined` where there is none, or it cannot be read, as in a snapshot. */
async function lifeAt({ run, request }: MenuPlot, t: number, y: number | undefined): Promise<Life | undefined> {
  try {
    const row = await request?.(t, y)
    const { geometry } = run.filter
    return row === undefined
      ? undefined
      : await run.client.query('life', { row, ...(geometry && { geometry }) }, 'menu')
  } catch {
    return undefined
  }
}

/** The filters that leave requests like this one, each with its words. */
function filtersOf({ frame, run }: MenuPlot, life: Life): readonly (readonly [string, LeftOut | undefined])[] {
  const { op, process, via, alignment } = life
  const key = processKey({ name: process, ...(via !== undefined && { via }) })
  const { processes } = frame
  const slot = processes.get(key)
  // One writer may have several names. Those without a colour share their slot, but are not one writer.
  const isSame = (other: string) =>
    slot === undefined || slot === PROCESS_SLOTS ? other === key : processes.get(other) === slot
  return [
    [op, onlyOp(op)],
    ...(slot === undefined ? [] : [[processName(key, run.run), onlyProcesses(processes.keys(), isSame)] as const]),
    ...(alignment === undefined ? [] : [[ALIGNMENT_NAMES[alignment], onlyAlignment(alignment)] as const]),
  ]
}

/** What can be done with the file or structure of a request. */
function objectItems({ frame, run }: MenuPlot, filters: LegendFilters, life: Life): readonly MenuItem[] {
  const { objects } = frame
  const name = run.info.objects?.find(({ index }) => index === life.object)?.name
  if (name === undefined || !objects.slots.has(name)) return []
  const label = shortPath(name, [...objects.slots.keys()])
  const only = onlyObjects(objects.slots.keys(), other => other === name)
  const isAlone = only === undefined || leavesOut(filters.hidden, only)
  return [
    ...(isAlone ? [] : [{ label: showOnlyWords(label), run: () => filters.leaveOut(only) }]),
    ...(isAlone
      ? []
      : [{ label: `Hide ${label}`, run: () => filters.leaveOut({ objects: [...filters.hidden.objects, name] }) }]),
    { label: `Show ${label} in the table`, run: () => showInTable(name) },
  ]
}

function zoomItem({ frame, run }: MenuPlot, { queued, issued, completed }: Life): readonly MenuItem[] {
  const begin = queued ?? issued
  if (begin === undefined || completed === undefined) return []
  const length = Math.max(MIN_LENGTH, completed - begin)
  const [t0, t1] = [begin + run.shift - length, begin + run.shift + 2 * length]
  const range = { t0: ns(Math.max(frame.extent.t0, t0)), t1: ns(Math.min(frame.extent.t1, t1)) }
  return [{ label: 'Zoom to this request', run: () => frame.actions.commit(range) }]
}

/** Entries for a place: what is there, then what the whole view has. */
export async function placeItems(
  plot: MenuPlot,
  filters: LegendFilters | undefined,
  t: number,
  y: number | undefined,
): Promise<readonly MenuItem[]> {
  const { frame } = plot
  const { actions, live } = frame
  const life = await Promise.race([lifeAt(plot, t, y), timeUp()])
  const offered = life && filters ? filtersOf(plot, life) : []
  const { preview } = live.get()
  const isIn = preview !== undefined && t >= preview.t0 && t <= preview.t1
  return [
    ...offered.flatMap(([label, only]): readonly MenuItem[] =>
      only === undefined || (filters && leavesOut(filters.hidden, only))
        ? []
        : [{ label: showOnlyWords(label), run: () => filters?.leaveOut(only) }],
    ),
    ...(life && filters ? objectItems(plot, filters, life) : []),
    ...(filters && filtered(frame) ? [{ label: CLEAR_FILTERS, run: actions.clearFilters }] : []),
    ...(life ? zoomItem(plot, life) : []),
    ...(isIn ? [{ label: 'Zoom to the selection', run: () => actions.commit(preview) }] : []),
    ...(zoomed(frame) ? [{ label: 'Full run', run: () => actions.whole() }] : []),
  ]
}
