/** The tree of functions of several runs, and the place of each function in a drawing. Pure. */
import type { StackSums, StacksUsed } from '../../engine/protocol'
import type { Shown } from '../shared/answers/shown'
import type { StackMeasure } from './spec'

/** Functions narrower than this share of a drawing are left out of it; their callers show their width. */
const MIN_SHARE = 0.002
/** Rows of a drawing; deeper calls are reached by a click on a function. */
const MAX_ROWS = 24
/** Differences of shares that are drawn in the strongest colour. */
const STRONGEST = 0.2

/** Stands between the functions of a path. */
const BETWEEN = ' > '

export type StacksOfRun = Pick<Shown, 'letter'> & { readonly used: StacksUsed | undefined }

/** A function that is called by the same functions in all runs. */
export interface StackFunction {
  /** Names of all functions from the outermost one to this one, joined: identifies it. */
  readonly path: string
  /** The same as a list. */
  readonly functions: readonly string[]
  readonly name: string
  /** Per run; absent where it was not called. */
  readonly sums: readonly (StackSums | undefined)[]
  readonly called: readonly StackFunction[]
}

/** A function in its place. */
export interface PlacedFunction {
  readonly subject: StackFunction
  readonly row: number
  /** Left edge and width, as shares of the drawing. */
  readonly left: number
  readonly width: number
}

interface MutableFunction {
  readonly path: string
  readonly functions: readonly string[]
  readonly name: string
  readonly sums: (StackSums | undefined)[]
  readonly called: Map<string, MutableFunction>
}

const newFunction = (functions: readonly string[]): MutableFunction => ({
  path: functions.join(BETWEEN),
  functions,
  name: functions.at(-1) ?? '',
  sums: [],
  called: new Map(),
})

function calledBy(caller: MutableFunction, name: string): MutableFunction {
  const found = caller.called.get(name) ?? newFunction([...caller.functions, name])
  caller.called.set(name, found)
  return found
}

const addSums = (a: StackSums | undefined, b: StackSums): StackSums => ({
  requests: (a?.requests ?? 0) + b.requests,
  bytes: (a?.bytes ?? 0) + b.bytes,
  d2c_ns: (a?.d2c_ns ?? 0) + b.d2c_ns,
})

/** The trees of all runs as one, whose root has no name and the sums of all requests. */
export function stackTree(runs: readonly StacksOfRun[]): StackFunction {
  const root = newFunction([])
  for (const [run, { used }] of runs.entries()) {
    root.sums[run] = used?.all
    const last: MutableFunction[] = []
    for (const { parent, calls, ...sums } of used?.tree ?? []) {
      let place = (parent === undefined ? undefined : last[parent]) ?? root
      for (const name of calls) {
        place = calledBy(place, name)
        place.sums[run] = addSums(place.sums[run], sums)
      }
      last.push(place)
    }
  }
  const most = ({ sums }: StackFunction) => Math.max(0, ...sums.map(sum => sum?.requests ?? 0))
  const finished = ({ path, functions, name, sums, called }: MutableFunction): StackFunction => ({
    path,
    functions,
    name,
    sums: runs.map((_, i) => sums[i]),
    called: [...called.values()].map(finished).toSorted((a, b) => most(b) - most(a)),
  })
  return finished(root)
}

/** The share of all requests of a run that a function submitted; absent without requests. */
export function shareOf(
  runs: readonly StacksOfRun[],
  { sums }: StackFunction,
  run: number,
  measure: StackMeasure,
): number | undefined {
  const all = runs[run]?.used?.all[measure]
  return all ? (sums[run]?.[measure] ?? 0) / all : undefined
}

/** The function with a path; the root where there is none. */
export function functionAt(root: StackFunction, path: string): StackFunction {
  const step = root.called.find(found => path === found.path || path.startsWith(found.path + BETWEEN))
  if (step === undefined) return root
  return step.path === path ? step : functionAt(step, path)
}

/** A function and what it calls, from the top downwards, as wide as the sums of a run. */
export function placedFunctions(top: StackFunction, run: number, measure: StackMeasure): readonly PlacedFunction[] {
  const sumOf = ({ sums }: StackFunction) => sums[run]?.[measure] ?? 0
  const whole = sumOf(top)
  const placed: PlacedFunction[] = []
  if (whole === 0) return placed
  const place = (found: StackFunction, row: number, left: number): void => {
    const width = sumOf(found) / whole
    if (width < MIN_SHARE || row >= MAX_ROWS) return
    if (found.name !== '') placed.push({ subject: found, row, left, width })
    const next = found.name === '' ? row : row + 1
    let edge = left
    for (const inner of found.called) {
      place(inner, next, edge)
      edge += sumOf(inner) / whole
    }
  }
  place(top, 0, 0)
  return placed
}

/** How much larger its share is in the last run than in the first, from -1 to 1 for the colour. */
export function changeOf(
  runs: readonly StacksOfRun[],
  found: StackFunction,
  measure: StackMeasure,
): number | undefined {
  const [first, last] = [shareOf(runs, found, 0, measure), shareOf(runs, found, runs.length - 1, measure)]
  if (runs.length < 2 || first === undefined || last === undefined) return undefined
  return Math.max(-1, Math.min(1, (last - first) / STRONGEST))
}
