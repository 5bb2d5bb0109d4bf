/** The runs: their order, names, groups, devices and geometry. */

import type { Opening, PageActions } from '../actions'
import { withoutMark } from '../comparing/evidence'
import { put } from '../page'
import { groupRuns } from '../runs/grouping'
import { NO_LABELS } from '../runs/labels'
import { changeRun, LETTERS, moveRun, toggleRun, withBaseline, withCompared } from '../runs/runs'
import { joinDevices, splitRun } from '../runs/split'
import type { Run } from '../types'
import { regrouping, renaming, withLabelStep, withStep } from '../undo'
import type { Updates } from './updates'

export function createRunActions({ store, update }: Updates, opening: Pick<Opening, 'resummarise'>) {
  /** Changes the runs, and drops the LBA range and the selection, which belong to one of the old ones. */
  const updateRuns = (change: (runs: readonly Run[]) => readonly Run[]) =>
    update(page => ({
      ...page,
      runs: change(page.runs),
      view: put(put(page.view, 'lba', undefined), 'selected', undefined),
    }))
  return {
    rename: (id, label) =>
      update(page => {
        const run = page.runs.find(candidate => candidate.id === id)
        const text = label.trim()
        if (!run || text === '' || text === run.label) return page
        return withStep({ ...page, runs: changeRun(page.runs, id, { label: text }) }, renaming(run, text))
      }),
    move: (id, to) => update(page => ({ ...page, runs: moveRun(page.runs, id, to) })),
    setBaseline: id => update(page => ({ ...page, runs: withBaseline(page.runs, id) })),
    toggle: id => update(page => ({ ...page, runs: toggleRun(page.runs, id) })),
    compare: id =>
      update(page => withoutMark(put({ ...page, runs: withCompared(page.runs, id) }, 'finding', undefined))),
    group: groups =>
      update(page =>
        withStep(
          { ...page, runs: groupRuns(page.runs, groups), grouping: 'chosen' },
          regrouping(page, groups.length > 0 ? 'Changed the groups.' : 'Ungrouped the runs.'),
        ),
      ),
    groupByName: enabled =>
      update(page =>
        withStep(
          enabled ? { ...page, grouping: 'name' } : { ...page, runs: groupRuns(page.runs, []), grouping: 'none' },
          regrouping(page, enabled ? 'Grouped the runs by name.' : 'Ungrouped the runs.'),
        ),
      ),
    split: id => updateRuns(runs => splitRun(runs, id, LETTERS.length - runs.length)),
    join: id =>
      updateRuns(runs => {
        const trace = runs.find(r => r.id === id)?.trace
        return trace === undefined ? runs : joinDevices(runs, trace)
      }),
    setDevice: (id, index) =>
      update(page => {
        const name = page.runs.find(r => r.id === id)?.info?.devices.find(d => d.index === index)?.name
        const runs = page.runs.map(run => {
          if (run.alone) return run
          const device = run.id === id ? index : (run.info?.devices.find(d => d.name === name)?.index ?? run.device)
          return device === run.device ? run : { ...run, device }
        })
        return { ...page, runs, view: put(put(page.view, 'lba', undefined), 'selected', undefined) }
      }),
    setGeometry: (geometry, id) => {
      update(page => ({
        ...(id === undefined ? put(page, 'geometry', geometry) : page),
        runs: page.runs.map(run => (id === undefined || run.id === id ? put(run, 'geometry', geometry) : run)),
      }))
      for (const run of store.getState().runs) if (id === undefined || run.id === id) opening.resummarise(run.id)
    },
    lookAt: ids =>
      update(page => {
        const first = ids[0]
        if (first === undefined) return page
        const runs = withBaseline(page.runs, first).map(run => ({ ...run, hidden: !ids.includes(run.id) }))
        return { ...page, runs, view: { ...put(page.view, 'selected', undefined), layout: 'columns' } }
      }),
    label: change => update(page => withLabelStep(page, change(page.labels), 'Changed the labels.')),
    guessLabels: () => update(page => withLabelStep(page, NO_LABELS, 'Guessed the labels again.')),
  } satisfies Partial<PageActions>
}
