/** Actions that add, change, list and show annotations. */
import { ns } from '../../lib/units'
import type { PageActions } from '../actions'
import { addAnnotation, editAnnotation, placeOf, rangeAround } from '../annotations/annotations'
import { withoutMark } from '../comparing/evidence'
import { put } from '../page'
import { push } from '../trail'
import type { View } from '../types'
import { clampedRange, type Updates } from './updates'

const CHARTS: readonly View['layout'][] = ['columns', 'overlay']

export function createAnnotationActions({ update }: Updates) {
  return {
    point: place => update(page => ({ ...page, place })),
    annotate: place => update(page => ({ ...page, dialog: { kind: 'annotation', place: place ?? placeOf(page) } })),
    listAnnotation: annotation => update(page => ({ ...page, listed: { annotation } })),
    saveAnnotation: (draft, id) =>
      update(page => ({
        ...page,
        annotations:
          id === undefined ? addAnnotation(page.annotations, draft) : editAnnotation(page.annotations, id, draft),
      })),
    deleteAnnotation: id =>
      update(page => ({ ...page, annotations: page.annotations.filter(annotation => annotation.id !== id) })),
    restoreAnnotations: list => update(page => ({ ...page, annotations: list })),
    goToAnnotation: id =>
      update(page => {
        const annotation = page.annotations.find(candidate => candidate.id === id)
        const run = page.runs.find(candidate => candidate.id === annotation?.run)
        if (!annotation || !run) return page
        const range = rangeAround(annotation, run, page.view.range)
        const withCharts = CHARTS.includes(page.view.layout)
          ? page
          : { ...page, view: { ...page.view, layout: 'columns' as const } }
        const moved = range
          ? { ...withCharts, trail: push(withCharts.trail, clampedRange(range, withCharts)) }
          : withCharts
        const cursor = ns(annotation.at + (run.shift ?? 0))
        return {
          ...withoutMark(moved),
          view: { ...put(moved.view, 'preview', undefined), cursor },
          sight: { chart: 'seek-map' },
        }
      }),
  } satisfies Partial<PageActions>
}
