/** Pictures of a table of results: bars or lines of the metric that the matrix shows, and histograms. */
import { useEffect, useMemo, useState } from 'react'
import { HeadingContext } from '../../charts/shared/heading'
import { Tooltip } from '../../charts/shared/Tooltip'
import { createTips, type Tips } from '../../charts/shared/tips'
import type { MatrixFigure, ResultMatrix } from '../../engine/protocol'
import { drawBars } from './drawBars'
import { drawHistogram, type HistogramForm } from './drawHistogram'
import { drawLines } from './drawLines'
import { type PictureForm, PictureFrame } from './PictureFrame'
import { formName } from './pictureWords'
import { type HistogramPicture, histogramsOf, type MetricPicture, picturesOf } from './shape'

export interface ResultPicturesProps {
  readonly table: ResultMatrix
  readonly figure: MatrixFigure
  /** Names saved files. */
  readonly title: string
}

export function ResultPictures({ table, figure, title }: ResultPicturesProps) {
  const pictures = useMemo(() => picturesOf(table, figure), [table, figure])
  const histograms = useMemo(() => histogramsOf(table), [table])
  const [tips] = useState(createTips)
  useEffect(() => () => tips.show(undefined), [tips])
  if (pictures.length + histograms.length === 0) return null
  return (
    <HeadingContext value={{ title, runs: [] }}>
      {pictures.length > 0 && <OfMetric pictures={pictures} tips={tips} />}
      {histograms.map(picture => (
        <Histogram key={picture.operation} picture={picture} tips={tips} />
      ))}
      <Tooltip tips={tips} />
    </HeadingContext>
  )
}

function OfMetric({ pictures, tips }: { readonly pictures: readonly MetricPicture[]; readonly tips: Tips }) {
  const [chosen, choose] = useState<string>()
  const picture = pictures.find(one => formName(one) === chosen) ?? pictures[0]
  if (!picture) return null
  const forms = pictures.map((one): PictureForm => ({ name: formName(one), choose: () => choose(formName(one)) }))
  return (
    <PictureFrame
      picture={picture}
      forms={forms}
      form={formName(picture)}
      draw={(width, measure) =>
        picture.kind === 'bars' ? drawBars(picture, width, measure) : drawLines(picture, width, measure)
      }
      tips={tips}
    />
  )
}

const FORMS: readonly { readonly form: HistogramForm; readonly name: string }[] = [
  { form: 'histogram', name: 'Histogram' },
  { form: 'cumulative', name: 'Cumulative' },
]

function Histogram({ picture, tips }: { readonly picture: HistogramPicture; readonly tips: Tips }) {
  const [form, setForm] = useState<HistogramForm>('histogram')
  return (
    <PictureFrame
      picture={picture}
      forms={FORMS.map(one => ({ name: one.name, choose: () => setForm(one.form) }))}
      form={FORMS.find(one => one.form === form)?.name ?? ''}
      draw={(width, measure) => drawHistogram(picture, form, width, measure)}
      tips={tips}
    />
  )
}
