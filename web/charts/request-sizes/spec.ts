/** Exact request sizes: one row of bars per run. */
import type { Sizes } from '../../engine/protocol'
import { onlyOp } from '../../state/hidden'
import type { Hidden, SizesAt } from '../../state/types'
import { sizesChoice } from '../shared/answers/sizesAt'
import { NO_REQUESTS, NOT_READ } from '../shared/answers/words'
import type { LegendEntry } from '../shared/paint/legendEntry'
import { type Answers, type PanelSpec, type RunsFrame, wholeView } from '../shared/spec'
import { NOUN, onlySize, onlySizeWords, table, withSectors, words } from './summary'

export interface SizeQueries {
  readonly sizes: 'sizes'
}

const KINDS = ['reads', 'writes', 'discards'] as const
const TOKENS = { reads: 'op-read', writes: 'op-write', discards: 'op-discard' } as const
const OP_OF = { reads: 'read', writes: 'write', discards: 'discard' } as const

/** The event at which requests are measured, and all that can be chosen. */
export const sizesOf = ({ shown, view }: RunsFrame): ReturnType<typeof sizesChoice> =>
  sizesChoice(
    shown.map(run => run.device),
    view.sizesAt,
  )

const seenAt = (frame: RunsFrame): SizesAt => sizesOf(frame).seen

export const runSizes = ({ sizes }: Answers<SizeQueries>): readonly (Sizes | undefined)[] =>
  sizes.map(({ answer }) => answer && withSectors(answer))

function legendOf(sizes: readonly (Sizes | undefined)[], { ops }: Hidden): readonly LegendEntry[] {
  const kinds = KINDS.filter(kind => sizes.some(s => s?.[kind].some(n => n > 0)))
  if (kinds.length < 2 && ops.length === 0) return []
  return kinds.map(kind => ({ label: kind, token: TOKENS[kind], only: onlyOp(OP_OF[kind]) }))
}

const subject = (frame: RunsFrame): string => `requests by size, as ${seenAt(frame)}`

/** One sentence where all requests have the same size: a chart would be a single bar. */
function onlyWords(frame: RunsFrame, sizes: readonly (Sizes | undefined)[]): readonly string[] | undefined {
  const only = onlySize(sizes)
  return only === undefined ? undefined : [onlySizeWords(frame.shown, sizes, only, seenAt(frame))]
}

export const requestSizes: PanelSpec<SizeQueries> = {
  kind: 'panel',
  name: 'request-sizes',
  title: 'Request size',
  noun: NOUN,
  measured: 'request-sizes',
  queries: {
    sizes: {
      kind: 'sizes',
      channel: 'sizes',
      restMs: 150,
      ask: ({ filter }, frame) => ({ filter, range: frame.view.range, at: seenAt(frame) }),
    },
  },
  cells: wholeView,
  measures: () => ['sizes'],
  subject,
  words(frame, answers) {
    const sizes = runSizes(answers)
    return onlyWords(frame, sizes) ?? frame.shown.map((run, i) => words(run, sizes[i], seenAt(frame)))
  },
  table: (frame, answers) => table(frame.shown, runSizes(answers), seenAt(frame)),
  panel(frame, answers) {
    const sizes = runSizes(answers)
    const only = onlyWords(frame, sizes)
    const legend = [{ entries: legendOf(sizes, frame.view.hidden) }]
    if (only !== undefined) return { what: '', legend: frame.view.hidden.ops.length > 0 ? legend : [], instead: only }
    const isRead = answers.sizes.some(({ answer }) => answer)
    const isEmpty = sizes.every(s => s === undefined || s.sectors.length === 0)
    return {
      what: subject(frame),
      legend,
      ...(isEmpty && { instead: [isRead ? NO_REQUESTS : NOT_READ] }),
    }
  },
}
