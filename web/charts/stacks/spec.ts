/**
 * Call stacks: by which functions of the kernel requests were submitted. Only the page draws the tree, since a click on
 * a function zooms into it; texts list the paths with the largest shares.
 */
import type { PageSpec } from '../shared/spec'

export const stacks: PageSpec = {
  kind: 'page',
  name: 'stacks',
  title: 'Call stacks',
  measured: 'call-stacks',
}

export const FUNCTION = 'function'

/** What the width of a function stands for. */
export const STACK_MEASURES = [
  ['requests', 'by requests'],
  ['bytes', 'by data'],
  ['d2c_ns', 'by device time'],
] as const

export type StackMeasure = (typeof STACK_MEASURES)[number][0]
