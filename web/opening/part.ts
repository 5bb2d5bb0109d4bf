/**
 * Parts of recordings: a trace that does not fit waits for the choice of a time window, and an open one can be read
 * again.
 */
import { asEngineError } from '../engine/errors'
import type { TimeWindow } from '../engine/protocol'
import { FITTING_BYTES } from '../engine/reading/probe'
import { ns } from '../lib/units'
import { type Page, type PartChoice, put, withChoice } from '../state/page'
import { countEvents } from '../state/runs/part'
import { failTrace, rereadTrace, startTrace } from './run'
import type { Session, TraceToOpen } from './session'

const bytesOf = ({ parts }: TraceToOpen): number => parts.reduce((sum, { blob }) => sum + blob.size, 0)

const choiceOf = (trace: number, opening: TraceToOpen): PartChoice => ({
  trace,
  label: opening.label,
  files: opening.parts.map(({ name, blob }) => ({ name, size: blob.size })),
  inputs: opening.inputs ?? opening.parts.map(part => part.name),
  ...(opening.window && { window: opening.window }),
})

const withoutChoice = (page: Page, trace: number): Page => {
  const rest = { ...page, choices: page.choices.filter(choice => choice.trace !== trace) }
  return withChoice(page.dialog?.kind === 'part' ? put(rest, 'dialog', undefined) : rest)
}

/**
 * Reads a trace if it fits into memory; else it waits for the choice of a part. Returns the trace's number and
 * whether it is being read.
 */
export async function startIfItFits(
  session: Session,
  opening: TraceToOpen,
  signal: AbortSignal,
): Promise<{ readonly trace: number; readonly waits: boolean }> {
  const { store, engine, update } = session
  const trace = session.nextTrace()
  const estimate =
    bytesOf(opening) > FITTING_BYTES ? await engine.estimateTrace(opening.parts, opening.window, true) : undefined
  signal.throwIfAborted()
  if (!estimate?.error) {
    startTrace(session, opening, store.getState().geometry, trace)
    return { trace, waits: false }
  }
  session.onOpening(trace, opening)
  // The dialog shows the complete recording, even if only the requested part is too large.
  const complete = opening.window ? { ...(await engine.estimateTrace(opening.parts)), error: estimate.error } : estimate
  update(page =>
    withChoice({ ...page, choices: [...page.choices, { ...choiceOf(trace, opening), estimate: complete }] }),
  )
  return { trace, waits: true }
}

/** Offers to read another part of an open run. */
export async function choosePart(session: Session, id: string): Promise<void> {
  const { engine, update } = session
  const trace = session.run(id)?.trace
  const opening = trace === undefined ? undefined : session.openingOf(trace)
  if (trace === undefined || !opening) return
  const window = opening.window ?? session.run(id)?.info?.window
  const choice: PartChoice = { ...choiceOf(trace, opening), ...(window && { window }), run: id }
  const otherChoices = (page: Page) => page.choices.filter(choice => choice.trace !== trace)
  update(page => ({ ...page, choices: [...otherChoices(page), choice], dialog: { kind: 'part', trace } }))
  try {
    const estimate = await engine.estimateTrace(opening.parts)
    update(page => ({
      ...page,
      choices: page.choices.map(candidate => (candidate.trace === trace ? { ...candidate, estimate } : candidate)),
    }))
  } catch (reason) {
    update(page => withoutChoice(page, trace))
    failTrace(session, trace, asEngineError(reason))
  }
}

/** Reads the chosen part; without a window, the complete recording. */
export function openPart(session: Session, trace: number, window: TimeWindow | undefined): void {
  const { store, update, runsOf } = session
  const before = session.openingOf(trace)
  const estimate = store.getState().choices.find(choice => choice.trace === trace)?.estimate
  update(page => withoutChoice(page, trace))
  if (!before) return
  const { window: _, expected: __, ...rest } = before
  const expected =
    window?.to_ns !== undefined && estimate?.events
      ? bytesOf(before) * (countEvents(estimate, { from: ns(0), to: window.to_ns }) / estimate.events)
      : undefined
  const opening = {
    ...rest,
    ...(window && { window }),
    ...(expected !== undefined && { expected: Math.ceil(expected) }),
  }
  if (runsOf(trace).length > 0) rereadTrace(session, opening, trace)
  else startTrace(session, opening, store.getState().geometry, trace)
}

/** Ends a choice; a trace that is not open stays unread, and is listed with the reason. */
export function skipPart(session: Session, trace: number): void {
  const { store, update, runsOf } = session
  const choice = store.getState().choices.find(candidate => candidate.trace === trace)
  const unread = runsOf(trace).length === 0
  if (unread) session.cancel(trace)
  const notRead =
    choice && unread
      ? [{ path: choice.inputs.join(' '), ...(choice.estimate?.error && { error: choice.estimate.error }) }]
      : []
  update(page =>
    withoutChoice({ ...page, notRead: [...page.notRead, ...(page.runs.length > 0 ? notRead : [])] }, trace),
  )
}
