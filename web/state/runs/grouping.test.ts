import { describe, expect, it } from 'vitest'
import { scriptedPage } from '../../opening/testing'
import { type Page, put } from '../page'
import { groupByName, groupedWords, groupRuns } from './grouping'
import { applyGuess, NO_LABELS } from './labels'

/** Two runs, which the names show to be of two groups with one repeat that is not open. */
async function pageOfTwo(): Promise<Page> {
  const scripted = scriptedPage()
  await scripted.openTwo()
  const page = scripted.page()
  const runs = [...page.runs, ...page.runs].map((run, i) => ({ ...run, id: `run-${i}` }))
  const groups = [
    { label: 'old', runs: [0, 2] },
    { label: 'new', runs: [1, 3] },
  ]
  const values = runs.map(() => [])
  const labels = applyGuess(
    NO_LABELS,
    runs.map(run => run.id),
    { parts: [], runs: values, groups },
  )
  return { ...page, runs, labels }
}

const groupsIn = ({ runs }: Page) => runs.map(run => run.group)

describe('repeats', () => {
  it('are grouped at once, together, and only once', async () => {
    const page = groupByName(await pageOfTwo())
    expect(groupsIn(page)).toEqual(['old', 'old', 'new', 'new'])
    expect(page.grouping).toBe('name')
    expect(page.runs.map(run => run.letter).join('')).toBe('A1A2B1B2')
    expect(groupByName(page)).toBe(page)
    expect(groupedWords(page.runs)).toBe('Grouped by name: old (2) against new (2).')
  })
  it('stay as the user, a link or the recorder left them', async () => {
    const page = await pageOfTwo()
    for (const unchanged of [
      { ...page, grouping: 'none' as const },
      { ...page, grouping: 'chosen' as const },
      { ...page, runs: groupRuns(page.runs, [{ label: 'mine', runs: ['run-0'] }]) },
      { ...page, arranging: true as const },
      { ...page, sorting: true },
      { ...page, labels: NO_LABELS },
    ])
      expect(groupByName(unchanged)).toBe(unchanged)
  })
  it('are single runs again when the names no longer show them', async () => {
    const page = groupByName(await pageOfTwo())
    const renamed = groupByName({ ...page, labels: { ...page.labels, groups: [] } })
    expect(groupsIn(renamed)).toEqual([undefined, undefined, undefined, undefined])
    expect(renamed.grouping).toBeUndefined()
  })
  it('of a snapshot have the groups that were shared', async () => {
    const page = await pageOfTwo()
    const snapshot = { columns: 1, rows: 1, digits: 5, all: false, pieces: false, layers: [] }
    const shared = { ...page, runs: page.runs.map(run => put(run, 'snapshot', snapshot)) }
    expect(groupByName(shared)).toBe(shared)
  })
})
