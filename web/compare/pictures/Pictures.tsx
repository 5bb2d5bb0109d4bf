/** Pictures of a table of results: bars or lines of the metric that the matrix shows, and histograms. */
import { useEffect, useMemo, useState } from 'react'
import { Tooltip } from '../../charts/shared/frame/Tooltip'
import { createTips, type Tips } from '../../charts/shared/frame/tips'
import { HeadingContext } from '../../charts/shared/paint/heading'
import type { MatrixFigure, ResultMatrix } from '../../engine/protocol'
import type { MatrixLayout } from '../../link/view'
import { drawBars } from './drawBars'
import { drawHistogram, type HistogramForm } from './drawHistogram'
import { drawLines } from './drawLines'
import { type PictureForm, PictureFrame } from './PictureFrame'
import { formKey, formName } from './pictureWords'
import { type HistogramPicture, histogramsOf, type MetricPicture, picturesOf } from './shape'

export interface ResultPicturesProps {
  readonly table: ResultMatrix
  readonly figure: MatrixFigure
  /** Sides in the order of their letters. */
  readonly sides: readonly string[]
  /** Title for names of saved files. */
  readonly title: string
  readonly layout: Pick<MatrixLayout, 'picture' | 'cumulative'>
  setPicture(form: string): void
  setCumulative(isOn: boolean): void
}

export function ResultPictures(props: ResultPicturesProps) {
  const { table, figure, sides, title, layout, setPicture, setCumulative } = props
  const pictures = useMemo(() => picturesOf(table, figure, sides), [table, figure, sides])
  const histograms = useMemo(() => histogramsOf(table, sides), [table, sides])
  const [tips] = useState(createTips)
  useEffect(() => () => tips.show(undefined), [tips])
  if (pictures.length + histograms.length === 0) return null
  return (
    <HeadingContext value={{ title, runs: [] }}>
      {pictures.length > 0 && (
        <MetricPictureFrame pictures={pictures} chosen={layout.picture} choose={setPicture} tips={tips} />
      )}
      {histograms.map(picture => (
        <Histogram
          key={picture.operation}
          picture={picture}
          form={layout.cumulative ? 'cumulative' : 'histogram'}
          setForm={form => setCumulative(form === 'cumulative')}
          tips={tips}
        />
      ))}
      <Tooltip tips={tips} />
    </HeadingContext>
  )
}

interface OfMetricProps {
  readonly pictures: readonly MetricPicture[]
  /** Key of the chosen form (`formKey`); absent for the default. */
  readonly chosen: string | undefined
  readonly tips: Tips
  choose(form: string): void
}

function MetricPictureFrame({ pictures, chosen, tips, choose }: OfMetricProps) {
  const picture = pictures.find(candidate => formKey(candidate) === chosen) ?? pictures[0]
  if (!picture) return null
  const forms = pictures.map(
    (candidate): PictureForm => ({ name: formName(candidate), choose: () => choose(formKey(candidate)) }),
  )
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

interface LatencyHistogramProps {
  readonly picture: HistogramPicture
  readonly form: HistogramForm
  readonly tips: Tips
  setForm(form: HistogramForm): void
}

function Histogram({ picture, form, tips, setForm }: LatencyHistogramProps) {
  return (
    <PictureFrame
      picture={picture}
      forms={FORMS.map(option => ({ name: option.name, choose: () => setForm(option.form) }))}
      form={FORMS.find(option => option.form === form)?.name ?? ''}
      draw={(width, measure) => drawHistogram(picture, form, width, measure)}
      tips={tips}
    />
  )
}
