/** Reads the texts of open results again, as the user chose. */
import { asEngineError } from '../engine/errors'
import type { ResultsReading, TextChoices } from '../engine/protocol'
import { besideLinked } from '../state/comparing/results'
import type { ReadTexts } from '../state/page'
import type { Session } from './session'

/** No choices: everything is guessed. */
export const AS_SHOWN: TextChoices = {}

/** Keeps what the first reading of these texts omitted: it is not queried again. */
export const readAgain = (reading: ResultsReading, before: ResultsReading | undefined): ResultsReading =>
  before?.unread === undefined ? reading : { ...reading, unread: before.unread }

/**
 * The last call wins: an earlier answer that comes later is dropped. `before` are the choices to which undo leads;
 * absent: the present ones, and those before them.
 */
export async function readAs(
  { store, engine, update }: Session,
  choices: TextChoices,
  before?: readonly TextChoices[],
): Promise<void> {
  const { results } = store.getState()
  if (!results?.texts || results.files.length === 0) return
  const { files, texts } = results
  // Stored before reading, so that a second change builds on the first one.
  const changed: ReadTexts = { ...texts, choices, before: before ?? [...texts.before, texts.choices] }
  update(page => (page.results === results ? { ...page, results: { ...results, texts: changed } } : page))
  try {
    const { document, reading } = await engine.readTexts(files, choices)
    update(page => {
      const now = page.results
      if (now?.files !== files || now.texts?.choices !== choices) return page
      const texts = { ...now.texts, reading: readAgain(reading, now.texts.reading) }
      return { ...page, results: { ...now, ...besideLinked(document, now.linked), texts } }
    })
  } catch (reason) {
    const dialog = {
      kind: 'errors' as const,
      title: 'The text could not be read again',
      errors: [asEngineError(reason)],
    }
    update(page => ({ ...page, dialog }))
  }
}

export async function undoReading(session: Session): Promise<void> {
  const before = session.store.getState().results?.texts?.before ?? []
  const last = before.at(-1)
  if (last) await readAs(session, last, before.slice(0, -1))
}
