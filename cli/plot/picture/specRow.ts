/** A chart over time in pictures, from its spec. */

import type { Shown } from '../../../web/charts/shared/answers/shown'
import {
  type Cells,
  type ChartRow,
  type FigurePart,
  type QueryKinds,
  type RowSpec,
  titleOf,
} from '../../../web/charts/shared/spec'
import { loadAnswers } from '../load'
import type { PictureFrame } from './pictureFrame'
import { dagger, type PictureRow } from './pictureRow'

/** A picture shows the range of its figures, so that it needs no words about their scope. */
const partText = (run: Shown, part: FigurePart): string => {
  if (typeof part === 'string') return part === 'scope' ? '' : part
  return 'strong' in part ? part.strong : dagger(run, part.unreliable)
}

function figureText(row: Pick<ChartRow, 'figure' | 'details'>, run: Shown, i: number): string {
  const figure = row.figure(run, i).map(part => partText(run, part))
  return [figure.join(''), ...(row.details?.(run, i) ?? [])].filter(words => words !== '').join('; ')
}

export async function specRow<Q extends QueryKinds<Q>, C extends Cells>(
  frame: PictureFrame,
  spec: RowSpec<Q, C>,
): Promise<PictureRow> {
  const { shown, sheet, palette } = frame
  const answers = await loadAnswers(frame, spec, loaded => spec.cells(frame, loaded))
  const { strip, ...row } = spec.row(frame, answers, spec.cells(frame, answers))
  const indexOf = (run: Shown) => shown.indexOf(run)
  const look = { size: 11, colour: palette('ink-2'), halo: palette('surface') }
  return {
    title: titleOf(spec, frame),
    ...(spec.chart && { chart: spec.chart }),
    ...row,
    ...(strip && { strip: (run: Shown) => strip(run, indexOf(run)) }),
    figure: run => figureText(row, run, indexOf(run)),
    ...(spec.missing && { missing: spec.missing }),
    instead: run => row.empty?.(run, indexOf(run)),
    draw: (surface, run) => row.draw(surface, run, indexOf(run)),
    annotate(run, left, top) {
      for (const { x, y, text } of row.labels?.(run, indexOf(run)) ?? []) sheet.text(left + x, top + y, text, look)
    },
  }
}
