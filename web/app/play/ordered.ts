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
import { processSlots } from '../../state/runs/processes'
import { applyTheme } from '../theme'
import { whyNot } from './whyNot'

/** Interval of progress reports to the server, ms. */
const TOLD_MS = 250

/** Why the film cannot be made, in a sentence. */
function failureOf({ dialog, runs, linkProblems }: Page): string | undefined {
  if (dialog?.kind === 'errors')
    return dialog.errors.map(({ message, remedy }) => (remedy ? `${message} ${remedy}` : message)).join(' ')
  const [problem] = linkProblems
  if (problem) return `${problem.key}: ${problem.why ?? 'invalid'}`
  for (const { label, status } of runs) if (status.kind === 'failed') return `${label}: ${status.error.message}`
  return undefined
}

/** Resolves when all traces are read, and their comparison is made: it labels and aligns them. */
const read = (store: PageStore): Promise<Page> =>
  new Promise((resolve, reject) => {
    const look = () => {
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
    const settle = (then: () => void) => {
      settled = true
      stop()
      then()
    }
    let stop: () => void = () => undefined
    look()
    if (!settled) stop = store.subscribe(look)
  })

export async function makeOrdered(store: PageStore, { path, theme, ...format }: FilmOrder): Promise<void> {
  applyTheme(theme)
  const tell = (what: object) =>
    fetch(`${path}/told`, { method: 'POST', body: JSON.stringify(what) }).catch(() => undefined)
  // The server ends a film of which it hears nothing.
  const reading = setInterval(() => void tell({ reading: store.getState().runs.length }), 5_000)
  try {
    const page = await read(store)
    clearInterval(reading)
    const refused = whyNot(page.runs)
    if (refused !== undefined) throw new Error(refused)
    const shown = shownRuns(page.runs, page.view).slice(0, MAX_RUNS)
    const facts = await factsOf(shown, page.view)
    const given = {
      shown,
      view: page.view,
      processes: processSlots(visible(page.runs)),
      palette: readPalette(),
      facts,
      range: page.view.range,
    }
    let told = 0
    const progress = (frames: number, of: number) => {
      const now = performance.now()
      if (now - told < TOLD_MS && frames < of) return
      told = now
      void tell({ frames, of })
    }
    const film = await renderFilm({ ...given, title: titleOf(page) }, format, progress, new AbortController().signal)
    await fetch(path, { method: 'POST', body: film })
  } catch (thrown) {
    clearInterval(reading)
    await tell({
      failed: thrown instanceof Error ? thrown.message : ((thrown as { message?: string }).message ?? String(thrown)),
    })
  }
}
