import { expect, it } from 'vitest'
import type { FoundFile } from '../../ingest/found'
import { scriptedPage, two } from '../testing'
import { COMPARED_BYTES, isSameFile } from './alreadyOpen'

const file = (name: string, text: string, lastModified = 0): FoundFile => ({
  name,
  path: name,
  blob: new Blob([text]),
  lastModified,
})

/** Two recordings: one of two files, with a text beside it, and an archive. */
const files = [
  file('old.blktrace.0', 'old 0'),
  file('old.blktrace.1', 'old 1'),
  file('new.tar', 'new'),
  file('fio.txt', 'fio'),
]

async function opened() {
  const page = scriptedPage()
  page.engine.answer.grouping = {
    ...two,
    notes: [{ index: 3, traces: [0, 1], note: { kind: 'other', file: 'fio.txt', facts: [] } }],
  } as never
  await page.actions.open(files)
  return page
}

it('tells files apart by name, size and date, and by contents where these do not say it', async () => {
  const dated = file('a', 'x', 7)
  expect(await isSameFile(dated, file('a', 'y', 7))).toBe(true)
  expect(await isSameFile(dated, file('a', 'xy', 7))).toBe(false)
  expect(await isSameFile(dated, file('b', 'y', 7))).toBe(false)
  expect(await isSameFile(dated, file('b', 'x', 8))).toBe(true)
  expect(await isSameFile(file('a', 'x'), file('a', 'y'))).toBe(false)
  const size = COMPARED_BYTES + 1
  const large = { ...dated, blob: { size } as Blob }
  expect(await isSameFile(large, { ...dated, name: 'b', blob: { size } as Blob })).toBe(false)
})

it('says which run has a file already, and opens it again only when asked', async () => {
  const { actions, page, engine } = await opened()
  await actions.open([file('copy.tar', 'new')])
  expect(page().toast).toMatchObject({ words: 'copy.tar is open already as B.', again: [{ name: 'copy.tar' }] })
  expect(engine.opened).toHaveLength(2)
  await actions.open(page().toast?.again ?? [], true)
  expect(page().runs).toHaveLength(4)
})

it('names a recording with several files once, without the texts beside it', async () => {
  const { actions, page } = await opened()
  await actions.open(files)
  expect(page().toast?.words).toBe('old and new.tar are open already as A and B.')
  expect(page().toast?.again).toHaveLength(4)
})

it('opens what is new, and a recording that has gained a file', async () => {
  const { actions, page, engine } = await opened()
  engine.answer.grouping = { ...two, traces: [{ name: 'three', label: 'three', parts: [0] }] }
  await actions.open([file('new.tar', 'new'), file('other.tar', 'other')])
  expect(page().toast?.words).toBe('new.tar is open already as B.')
  expect(page().runs.map(run => run.label)).toEqual(['one', 'two', 'three'])
  actions.dismissToast()
  await actions.open([file('old.blktrace.0', 'old 0'), file('old.blktrace.2', 'old 2')])
  expect(page().toast).toBeUndefined()
  expect(page().runs).toHaveLength(4)
})

it('opens again what has failed or was removed', async () => {
  const { actions, page, engine } = await opened()
  engine.opened[1]?.events.failed({ code: 'empty-trace', message: 'All files are empty.' })
  await actions.open([file('new.tar', 'new')])
  expect(page().toast).toBeUndefined()
})
