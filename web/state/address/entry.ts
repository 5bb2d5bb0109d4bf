/** Entries of the browser's history. */
import { annotationValue, type LinkAnnotation } from '../../link/annotations'
import { encodeLink, type Link } from '../../link/link'
import { annotationsOf } from '../annotations/annotations'
import { documentOf, isEmpty, type Page, showsLanding } from '../page'
import { runSettings } from './links'
import { linkOf } from './pageLink'

export interface HistoryEntry {
  /**
   * Identifies the document that wrote the entry; it changes with each reload. Entries of an earlier life have no
   * steps on the trail of this page, so going back to one opens its URL.
   */
  readonly life: string
  /** How often all runs had been closed when the entry was written: equal for entries of one comparison. */
  readonly comparison: number
  /** Index of the step of the page's trail. */
  readonly index: number
  /** The landing page is shown. */
  readonly landing?: true
  /** The fleet or the bisection is shown, or the comparison of these rows of it. */
  readonly document?: true | readonly number[]
  /** Id of its record in the browser's storage, by which local files are opened again. */
  readonly stored?: string
  /** Annotations that the reader wrote, as in the URL: after a reload they are still the reader's. */
  readonly annotations?: readonly string[]
}

/** The entry in `history.state`, unless something else wrote it. */
export const asEntry = (state: unknown): HistoryEntry | undefined =>
  typeof state === 'object' && state !== null && 'life' in state && 'index' in state
    ? (state as HistoryEntry)
    : undefined

/** The reader's own annotations, as in the URL. */
function annotationsOfReader({ annotations, runs }: Page): readonly string[] {
  const written = annotations.filter(annotation => !annotation.theirs)
  return (annotationsOf(written, runs).annotations ?? []).map(annotationValue)
}

/**
 * Settings of a link that the page cannot show yet. They stay in the URL, so that a reload while traces are read
 * loses nothing.
 */
export interface Awaited {
  readonly link?: Link
  readonly annotations: readonly LinkAnnotation[]
}

/** Whether the URL stays as it is, because what it names is being opened. */
export const isOpening = (page: Page): boolean =>
  page.opening === true || ((page.sorting || page.dialog?.kind === 'reference') && isEmpty(page))

/** The URL fragment of a page, including settings that still wait for their runs; empty for the landing page. */
export function urlOf(page: Page, { link, annotations: awaited }: Awaited): string {
  if (showsLanding(page)) return ''
  const shown = linkOf(page)
  const annotations = [...(shown.annotations ?? []), ...awaited]
  return `#${encodeLink({ ...shown, ...(annotations.length > 0 && { annotations }), ...(link && runSettings(link)) })}`
}

export function entryOf(page: Page, life: string, comparison: number): HistoryEntry {
  const document =
    !page.home && documentOf(page) && (page.runs.length === 0 || page.runs.flatMap(run => run.digest?.row ?? []))
  const annotations = annotationsOfReader(page)
  return {
    life,
    comparison,
    index: page.trail.index,
    ...(showsLanding(page) && { landing: true }),
    ...(page.stored !== undefined && !showsLanding(page) && { stored: page.stored }),
    ...(document && { document }),
    ...(annotations.length > 0 && { annotations }),
  }
}
