/** The steps in the order of the history: one row per commit, with its figures drawn on the same axes. */
import { drawnFigures } from '../../bisect/sides'
import { COLUMNS, intervalText } from '../../bisect/words'
import { VERDICT_MARKS } from '../../compare/verdicts'
import type { BisectEvidence, BisectLevel, PrintedBisection, PrintedCommit } from '../../engine/protocol'
import { quantity, typographic } from '../../lib/format'
import { FindingBar, LevelPlot, PlotScale } from './LevelPlot'
import './step-table.css'
import { axisEnd, type StepLine, stepLines } from './stepLines'

const MARKS: Readonly<Record<PrintedCommit['verdict'], string>> = {
  good: VERDICT_MARKS.better,
  bad: VERDICT_MARKS.worse,
  skip: '\u2013',
}

const TITLE = 'Steps, in the order of the history'

export function StepTable({ document }: { readonly document: PrintedBisection }) {
  const { main, finding } = drawnFigures(document)
  const lines = stepLines(document)
  const code = document.commits.find(commit => commit.finding)?.finding?.code
  const mainEnd = axisEnd([main?.good, main?.bad, ...lines.map(line => line.main)])
  const findingEnd = axisEnd(lines.map(line => line.finding))
  return (
    <section className="bisect-steps" aria-label={TITLE} data-finding={finding !== undefined}>
      <h2>
        {TITLE} {main && <span className="caption">{legendWords(main, finding)}</span>}
      </h2>
      <table aria-label={TITLE}>
        <thead>
          <tr className="bisect-row bisect-row-head">
            <th scope="col" className="bisect-step">
              {COLUMNS.step}
            </th>
            <th scope="col" className="bisect-commit">
              {COLUMNS.commit}
            </th>
            <th scope="col" className="bisect-subject">
              {COLUMNS.subject}
            </th>
            <th scope="col" className="bisect-runs bisect-number">
              {COLUMNS.runs}
            </th>
            <th scope="col" className="bisect-value bisect-number">
              {main?.label ?? COLUMNS.figure}
            </th>
            <th scope="col" className="bisect-interval bisect-number">
              {COLUMNS.interval}
            </th>
            <th scope="col" className="bisect-plot">
              <span className="visually-hidden">{main?.label} drawn from 0</span>
              {main && <PlotScale figure={main} end={mainEnd} />}
            </th>
            {finding && (
              <th scope="col" className="bisect-share">
                {finding.label}
              </th>
            )}
            <th scope="col" className="bisect-mechanism" title={code}>
              {COLUMNS.finding}
            </th>
            <th scope="col" className="bisect-word">
              {COLUMNS.verdict}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(line => (
            <Row key={line.step} line={line} main={main} mainEnd={mainEnd} finding={finding} findingEnd={findingEnd} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function legendWords(main: BisectEvidence, finding: BisectEvidence | undefined): string {
  const side = (name: 'good' | 'bad') => `${name} ${quantity(main.unit, main[name].value)}`
  const levels = `green and red ground: ${side('good')}, ${side('bad')}, as the last step knew them`
  const bar = finding ? `; bar: ${finding.label}, with its interval` : ''
  return `${main.label} from 0; dot: mean of the runs; line: 95% interval; ${levels}${bar}`
}

interface StepRowProps {
  readonly line: StepLine
  readonly main: BisectEvidence | undefined
  readonly mainEnd: number
  readonly finding: BisectEvidence | undefined
  readonly findingEnd: number
}

/** A value of a figure; `-` where no run has it. */
const valueText = (figure: BisectEvidence | undefined, level: BisectLevel | undefined): string =>
  quantity(figure?.unit ?? '', level?.value)

function Row({ line, main, mainEnd, finding, findingEnd }: StepRowProps) {
  const { step, commit, subject, runs, verdict, mechanism, isFirstBad } = line
  const interval = main && line.main ? intervalText(main.unit, line.main, typographic) : '-'
  return (
    <tr className="bisect-row" data-verdict={verdict} data-found={isFirstBad}>
      <td className="bisect-step">{step}</td>
      <th scope="row" className="bisect-commit">
        {commit ?? '-'}
      </th>
      <td className="bisect-subject" title={subject}>
        {subject}
      </td>
      <td className="bisect-runs bisect-number" data-label={COLUMNS.runs}>
        {runs ?? '-'}
      </td>
      <td className="bisect-value bisect-number" data-label={main?.label}>
        {valueText(main, line.main)}
      </td>
      <td className="bisect-interval bisect-number">{interval}</td>
      <td className="bisect-plot">{main && <LevelPlot figure={main} level={line.main} end={mainEnd} />}</td>
      {finding && (
        <td className="bisect-share" data-label={finding.label}>
          <FindingBar figure={finding} level={line.finding} end={findingEnd} />
          <span className="bisect-number">{valueText(finding, line.finding)}</span>
        </td>
      )}
      <td className="bisect-mechanism" data-label={COLUMNS.finding}>
        {mechanism}
      </td>
      <td className="bisect-word">
        <span aria-hidden="true">{MARKS[verdict]}</span> {verdict}
      </td>
    </tr>
  )
}
