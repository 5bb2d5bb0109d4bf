/** Annotations of the page: texts that readers add to a time of a run, with a sector or without. */

import type { Range } from '../../engine/protocol'
import { type Ns, ns } from '../../lib/units'
import { annotationText, authorText, type LinkAnnotation, MAX_ANNOTATIONS } from '../../link/annotations'
import { beginOf } from '../filter'
import type { Page } from '../page'
import type { Annotation, AnnotationPlace, Run } from '../types'

/** An annotation as entered in the form; `cleanDraft` trims its text and author. */
export type AnnotationDraft = Omit<Annotation, 'id' | 'theirs'>

function cleanDraft({ author = '', text, at: time, to, ...rest }: AnnotationDraft): AnnotationDraft | undefined {
  const [words, name] = [annotationText(text), authorText(author)]
  if (words === '' || !Number.isFinite(time) || time < 0) return undefined
  const end = to !== undefined && Number.isFinite(to) && to > time ? { to: ns(Math.round(to)) } : {}
  return { ...rest, at: ns(Math.round(time)), ...end, text: words, ...(name !== '' && { author: name }) }
}

/** Adds an annotation. Returns the same list if the text is empty or the list is full. */
export function addAnnotation(list: readonly Annotation[], draft: AnnotationDraft): readonly Annotation[] {
  const clean = cleanDraft(draft)
  const id = Math.max(0, ...list.map(annotation => annotation.id)) + 1
  return clean === undefined || list.length >= MAX_ANNOTATIONS ? list : [...list, { ...clean, id }]
}

/** Puts annotations of a link before those of the page, with new ids; drops the last ones beyond the limit. */
export const joinAnnotations = (
  linked: readonly Annotation[],
  existing: readonly Annotation[],
): readonly Annotation[] =>
  [
    ...linked.map((annotation, i) => ({ ...annotation, id: Math.max(0, ...existing.map(({ id }) => id)) + i + 1 })),
    ...existing,
  ].slice(0, MAX_ANNOTATIONS)

/** Changes an annotation; it counts as the reader's own from then on, even if it came with the link. */
export function editAnnotation(list: readonly Annotation[], id: number, draft: AnnotationDraft): readonly Annotation[] {
  const clean = cleanDraft(draft)
  return clean === undefined ? list : list.map(annotation => (annotation.id === id ? { ...clean, id } : annotation))
}

/** Rounds a time that was pointed at to what a pixel of `perPixel` ns can resolve. */
export function asPointed(t: number, perPixel: number): Ns {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, perPixel))))
  return ns(Math.round(t / step) * step)
}

/** Approximate width of a chart in pixels, for rounding only. */
const WIDTH = 600

/**
 * Where the next annotation belongs: the selected range, else the last click, else the time cursor; of the first run
 * that has that time. With evidence it is the run that was not moved: the finding is about that one.
 */
export function placeOf({
  runs: unshifted,
  view,
  place,
  evidence,
}: Pick<Page, 'runs' | 'view' | 'place' | 'evidence'>): AnnotationPlace {
  // Use the offsets that are drawn: evidence moves runs on the time axis.
  const runs = unshifted.map(run => ({ ...run, shift: ns((run.shift ?? 0) + (evidence?.windows?.[run.id] ?? 0)) }))
  const open = runs.filter(run => !run.hidden)
  const { preview, cursor, range } = view
  const clicked = preview ? undefined : open.find(candidate => candidate.id === place?.run)
  if (clicked && place) return place
  const time = preview?.t0 ?? cursor ?? (range.t0 + range.t1) / 2
  const timeInRun = (run: Run, t: number) => asPointed(Math.max(0, t - (run.shift ?? 0)), (range.t1 - range.t0) / WIDTH)
  const pointedRun = open.find(candidate => candidate.id === place?.run)
  const unmoved = open.filter(candidate => !evidence?.windows?.[candidate.id])
  const run =
    [pointedRun, ...unmoved, ...open].find(candidate => candidate && hasTime(candidate, time)) ?? pointedRun ?? open[0]
  if (run === undefined) return {}
  return { run: run.id, at: timeInRun(run, time), ...(preview && { to: timeInRun(run, preview.t1) }) }
}

/** Whether the run was being recorded at a time of the page. */
function hasTime(run: Run, t: number): boolean {
  const since = t - (run.shift ?? 0)
  return since >= beginOf(run) && since <= (run.info?.span ?? Number.POSITIVE_INFINITY)
}

/**
 * A view of this annotation in the middle; absent where it is in sight. A range is shown with a fifth on both sides.
 */
export function rangeAround({ at: start, to }: Annotation, run: Pick<Run, 'shift'>, shown: Range): Range | undefined {
  const shift = run.shift ?? 0
  const [from, end] = [start + shift, (to ?? start) + shift]
  if (to !== undefined) return { t0: ns(from - (to - start) / 5), t1: ns(end + (to - start) / 5) }
  if (from > shown.t0 && from < shown.t1) return undefined
  const half = (shown.t1 - shown.t0) / 2
  return { t0: ns(from - half), t1: ns(from + half) }
}

/** An annotation of an open run, with its number: its place in the list. */
export interface NumberedAnnotation extends Annotation {
  readonly number: number
  readonly owner: Run
}

/** Numbers the annotations of open runs in the order in which they were added. */
export const numbered = (list: readonly Annotation[], runs: readonly Run[]): readonly NumberedAnnotation[] =>
  list
    .flatMap(annotation => {
      const owner = runs.find(run => run.id === annotation.run)
      return owner ? [{ ...annotation, owner }] : []
    })
    .map((annotation, i) => ({ ...annotation, number: i + 1 }))

/** The annotations for a link. */
export function annotationsOf(
  list: readonly Annotation[],
  runs: readonly Run[],
): { readonly annotations?: readonly LinkAnnotation[] } {
  const annotations = numbered(list, runs).map(({ id: _, theirs: __, number: ___, owner, run: ____, ...rest }) => ({
    ...rest,
    run: owner.linkLetter,
  }))
  return annotations.length > 0 ? { annotations } : {}
}

/** Annotations of a link for its open runs; those of other runs are dropped. `isOwn`: whether the reader wrote it. */
export const annotationsFromLink = (
  linkAnnotations: readonly LinkAnnotation[] = [],
  runs: readonly Run[],
  isOwn: (annotation: LinkAnnotation) => boolean,
): readonly Annotation[] =>
  linkAnnotations.flatMap((annotation, i) => {
    const run = runs.find(r => r.linkLetter === annotation.run)
    return run ? [{ ...annotation, run: run.id, id: i + 1, ...(!isOwn(annotation) && { theirs: true as const }) }] : []
  })
