/** A model of several threads that read a trace, as `cli/input/read/sections.ts` has them work. */
import { AHEAD, nextHelped } from '../../web/engine/reading/turns'

/** The parts of the work, in seconds. */
export interface Work {
  /** From the start of the process to the engine. */
  readonly start: number
  /** To find the cuts. */
  readonly cut: number
  /** To read the first section. */
  readonly first: number
  /** To read and pack each other section, and to join it. */
  readonly sections: readonly { readonly read: number; readonly join: number }[]
  readonly end: number
  readonly figures: number
}

/** `seconds`: of the work in one thread; of each model, with a core for each thread. */
export interface Modelled {
  readonly work: Work
  readonly seconds: number
  readonly models: readonly { readonly cores: number; readonly seconds: number }[]
}

/** Numbers of cores that are modelled. */
const CORES = [1, 2, 4, 8, 16]

/** Seconds that `threads` threads take until all figures are known. */
export function simulate({ start, cut, first, sections, end, figures }: Work, threads: number): number {
  if (threads === 1) return start + first + sections.reduce((sum, { read }) => sum + read, 0) + end + figures
  const begin = start + cut
  /** When each helper has nothing to do. */
  const free = Array.from({ length: Math.min(threads - 1, sections.length) }, () => begin)
  const arrivals = new Map<number, number>()
  let turn = { index: 0, since: begin }
  let next = nextHelped(-1, threads)
  /** Has helpers begin what they may begin until `now`. */
  const assign = (now: number): void => {
    for (;;) {
      const helper = free.indexOf(Math.min(...free))
      const from = Math.max(free[helper] ?? 0, turn.since)
      const section = sections[next]
      if (!section || next > turn.index + AHEAD * threads || from > now) return
      free[helper] = from + section.read
      arrivals.set(next, from + section.read)
      next = nextHelped(next, threads)
    }
  }
  let now = begin + first
  assign(now)
  for (const [index, { read, join }] of sections.entries()) {
    turn = { index, since: now }
    assign(now)
    const arrival = arrivals.get(index)
    if (arrival !== undefined) now = Math.max(now, arrival) + join
    else {
      // No helper has begun it: it is read by the thread that joins.
      if (next === index) next = nextHelped(next, threads)
      now += read
    }
    assign(now)
  }
  return now + end + figures
}

/** What each number of cores would take for this work. */
export function model(work: Work): Modelled {
  const { start, cut, first, sections, end, figures } = work
  const seconds = sections.reduce((sum, { read, join }) => sum + read + join, start + cut + first + end + figures)
  return { work, seconds, models: CORES.map(cores => ({ cores, seconds: simulate(work, cores) })) }
}
