import { expect, test } from 'vitest'
import type { ReadResults, ResultsDocument, ResultsReading, TextChoices } from '../engine/protocol'
import { createPageStore } from '../state/page'
import { AS_SHOWN, readAs, undoReading } from './reading'
import { createSession } from './session'
import { file, scripted } from './testing'

const named = (title: string): ReadResults => ({
  document: { absent: '', tables: [{ title, runs: [] }] } as unknown as ResultsDocument,
  reading: { sentence: title, tables: [], texts: [], refused: false, warnings: [] } satisfies ResultsReading,
})

/** A page with results of a text, whose answers come when they are asked for. */
function start(unread?: string) {
  const store = createPageStore()
  const asked: { choices: TextChoices; answer: (read: ReadResults) => void }[] = []
  const { engine } = scripted(store)
  const session = createSession(store, {
    ...engine,
    readTexts: (_, choices) => new Promise(answer => asked.push({ choices, answer })),
  })
  const first = named('as shown')
  const texts = {
    reading: { ...first.reading, ...(unread !== undefined && { unread }) },
    choices: AS_SHOWN,
    before: [],
  }
  const results = { document: first.document, files: [file('mail.txt')], client: engine.results, texts }
  store.setState(page => ({ ...page, results }))
  const title = () => store.getState().results?.document.tables[0]?.title
  return { store, session, asked, title }
}

test('the last choice wins, whichever answer comes last', async () => {
  const { session, asked, title } = start()
  const all = [readAs(session, { sides: 'file' }), readAs(session, { sides: 'folder' })]
  asked[1]?.answer(named('by folder'))
  asked[0]?.answer(named('by file'))
  await Promise.all(all)
  expect(title()).toBe('by folder')
})

test('undo goes back choice by choice, and no further than what the texts show', async () => {
  const { store, session, asked, title } = start()
  const answered = async (reading: Promise<void>, name: string) => {
    asked.at(-1)?.answer(named(name))
    await reading
    return title()
  }
  await answered(readAs(session, { sides: 'file' }), 'by file')
  await answered(readAs(session, { sides: 'folder' }), 'by folder')
  expect(await answered(undoReading(session), 'by file again')).toBe('by file again')
  expect(asked.at(-1)?.choices).toEqual({ sides: 'file' })
  expect(await answered(undoReading(session), 'as shown again')).toBe('as shown again')
  expect(asked.at(-1)?.choices).toEqual(AS_SHOWN)
  const before = asked.length
  await undoReading(session)
  expect(asked).toHaveLength(before)
  expect(store.getState().results?.texts?.before).toEqual([])
})

test('what was not read stays said after a choice', async () => {
  const { store, session, asked } = start('2 more texts were not read: there are too many.')
  const reading = readAs(session, { sides: 'file' })
  asked[0]?.answer(named('by file'))
  await reading
  expect(store.getState().results?.texts?.reading).toMatchObject({
    sentence: 'by file',
    unread: '2 more texts were not read: there are too many.',
  })
})
