/** All ways to open traces and to close them: files, reference links, snapshots, samples. */
import { asEngineError } from '../engine/errors'
import type { FoundFile } from '../ingest/found'
import type { Opening } from '../state/actions'
import { type PageStore, put } from '../state/page'
import { checksums } from './checksum'
import { documentsAmong } from './documents/sorted'
import { openFiles, type WindowOf } from './drop'
import { choosePart, openPart, skipPart } from './part'
import { readAs, undoReading } from './reading'
import { closeAllRuns, freeTraces, removeAllRuns, removeRun, resummarise } from './run'
import { openSample, openSampleMail } from './sample'
import { createSession, type OpeningEngine } from './session'

export function createOpening(store: PageStore, engine: OpeningEngine): Opening {
  const session = createSession(store, engine)
  freeTraces(session)
  const searches = new Set<AbortController>()
  /** Loads a script on demand; a failure is shown in a dialog. */
  const part = async <T>(script: Promise<T>): Promise<T | undefined> => {
    try {
      return await script
    } catch (reason) {
      const dialog = {
        kind: 'errors' as const,
        title: 'A part of this page could not be loaded',
        errors: [asEngineError(reason, 'part-missing')],
      }
      session.update(page => put({ ...page, dialog, sorting: false }, 'opening', undefined))
      return undefined
    }
  }
  const open = async (all: readonly FoundFile[], windowOf?: WindowOf) => {
    const documents = await documentsAmong(all)
    if (documents.length > 0)
      await (await part(import('./documents/documents')))?.openDocuments(
        session,
        documents,
        store.getState().fleetWanted,
      )
    const files = documents.length > 0 ? all.filter(file => !documents.includes(file)) : all
    if (documents.length > 0 && files.length === 0) return []
    const search = new AbortController()
    searches.add(search)
    const traces = await openFiles(session, files, search.signal, windowOf)
    searches.delete(search)
    return traces
  }
  const openNew = async (files: readonly FoundFile[]) => {
    // Nothing is open already on the landing page, which does not load this.
    const page = store.getState()
    const checked = page.batches.length > 0 ? await part(import('./repeated/alreadyOpen')) : undefined
    if (!checked) return open(files)
    const { files: others, open: present, words } = await checked.alreadyOpen(page, files)
    if (words !== undefined) session.update(page => ({ ...page, toast: { words, again: present } }))
    return words !== undefined && others.length === 0 ? [] : open(others)
  }
  return {
    open: (files, again) => (again ? open(files) : openNew(files)),
    openReference: async (reference, fetched) => {
      session.update(page => ({ ...page, opening: true }))
      await (await part(import('./reference')))?.openReference(session, reference, fetched, open)
    },
    openSnapshot: async (text, options) => {
      session.update(page => ({ ...page, sorting: true, opening: true }))
      await (await part(import('./snapshot')))?.openSnapshot(session, text, options)
    },
    checksums: () => checksums(session),
    openSample: sample => openSample(session, sample),
    openSampleMail: () => openSampleMail(session, open),
    choosePart: id => choosePart(session, id),
    openPart: (trace, window) => openPart(session, trace, window),
    compareMoment: async (id, moment) => (await part(import('./moment')))?.compareMoment(session, id, moment),
    leaveMoment: async id => (await part(import('./moment')))?.leaveMoment(session, id),
    skipPart: trace => skipPart(session, trace),
    compareRows: async rows => (await part(import('./documents/documents')))?.openRows(session, rows),
    openStream: url => void import('./stream').then(({ openStream }) => openStream(session, url)),
    readAs: (choices, before) => readAs(session, choices, before),
    undoReading: () => undoReading(session),
    stopStream: id => {
      const trace = session.run(id)?.trace
      if (trace !== undefined) session.stop(trace)
    },
    stop: () => {
      for (const search of searches) search.abort()
    },
    remove: id => removeRun(session, id),
    removeAll: () => removeAllRuns(session),
    closeAll: () => closeAllRuns(session),
    resummarise: id => resummarise(session, id),
  }
}
