/** Annotations of times of runs. */
import { ns } from '../../lib/units'
import type { PageActions } from '../actions'
import { added, edited, placeOf, rangeAround } from '../annotations/annotations'
import { withoutMark } from '../comparing/evidence'
import { put } from '../page'
import { push } from '../trail'
import type { View } from '../types'
import { clampedRange, type Updates } from './updates'

/** Layouts with charts. */
const CHARTS: readonly View['layout'][] = ['columns', 'overlay']

export function createAnnotationActions({ update }: Updates) {
  return {
    point: place => update(page => ({ ...page, place })),
    annotate: place => update(page => ({ ...page, dialog: { kind: 'annotation', place: place ?? placeOf(page) } })),
    listAnnotation: annotation => update(page => ({ ...page, listed: { annotation } })),
    saveAnnotation: (draft, id) =>
      update(page => ({
        ...page,
        annotations: id === undefined ? added(page.annotations, draft) : edited(page.annotations, id, draft),
      })),
    deleteAnnotation: id =>
      update(page => ({ ...page, annotations: page.annotations.filter(annotation => annotation.id !== id) })),
    restoreAnnotations: list => update(page => ({ ...page, annotations: list })),
    goToAnnotation: id =>
      update(page => {
        const annotation = page.annotations.find(one => one.id === id)
        const run = page.runs.find(one => one.id === annotation?.run)
        if (!annotation || !run) return page
        const range = rangeAround(annotation, run, page.view.range)
        const seen = CHARTS.includes(page.view.layout)
          ? page
          : { ...page, view: { ...page.view, layout: 'columns' as const } }
        const moved = range ? { ...seen, trail: push(seen.trail, clampedRange(range, seen)) } : seen
        const cursor = ns(annotation.at + (run.shift ?? 0))
        return {
          ...withoutMark(moved),
          view: { ...put(moved.view, 'preview', undefined), cursor },
          sight: { chart: 'seek-map' },
        }
      }),
  } satisfies Partial<PageActions>
}
