/** The arrangement of the runs in a link: order, labels, groups, devices, baseline, and which are hidden. */

import type { Link } from '../../link/link'
import type { Page } from '../page'
import { groupRuns } from '../runs/grouping'
import { type LabelTable, NO_LABELS } from '../runs/labels'
import { LETTERS, placeRuns, withCompared } from '../runs/runs'
import { ownLabel, splitRun } from '../runs/split'
import type { Run, RunLetter, View } from '../types'

export type Arrangement = Pick<
  Link,
  | 'order'
  | 'baseline'
  | 'compared'
  | 'off'
  | 'labels'
  | 'groups'
  | 'grouping'
  | 'device'
  | 'devices'
  | 'align'
  | 'shifts'
  | 'listed'
  | 'parts'
  | 'cells'
>

/** Names by letter, without the runs that have none. */
function byLetter(
  runs: readonly Run[],
  getName: (run: Run) => string | undefined,
): Readonly<Record<string, string>> | undefined {
  const names = runs.flatMap(run => {
    const name = getName(run)
    return name === undefined ? [] : [[run.linkLetter, name] as const]
  })
  return names.length > 0 ? Object.fromEntries(names) : undefined
}

const nameOf = (run: Run, index = run.device): string | undefined =>
  run.info?.devices.find(d => d.index === index)?.name

/**
 * Traces in the order in which a link numbers them: first those of its snapshot, in the snapshot's order, even if the
 * trace itself was opened since; then the others in the order of opening.
 */
function tracesOf(runs: readonly Run[]): readonly number[] {
  const place = (run: Run): number => run.snapshotIndex ?? LETTERS.length
  return [...new Set([...runs].sort((a, b) => place(a) - place(b) || a.trace - b.trace).map(run => run.trace))]
}

/**
 * The arrangement of the runs for a link. Only differences from the state right after opening are included, so that
 * links stay short.
 */
export function arrangementOf(
  runs: readonly Run[],
  { align, listed: shownList }: Pick<View, 'align' | 'listed'> = {},
  table = NO_LABELS,
): Arrangement {
  const traces = tracesOf(runs)
  const order = runs.map(run => {
    const device = run.alone && nameOf(run)
    return { trace: traces.indexOf(run.trace) + 1, ...(device !== undefined && { device }) }
  })
  const asOpened = order.every(({ trace, device }, i) => trace === i + 1 && device === undefined)
  const chosen = runs.flatMap(r =>
    !r.alone && r.info && r.device !== r.info.devices[0]?.index ? (nameOf(r) ?? []) : [],
  )
  const device = chosen[0]
  const hiddenLetters = runs.flatMap(r => (r.hidden ? r.linkLetter : []))
  const labels = byLetter(runs, r => (r.label === ownLabel(r) ? undefined : r.label))
  const groups = byLetter(runs, r => r.group)
  const shown = (r: Run) =>
    r.alone || nameOf(r) === device || r.info?.devices.every(d => d.name !== device) ? undefined : nameOf(r)
  const devices = device === undefined ? undefined : byLetter(runs, shown)
  const baseline = runs.find(r => r.baseline)?.linkLetter
  const shifts = runs.flatMap(r => (r.shift ? [[r.linkLetter, r.shift] as const] : []))
  const compared = runs.find(r => r.compared)?.linkLetter
  const listed = runs.find(r => r.id === shownList)?.linkLetter
  return {
    ...(listed && { listed }),
    ...tableOf(runs, table),
    ...(!asOpened && { order }),
    ...(baseline && baseline !== 'A' && { baseline }),
    ...(compared && { compared }),
    ...(hiddenLetters.length > 0 && { off: hiddenLetters }),
    ...(labels && { labels }),
    ...(groups && { groups }),
    ...(device !== undefined && { device }),
    ...(devices && { devices }),
    ...(align === 'hand' && shifts.length > 0 && { shifts: Object.fromEntries(shifts) }),
  }
}

/** The label table for a link. A guessed table is left out: the receiver's engine guesses the same one. */
function tableOf(runs: readonly Run[], { edited, parts, values }: LabelTable): Pick<Arrangement, 'parts' | 'cells'> {
  if (!edited) return {}
  const rows = runs.map(
    run =>
      [
        run.linkLetter,
        parts.flatMap(({ key }) => (values[run.id]?.[key] ? [[key, values[run.id]?.[key] ?? ''] as const] : [])),
      ] as const,
  )
  const filledRows = rows.filter(([, cells]) => cells.length > 0)
  return {
    parts,
    ...(filledRows.length > 0 && {
      cells: Object.fromEntries(filledRows.map(([letter, cells]) => [letter, Object.fromEntries(cells)])),
    }),
  }
}

