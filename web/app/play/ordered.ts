/**
 * Renders the film that `seekscope movie` ordered, once the traces of the address are read, and hands it to its server.
 */
import { factsOf } from '../../charts/playback/facts'
import { renderFilm } from '../../charts/playback/film/film'
import { MAX_RUNS } from '../../charts/playback/layout'
import { shownRuns } from '../../charts/shared/answers/shown'
import { readPalette } from '../../charts/shared/paint/theme'
import type { FilmOrder } from '../../lib/filmOrder'
import { visible } from '../../state/filter'
import { type Page, type PageStore, titleOf } from '../../state/page'
import { objectColours } from '../../state/runs/objects'
import { processSlots } from '../../state/runs/processes'
import { applyTheme } from '../theme'
import { playbackProblem } from './playbackProblem'

/** Interval of progress reports to the server, ms. */
const PROGRESS_MS = 250

/** Why the film cannot be made; `undefined` while nothing is wrong. */
function failureOf({ dialog, runs, linkProblems }: Page): string | undefined {
  if (dialog?.kind === 'errors')
    return dialog.errors.map(({ message, remedy }) => (remedy ? `${message} ${remedy}` : message)).join(' ')
  const [problem] = linkProblems
  if (problem) return `${problem.key}: ${problem.why ?? 'invalid'}`
  for (const { label, status } of runs) if (status.kind === 'failed') return `${label}: ${status.error.message}`
  return undefined
}

/**
 * Resolves when all traces are read and compared: the comparison labels and aligns them. Rejects with the first
 * failure.
 */
const whenRead = (store: PageStore): Promise<Page> =>
  new Promise((resolve, reject) => {
    const check = () => {
      const page = store.getState()
      const failure = failureOf(page)
      if (failure !== undefined) return settle(() => reject(new Error(failure)))
      const ready =
        page.runs.length > 0 &&
        !page.opening &&
        !page.sorting &&
        page.runs.every(run => run.status.kind === 'ready' && run.summary)
      if (ready) settle(() => resolve(page))
    }
    let settled = false
    const settle = (finish: () => void) => {
      settled = true
      stop()
      finish()
    }
    let stop: () => void = () => undefined
    check()
    if (!settled) stop = store.subscribe(check)
  })

export async function renderOrderedFilm(store: PageStore, { path, theme, ...format }: FilmOrder): Promise<void> {
  applyTheme(theme)
  const report = (message: object) =>
    fetch(`${path}/told`, { method: 'POST', body: JSON.stringify(message) }).catch(() => undefined)
  // The server gives up on a page that sends nothing, and a large trace takes long to read.
  const reading = setInterval(() => void report({ reading: store.getState().runs.length }), 5_000)
  try {
    const page = await whenRead(store)
    clearInterval(reading)
    const refused = playbackProblem(page.runs)
    if (refused !== undefined) throw new Error(refused)
    const shown = shownRuns(page.runs, page.view).slice(0, MAX_RUNS)
    const facts = await factsOf(shown, page.view)
    const scene = {
      shown,
      view: page.view,
      processes: processSlots(visible(page.runs)),
      objects: objectColours(visible(page.runs)),
      palette: readPalette(),
      facts,
      range: page.view.range,
    }
    let lastReport = 0
    const reportProgress = (frames: number, total: number) => {
      const now = performance.now()
      if (now - lastReport < PROGRESS_MS && frames < total) return
      lastReport = now
      void report({ frames, of: total })
    }
    const film = await renderFilm(
      { ...scene, title: titleOf(page) },
      format,
      reportProgress,
      new AbortController().signal,
    )
    await fetch(path, { method: 'POST', body: film })
  } catch (thrown) {
    clearInterval(reading)
    await report({
      failed: thrown instanceof Error ? thrown.message : ((thrown as { message?: string }).message ?? String(thrown)),
    })
  }
}
