/** Annotations of the page: texts that readers add to a time of a run, with a sector or without. */

import type { Range } from '../../engine/protocol'
import { type Ns, ns } from '../../lib/units'
import { annotationText, authorText, type LinkAnnotation, MAX_ANNOTATIONS } from '../../link/annotations'
import { beginOf } from '../filter'
import type { Page } from '../page'
import type { Annotation, AnnotationPlace, Run } from '../types'

/** As given in the form; its text and author are cleaned. */
export type AnnotationDraft = Omit<Annotation, 'id' | 'theirs'>

function cleaned({ author = '', text, at, to, ...rest }: AnnotationDraft): AnnotationDraft | undefined {
  const [words, name] = [annotationText(text), authorText(author)]
  if (words === '' || !Number.isFinite(at) || at < 0) return undefined
  const end = to !== undefined && Number.isFinite(to) && to > at ? { to: ns(Math.round(to)) } : {}
  return { ...rest, at: ns(Math.round(at)), ...end, text: words, ...(name !== '' && { author: name }) }
}

/** With one more; the same list without a text, or when it is full. */
export function added(list: readonly Annotation[], draft: AnnotationDraft): readonly Annotation[] {
  const clean = cleaned(draft)
  const id = Math.max(0, ...list.map(annotation => annotation.id)) + 1
  return clean === undefined || list.length >= MAX_ANNOTATIONS ? list : [...list, { ...clean, id }]
}

/** Those of a link before those that the page has: each with an id of its own, as many as there is room for. */
export const joined = (first: readonly Annotation[], then: readonly Annotation[]): readonly Annotation[] =>
  [
    ...first.map((annotation, i) => ({ ...annotation, id: Math.max(0, ...then.map(({ id }) => id)) + i + 1 })),
    ...then,
  ].slice(0, MAX_ANNOTATIONS)

/** With a changed one, which is the reader's from then on. */
export function edited(list: readonly Annotation[], id: number, draft: AnnotationDraft): readonly Annotation[] {
  const clean = cleaned(draft)
  return clean === undefined ? list : list.map(annotation => (annotation.id === id ? { ...clean, id } : annotation))
}

/** A time that was pointed at, without the digits that a pixel of this many ns does not decide. */
export function asPointed(t: number, perPixel: number): Ns {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, perPixel))))
  return ns(Math.round(t / step) * step)
}

/** About how many pixels a chart is wide. */
const WIDTH = 600

/**
 * Where the next annotation belongs: the selected range, else the last click, else the time cursor; of the first run
 * that has that time. With evidence it is the run that was not moved: the finding is about that one.
 */
export function placeOf({
  runs: given,
  view,
  place,
  evidence,
}: Pick<Page, 'runs' | 'view' | 'place' | 'evidence'>): AnnotationPlace {
  // As they are drawn: evidence moves runs on the time axis.
  const runs = given.map(run => ({ ...run, shift: ns((run.shift ?? 0) + (evidence?.windows?.[run.id] ?? 0)) }))
  const open = runs.filter(run => !run.hidden)
  const { preview, cursor, range } = view
  const clicked = preview ? undefined : open.find(one => one.id === place?.run)
  if (clicked && place) return place
  const at = preview?.t0 ?? cursor ?? (range.t0 + range.t1) / 2
  const own = (run: Run, t: number) => asPointed(Math.max(0, t - (run.shift ?? 0)), (range.t1 - range.t0) / WIDTH)
  const chosen = open.find(one => one.id === place?.run)
  const unmoved = open.filter(one => !evidence?.windows?.[one.id])
  const run = [chosen, ...unmoved, ...open].find(one => one && hasTime(one, at)) ?? chosen ?? open[0]
  if (run === undefined) return {}
  return { run: run.id, at: own(run, at), ...(preview && { to: own(run, preview.t1) }) }
}

/** Whether the run was being recorded at a time of the page. */
function hasTime(run: Run, t: number): boolean {
  const since = t - (run.shift ?? 0)
  return since >= beginOf(run) && since <= (run.info?.span ?? Number.POSITIVE_INFINITY)
}

/**
 * A view of this annotation in the middle; absent where it is in sight. A range is shown with a fifth on both sides.
 */
export function rangeAround({ at, to }: Annotation, run: Pick<Run, 'shift'>, shown: Range): Range | undefined {
  const shift = run.shift ?? 0
  const [from, end] = [at + shift, (to ?? at) + shift]
  if (to !== undefined) return { t0: ns(from - (to - at) / 5), t1: ns(end + (to - at) / 5) }
  if (from > shown.t0 && from < shown.t1) return undefined
  const half = (shown.t1 - shown.t0) / 2
  return { t0: ns(from - half), t1: ns(from + half) }
}

/** An annotation of an open run, with its number: its place in the list. */
export interface NumberedAnnotation extends Annotation {
  readonly number: number
  readonly of: Run
}

/** Those of runs that are open, in the order in which they were added. */
export const numbered = (list: readonly Annotation[], runs: readonly Run[]): readonly NumberedAnnotation[] =>
  list
    .flatMap(annotation => {
      const of = runs.find(run => run.id === annotation.run)
      return of ? [{ ...annotation, of }] : []
    })
    .map((annotation, i) => ({ ...annotation, number: i + 1 }))

/** For a link; absent without any. */
export function annotationsOf(
  list: readonly Annotation[],
  runs: readonly Run[],
): { readonly annotations?: readonly LinkAnnotation[] } {
  const annotations = numbered(list, runs).map(({ id: _, theirs: __, number: ___, of, run: ____, ...rest }) => ({
    ...rest,
    run: of.letter,
  }))
  return annotations.length > 0 ? { annotations } : {}
}

/**
 * Those of a link, once its runs are open; `isOwn`: whether the reader wrote it. One whose run is missing is left out.
 */
export const annotated = (
  given: readonly LinkAnnotation[] = [],
  runs: readonly Run[],
  isOwn: (annotation: LinkAnnotation) => boolean,
): readonly Annotation[] =>
  given.flatMap((annotation, i) => {
    const run = runs.find(r => r.letter === annotation.run)
    return run ? [{ ...annotation, run: run.id, id: i + 1, ...(!isOwn(annotation) && { theirs: true as const }) }] : []
  })
