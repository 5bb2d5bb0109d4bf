/** A chart of all runs together on the page, from its spec. */
import type { Answers, Cells, ChartPanel, PanelSpec, QueryKinds } from '../spec'
import { Panel, type PanelProps } from './Panel'

export interface SpecPanelProps<Q extends QueryKinds<Q>, C extends Cells>
  extends Required<Pick<PanelProps, 'frame' | 'children'>>,
    Pick<PanelProps, 'controls' | 'legend'> {
  readonly spec: PanelSpec<Q, C>
  readonly panel: ChartPanel
  readonly answers: Answers<Q>
  readonly cells: C
  /** It is about whole runs, whatever the filters hide. */
  readonly ignoresFilters?: boolean
}

export function SpecPanel<Q extends QueryKinds<Q>, C extends Cells>(props: SpecPanelProps<Q, C>) {
  const { spec, panel, answers, cells, ignoresFilters = false, frame, ...rest } = props
  const { data } = spec
  return (
    <Panel
      {...rest}
      {...(!ignoresFilters && { frame })}
      {...(spec.chart && { chart: spec.chart })}
      shown={frame.shown}
      title={spec.title}
      what={panel.what}
      words={spec.words(frame, answers, cells)}
      measured={spec.measured}
      table={() => spec.table(frame, answers, cells)}
      {...(data && { data: () => data(frame, answers, cells) })}
    />
  )
}