/** The label table that a link sets; a link without one leaves the guessed table. */
export const labelTableOf = (table: LabelTable, runs: readonly Run[], { parts, cells }: Arrangement): LabelTable =>
  parts === undefined
    ? table
    : {
        ...table,
        parts,
        values: Object.fromEntries(runs.map(run => [run.id, cells?.[run.linkLetter] ?? {}])),
        edited: true,
      }

export function withListed(page: Page, runs: readonly Run[], { listed }: Arrangement): Page {
  const run = runs.find(r => r.linkLetter === listed)
  return run ? { ...page, view: { ...page.view, listed: run.id } } : page
}

/** Whether a run can be asked for this device: while a trace is read, its list of devices still grows. */
const knowsDevice = (run: Run, name: string): boolean =>
  run.status.kind !== 'reading' || (run.info?.devices.some(d => d.name === name) ?? false)

/**
 * The runs in the arrangement of a link; `undefined` until all runs and devices that it names are open.
 *
 * The order of the steps matters. Devices are split into runs first, because `order` may name each of them. Then the
 * row is ordered, which assigns letters; only after that do labels, groups, hidden runs and offsets apply, because
 * the link names runs by these letters.
 */
export function arrangeRuns(runs: readonly Run[], link: Arrangement): readonly Run[] | undefined {
  const traces = tracesOf(runs)
  const letters = [
    link.baseline,
    link.compared,
    ...(link.off ?? []),
    link.listed,
    ...[link.labels, link.groups, link.devices, link.shifts, link.cells].flatMap(r => Object.keys(r ?? {})),
  ]
  const places = link.order ? [] : letters.map(letter => LETTERS.indexOf(letter as RunLetter) + 1)
  if (runs.length === 0 || traces.length < Math.max(1, ...places, ...(link.order?.map(o => o.trace) ?? [])))
    return undefined
  const order = link.order?.map(({ trace, device }) => ({ trace: traces[trace - 1], device }))
  const deviceRuns = order?.filter(w => w.device !== undefined) ?? []
  if (!deviceRuns.every(w => runs.some(r => r.trace === w.trace && knowsDevice(r, w.device ?? '')))) return undefined
  if ((link.device !== undefined || link.devices) && !runs.every(r => knowsDevice(r, link.device ?? '')))
    return undefined

  const room = LETTERS.length - runs.length
  const splitRuns = [...new Set(deviceRuns.map(w => w.trace))].reduce((row, trace) => {
    const run = row.find(r => r.trace === trace)
    return run ? splitRun(row, run.id, room) : row
  }, runs)
  const ordered = order?.flatMap(
    w => splitRuns.find(r => r.trace === w.trace && (w.device === undefined ? !r.alone : nameOf(r) === w.device)) ?? [],
  )
  // Devices that were removed stay removed; runs that were opened since follow at the end.
  const rest = splitRuns.filter(r => !ordered?.includes(r) && !(r.alone && deviceRuns.some(w => w.trace === r.trace)))
  const row = placeRuns(ordered && ordered.length > 0 ? [...new Set([...ordered, ...rest])] : splitRuns)
  const hiddenRuns = row.filter(r => link.off?.includes(r.linkLetter))
  const withSettings = row.map((run): Run => {
    const name = link.devices?.[run.linkLetter] ?? link.device
    const shift = link.shifts?.[run.linkLetter]
    const device = run.alone ? undefined : run.info?.devices.find(d => d.name === name)
    return {
      ...run,
      label: link.labels?.[run.linkLetter] ?? run.label,
      baseline: link.baseline === undefined ? run === row[0] : run.linkLetter === link.baseline,
      hidden: hiddenRuns.length < row.length && hiddenRuns.includes(run),
      device: device?.index ?? run.device,
      ...(shift !== undefined && { shift }),
    }
  })
  const compared = withSettings.find(r => r.linkLetter === link.compared)
  const all = compared ? withCompared(placeRuns(withSettings), compared.id) : placeRuns(withSettings)
  const groups = withSettings.flatMap(({ id, linkLetter }) => {
    const label = link.groups?.[linkLetter]
    return label === undefined ? [] : [{ label, runs: [id] }]
  })
  return link.groups || link.grouping === 'none' ? groupRuns(all, groups) : all
}
