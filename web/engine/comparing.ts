/** Comparisons, snapshots and tables of results: a module that is loaded when the first of them is needed. */
import {
  arrangeResults,
  compare,
  comparedDevice,
  compareMatrix,
  compareText,
  initSync,
  knownFigures,
  measureNoise,
  OpenedSnapshot,
  openSnapshot,
  packSnapshot,
  resultsText,
  Shot,
} from './generated/comparing.js'

/** The functions of the module, once it is initialized. */
const functions = {
  arrangeResults,
  compare,
  comparedDevice,
  compareMatrix,
  compareText,
  knownFigures,
  measureNoise,
  OpenedSnapshot,
  openSnapshot,
  packSnapshot,
  resultsText,
  Shot,
}

export type Comparing = typeof functions

/** `module` is that of comparisons. May be called again. */
export function startComparing(module: WebAssembly.Module): Comparing {
  initSync({ module })
  return functions
}
